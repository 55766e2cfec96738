import Base, { helper as aid, type Shape } from './base';
import * as tools from 'tools';
import './side-effect';
export { thing as renamed } from './thing';
export * from './all';

/** How many there may be. */
export const LIMIT = 10;
let counter = 0;
const { left, right: other = LIMIT } = aid(tools);

/** Anything with an area. */
export interface Area<T> extends Shape, tools.Named<T> {
  area(scale: number): number;
  readonly label: string;
  (call: string): void;
}

type Pair<A, B = A> = { first: A; second: B } | Area<B>;
type Handler = (event: Event, ...rest: unknown[]) => void;

export const enum Tone {
  Low,
  High = LIMIT,
}

@Component({ selector: 'panel' })
export abstract class Panel<T> extends Base<T> implements Area<T>, tools.Disposable {
  static #count = 0;
  private readonly items: Map<string, T> = new Map();
  handler = (event: Event) => this.bump(event);

  constructor(public readonly label: string, private size = LIMIT) {
    super(label);
    Panel.#count += 1;
  }

  abstract area(scale: number): number;

  @Input()
  protected bump(event?: Event): void {
    this.items.get(this.label)?.bump(event!);
  }

  get width(): number {
    return this.size;
  }

  async *walk<K extends keyof T>(keys: K[]): AsyncGenerator<T[K]> {
    for (const key of keys) yield this.items.get(String(key)) as T[K];
  }
}

export function convert(value: string): string;
export function convert(value: number): number;
export function convert(value: any) {
  // convert() in a comment
  const local = (inner: number) => inner + counter;
  try {
    return local(value) ?? `convert() ${aid<string>(value)}`;
  } catch (problem) {
    if (isPanel(problem)) throw new tools.Failure<Error>(problem);
  }
  label: for (;;) break label;
  return { value, key: left, method() { return other; }, arrow: () => right };
}

function isPanel(thing: unknown): thing is Panel<any> {
  return thing instanceof Panel;
}

namespace Outer.Inner {
  export function nested() {}
}

declare module 'ambient' {
  function declared(text: string): void;
}

export default class {
  run() {
    convert(1);
  }
}

class Page {
  /** Finds. */
  @Get({
    path: 'convert()',
  })
  find() {}
  shown = convert({
    a: 1,
  })
  hide() {}
}

const Made = class Inner {
  again() {
    return Inner;
  }
};

interface Caller {
  <Given>(value: Given): Promise<Given>
  <Given>(value: Given, again: boolean): Promise<Given>
}

type Curried = (value: number) =>
  <Given>(given: Given) => Given;
interface AfterCaller {}

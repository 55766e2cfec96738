'use strict';
const fs = require('fs');
import { get as fetchIt } from './net.js';

/** Counts down. */
export class Timer extends Base {
  static shared = new Timer();
  #left = 10;
  tick = () => --this.#left;

  constructor(start) {
    super();
    this.start = start;
  }

  run(callback = fetchIt) {
    return callback(this.tick());
  }
}

function Legacy(name) {
  this.name = name;
}
Legacy.prototype.greet = function greetIt(other) {
  return this.name + other;
};
exports.make = async (name) => new Legacy(name);

export function* numbers({ from = 0, to }, [first, ...rest]) {
  for (let index = from; index < to; index++) yield index;
  for (const key in rest) console.log(key, first, `numbers() ${key}`);
}

var handler = function () {
  return fs.readFileSync('numbers()');
};

const store = require('./store');
const { total, tax: rate } = require('./money');
var round = require('./money').roundUp;
const listed = handler('./money');

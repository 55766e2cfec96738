package org.example.shapes;

import static org.example.Util.check;

import java.util.List;
import org.example.Outer.Inner;
import org.example.other.*;

/** A span of lines. It has two ends. */
public record Span(int low, int high) implements Comparable<Span> {
  public static final int MAX = 10, MIN = 1;

  public Span {
    if (low > high) throw new IllegalArgumentException("width()");
  }

  int width() {
    return high - low;
  }
}

@interface Tag {
  String value() default "";
}

sealed interface Shape extends Comparable<Shape> permits Circle {
  int SIDES = 0;

  double area();

  default void draw(Canvas canvas) {
    canvas.draw(this);
  }
}

enum Colour implements Shape {
  RED(1) {
    @Override
    public double area() {
      return 1;
    }
  },
  GREEN;

  Colour(int code) {}
}

@Tag("circle")
abstract class Circle<T extends Number> extends Base<T> implements Shape, Inner.Part {
  private final T radius;
  protected List<? super T> parts;

  Circle(T radius) {
    super(radius);
    this.radius = radius;
  }

  /** Scales it. */
  @Deprecated
  public <R extends T> R scale(R factor, int... steps) throws ScaleException {
    for (int step : steps) check(step);
    try (Resource resource = open()) {
      Runnable run = this::redraw;
      java.util.function.Function<T, T> same = (value) -> value;
      run.run();
    } catch (IOException | Error problem) {
      problem.printStackTrace();
    }
    if (factor instanceof Integer number && number > MAX) return new Holder<>(factor).get();
    Object anonymous = new Object() {
      void inside() {}
    };
    outer:
    for (; ; ) {
      break outer;
    }
    return switch (number) {
      case 1 -> factor;
      default -> parts.get(0).scale(factor);
    };
  }

  class Nested {
    void innerCall() {
      redraw();
    }
  }
}

class Shapes {
  int area(Object shape) {
    return switch (shape) {
      case Square(var side, int depth) -> side * depth;
      default -> { var none = 0; yield none; }
    };
  }
}

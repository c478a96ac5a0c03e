package io.penstock.server.policy;

import java.util.List;

/** A value of a JSON or YAML text, with the place where it was read. Immutable. */
sealed interface Tree {
  /** Where it is, for a problem: {@code limits[1]}; in a file also line and column. */
  String where();

  /** What it is, for a problem. */
  String shown();

  /** Names and values in the order of the text; a name may be there twice. */
  record Fields(String where, List<Field> fields) implements Tree {
    @Override
    public String shown() {
      return fields.isEmpty() ? "{}" : "{…}";
    }
  }

  /** One name and its value. */
  record Field(String name, Tree value) {}

  /** Values in order. */
  record Items(String where, List<Tree> items) implements Tree {
    @Override
    public String shown() {
      return items.isEmpty() ? "[]" : "[…]";
    }
  }

  /** Anything that holds no other value. */
  record Scalar(String where, Type type, String text) implements Tree {
    @Override
    public String shown() {
      return text;
    }
  }

  /** What a scalar is. */
  enum Type {
    TEXT,
    NUMBER,
    BOOLEAN,
    NULL
  }

  default Problem problem(String expected) {
    return new Problem(where(), shown(), expected);
  }
}

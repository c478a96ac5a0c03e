package io.penstock.server.http;

import org.jspecify.annotations.Nullable;

/** What a request asks for behind the question mark. Stateless. */
final class Query {
  private Query() {}

  /** The text of a parameter; null if it is not given. */
  static @Nullable String text(Exchange exchange, String name) {
    try {
      return exchange.request().getParam(name);
    } catch (IllegalArgumentException e) {
      throw Refusal.field(name, String.valueOf(exchange.request().query()), "percent-encoding");
    }
  }

  /** Whether a parameter says {@code true}; not given means no. */
  static boolean flag(Exchange exchange, String name) {
    String text = text(exchange, name);
    if (text != null && !text.equals("true") && !text.equals("false")) {
      throw Refusal.field(name, text, "true, false");
    }
    return "true".equals(text);
  }

  static int integer(Exchange exchange, String name, int otherwise, int max) {
    String text = text(exchange, name);
    if (text == null) {
      return otherwise;
    }
    try {
      int number = Integer.parseInt(text);
      if (number >= 1 && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below, as a number out of range is.
    }
    throw Refusal.field(name, text, "1.." + max);
  }
}

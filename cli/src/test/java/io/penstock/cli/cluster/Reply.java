package io.penstock.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An answer of a node, or that there was none: then its status is 0. Immutable. */
record Reply(int status, String body) {
  static final String STRICT = "strict";
  static final String FAST = "fast";

  private static final Pattern DECIDED_BY =
      Pattern.compile("\"decidedBy\":\"n(\\d) shard \\d+ epoch (\\d+)\"");

  boolean isAllowed() {
    return isAllowed(STRICT);
  }

  boolean isDenied() {
    return isDenied(STRICT);
  }

  /** Whether it was decided, and by whom: not by a fail mode. */
  boolean isStrict() {
    return isDecided(STRICT);
  }

  /** The same under a policy of any consistency. */
  boolean isAllowed(String consistency) {
    return body.contains("\"allowed\":true,\"remaining\"") && isDecided(consistency);
  }

  boolean isDenied(String consistency) {
    return body.contains("\"reason\":\"limited\"") && isDecided(consistency);
  }

  boolean isDecided(String consistency) {
    return body.contains("\"durability\":\"" + consistency + "\"");
  }

  /** Whether somebody decided, and not a fail mode. */
  boolean isDecided() {
    return status == 200 && !body.contains("\"reason\":\"fail-");
  }

  /** Whether it was done or refused: there is no use in asking again. */
  boolean isSettled() {
    return status >= 200 && status < 500;
  }

  long remaining() {
    return number("remaining");
  }

  /** The first number of a name. */
  long number(String name) {
    Matcher found = Pattern.compile("\"" + name + "\":(-?\\d+)").matcher(body);
    assertThat(found.find()).as(body).isTrue();
    return Long.parseLong(found.group(1));
  }

  /** Index of the node that decided; -1 if none did. */
  int owner() {
    Matcher found = DECIDED_BY.matcher(body);
    return found.find() ? Integer.parseInt(found.group(1)) - 1 : -1;
  }
}

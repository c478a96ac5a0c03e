package io.penstock.server.http;

import io.penstock.server.policy.Expected;
import io.vertx.core.http.HttpHeaders;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Which version a request expects, from its preconditions. Stateless. */
final class Precondition {
  private static final Pattern TAG = Pattern.compile("\"(0|[1-9][0-9]{0,17})\"");

  /** One tag of a list, weak or not, with what is before and behind it. */
  private static final Pattern LISTED =
      Pattern.compile("\\G[ \t,]*(?:W/)?(\"[^\"]*\")[ \t]*(?:,|$)");

  private static final String EXPECTED_TAG = "\"<version>\" or *";

  private Precondition() {}

  /** What a PUT expects. */
  static Expected ofPut(Exchange exchange) {
    String none = only(exchange);
    if (none == null) {
      return ofMatch(exchange, EXPECTED_TAG + "; or If-None-Match: * to create");
    }
    if (!none.strip().equals("*")) {
      throw Refusal.field("If-None-Match", none, "*");
    }
    return new Expected.Absent();
  }

  /** What a DELETE expects. */
  static Expected ofDelete(Exchange exchange) {
    only(exchange);
    return ofMatch(exchange, EXPECTED_TAG);
  }

  /** If-None-Match, which has no If-Match beside it; null if it is not there. */
  private static @Nullable String only(Exchange exchange) {
    String none = exchange.list(HttpHeaders.IF_NONE_MATCH);
    if (none != null && exchange.list(HttpHeaders.IF_MATCH) != null) {
      throw Refusal.field("If-None-Match", none, "If-Match or If-None-Match, not both");
    }
    return none;
  }

  private static Expected ofMatch(Exchange exchange, String expected) {
    String match = exchange.list(HttpHeaders.IF_MATCH);
    if (match == null) {
      throw Refusal.of(428, "If-Match: missing (expected: " + expected + ")");
    }
    if (match.strip().equals("*")) {
      return new Expected.Any();
    }
    Matcher tag = TAG.matcher(match.strip());
    if (!tag.matches()) {
      throw Refusal.field("If-Match", match, EXPECTED_TAG);
    }
    return new Expected.Version(Long.parseLong(tag.group(1)));
  }

  /** Whether a client that asks has this version already (RFC 9110, 13.1.2). */
  static boolean isKnown(Exchange exchange, String tag) {
    String none = exchange.list(HttpHeaders.IF_NONE_MATCH);
    if (none == null || none.strip().equals("*")) {
      return none != null;
    }
    return LISTED.matcher(none).results().anyMatch(each -> each.group(1).equals(tag));
  }

  static String tag(long version) {
    return "\"" + version + "\"";
  }
}

package io.penstock.server.fields;

import io.penstock.core.Limit;
import io.penstock.server.node.Part;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * How a limit is called in header fields: the scope of its policy, and its period if the policy has
 * several. No two limits of one policy have the same name. Stateless.
 */
final class LimitName {
  /** What a limit that came with the request is called. */
  private static final String GIVEN = "request";

  private static final char[] HEX = "0123456789ABCDEF".toCharArray();

  private LimitName() {}

  static String of(Part part, int index) {
    String scope = printable(part.policy());
    return part.meters().size() == 1 ? scope : scope + '#' + suffix(part, index);
  }

  /** A rate and a bound on what is held may have the same period; no other two limits may. */
  private static String suffix(Part part, int index) {
    Limit limit = part.meters().get(index).limit();
    return limit.isConcurrent() ? "concurrent-" + limit.period() : limit.period();
  }

  /** A structured string has printable ASCII only: anything else is percent-encoded. */
  private static String printable(@Nullable String scope) {
    if (scope == null) {
      return GIVEN;
    }
    if (isPrintable(scope)) {
      return scope;
    }
    StringBuilder text = new StringBuilder(scope.length() + 16);
    for (byte b : scope.getBytes(StandardCharsets.UTF_8)) {
      if (b >= ' ' && b <= '~') {
        text.append((char) b);
      } else {
        text.append('%').append(HEX[b >> 4 & 0xf]).append(HEX[b & 0xf]);
      }
    }
    return text.toString();
  }

  private static boolean isPrintable(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < ' ' || text.charAt(i) > '~') {
        return false;
      }
    }
    return true;
  }
}

package io.penstock.server.policy.ratelimit;

import com.fasterxml.jackson.databind.node.TextNode;
import io.penstock.core.Limit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Node;

/** The block {@code rate_limit} of a descriptor, as a policy. Confined to the thread that reads. */
final class Rate {
  private static final List<String> FIELDS =
      List.of("unit", "requests_per_unit", "unlimited", "name", "replaces");
  private static final Map<String, String> PERIODS =
      Map.of(
          "second", "s",
          "minute", "min",
          "hour", "hour",
          "day", "day",
          "week", "week",
          "month", "month",
          "year", "year");
  private static final String UNITS = "second, minute, hour, day, week, month, year";
  private static final long COUNT_MAX = 0xFFFF_FFFFL;
  private static final String SECOND = "second";

  private static final String FIXED_WINDOW = ",\"algorithm\":\"fixed-window\"";
  private static final String UNLIMITED = "\"unlimited\":true";
  private static final String BLOCKED = "\"blocked\":true";

  private final Fields fields;
  private final List<String> share;
  private final Findings findings;

  private Rate(Fields fields, List<String> share, Findings findings) {
    this.fields = fields;
    this.share = share;
    this.findings = findings;
  }

  /** The document of a policy that lets everything pass. */
  static String unlimited() {
    return "{" + UNLIMITED + "}";
  }

  /** The document of a block below keys that share; null if something is wrong with it. */
  static @Nullable String document(
      Node block, String path, boolean shadow, List<String> share, Findings findings) {
    Rate rate = new Rate(new Fields(block, path, FIELDS, findings), share, findings);
    rate.replaces(path);
    String limits = rate.fields.flag("unlimited") ? rate.noLimits() : rate.limits();
    return limits == null ? null : "{" + limits + (shadow ? ",\"shadow\":true}" : "}");
  }

  private String noLimits() {
    if (PERIODS.containsKey(unit())) {
      findings.problem(fields.where("unit"), unit(), "no unit beside unlimited: true");
    }
    return UNLIMITED;
  }

  private String unit() {
    return fields.text("unit").toLowerCase(Locale.ROOT);
  }

  private @Nullable String limits() {
    String period = PERIODS.get(unit());
    if (period == null) {
      findings.problem(fields.where("unit"), fields.text("unit"), UNITS);
    }
    long count = unit().equals(SECOND) ? capped(count()) : count();
    if (period == null || count < 0) {
      return null;
    }
    return count == 0
        ? BLOCKED
        : "\"limits\":[\"" + count + "/" + period + "\"]" + FIXED_WINDOW + shared();
  }

  private long capped(long perSecond) {
    if (perSecond > Limit.PER_SECOND_MAX) {
      findings.note(
          fields.where("requests_per_unit"),
          "more than "
              + Limit.PER_SECOND_MAX
              + " per second is read as that many, the fastest limit");
    }
    return Math.min(perSecond, Limit.PER_SECOND_MAX);
  }

  /** Names the keys whose values share a counter, if there are any. */
  private String shared() {
    return share.isEmpty()
        ? ""
        : share.stream()
            .map(key -> TextNode.valueOf(key).toString())
            .collect(Collectors.joining(",", ",\"share\":[", "]"));
  }

  /** How many; -1 if something is wrong with it. */
  private long count() {
    String text = fields.text("requests_per_unit");
    try {
      long count = Long.decode(text.replace("_", ""));
      if (count >= 0 && count <= COUNT_MAX) {
        return count;
      }
    } catch (NumberFormatException e) {
      // said below, as of a number that is too large
    }
    String expected = "a whole number from 0 to " + COUNT_MAX;
    findings.problem(fields.where("requests_per_unit"), text, expected);
    return -1;
  }

  private void replaces(String path) {
    String own = fields.text("name");
    int index = 0;
    for (Node item : fields.items("replaces")) {
      String inner = path + ".replaces[" + index++ + "]";
      Fields replaced = new Fields(item, inner, List.of("name"), findings);
      String name = replaced.text("name");
      if (name.isEmpty() || name.equals(own)) {
        String expected = "the name of another rate_limit";
        findings.problem(replaced.where("name"), name.isEmpty() ? "nothing" : name, expected);
      }
      findings.note(
          inner, "replaces is ignored: here every descriptor of a check is counted by its policy");
    }
  }
}

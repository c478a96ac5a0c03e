package io.penstock.server.config;

import io.penstock.server.policy.Problem;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads texts as values, and notes every problem instead of stopping at the first: a value that
 * cannot be read is replaced by a harmless one. Confined to one thread.
 */
final class Values {
  private static final Pattern NUMBER_AND_UNIT = Pattern.compile("(\\d{1,15})\\s*([a-zA-Z]*)");
  private static final Map<String, Long> BYTES =
      Map.of("b", 1L, "kb", 1L << 10, "mb", 1L << 20, "gb", 1L << 30, "tb", 1L << 40);
  private static final Map<String, Long> MILLIS =
      Map.of(
          "ms",
          1L,
          "s",
          1_000L,
          "min",
          60_000L,
          "h",
          3_600_000L,
          "hour",
          3_600_000L,
          "day",
          86_400_000L);

  private final Map<Setting, Given> given;
  private final List<Problem> problems;

  Values(Map<Setting, Given> given, List<Problem> problems) {
    this.given = given;
    this.problems = problems;
  }

  @Nullable String text(Setting setting) {
    Given value = given.get(setting);
    return value == null || value.text().isBlank() ? null : value.text().strip();
  }

  String textOrEmpty(Setting setting) {
    String text = text(setting);
    return text == null ? "" : text;
  }

  void bad(Setting setting, String expected) {
    problems.add(new Problem(setting.key(), textOrEmpty(setting), expected));
  }

  int number(Setting setting, int min, int max) {
    try {
      int number = Integer.parseInt(textOrEmpty(setting));
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException notANumber) {
      // Told below, with the bounds.
    }
    bad(setting, "a number in " + min + ".." + max);
    return min;
  }

  long bytes(Setting setting, long min, long max) {
    return scaled(setting, BYTES, "a size like 64MB", min, max);
  }

  Duration time(Setting setting, Duration min, Duration max) {
    return Duration.ofMillis(
        scaled(setting, MILLIS, "a time like 25ms, 75s or 10min", min.toMillis(), max.toMillis()));
  }

  private long scaled(
      Setting setting, Map<String, Long> units, String expected, long min, long max) {
    Matcher parts = NUMBER_AND_UNIT.matcher(textOrEmpty(setting));
    Long unit = parts.matches() ? units.get(parts.group(2).toLowerCase(Locale.ROOT)) : null;
    if (unit == null) {
      bad(setting, expected);
      return min;
    }
    long number = Long.parseLong(parts.group(1));
    if (number > max / unit || number * unit < min) {
      bad(setting, expected + ", in " + inUnits(min, units) + ".." + inUnits(max, units));
      return min;
    }
    return number * unit;
  }

  private static String inUnits(long value, Map<String, Long> units) {
    return units.entrySet().stream()
        .filter(unit -> value % unit.getValue() == 0 && value >= unit.getValue())
        .max(Map.Entry.comparingByValue())
        .map(unit -> value / unit.getValue() + unit.getKey())
        .orElseGet(() -> String.valueOf(value));
  }

  boolean isOn(Setting setting) {
    String text = textOrEmpty(setting);
    if (!text.equals("true") && !text.equals("false")) {
      bad(setting, "true or false");
    }
    return text.equals("true");
  }

  <E extends Enum<E>> E choice(Setting setting, E[] choices) {
    for (E each : choices) {
      if (each.name().equals(textOrEmpty(setting).toUpperCase(Locale.ROOT))) {
        return each;
      }
    }
    bad(setting, "one of " + Arrays.toString(choices).toLowerCase(Locale.ROOT));
    return choices[0];
  }

  @Nullable Path path(Setting setting) {
    String text = text(setting);
    try {
      return text == null ? null : Path.of(text);
    } catch (InvalidPathException odd) {
      bad(setting, "a path");
      return null;
    }
  }

  /** A file that is there and can be read. */
  @Nullable Path file(Setting setting) {
    Path path = path(setting);
    if (path != null && (!Files.isRegularFile(path) || !Files.isReadable(path))) {
      bad(setting, "a file that can be read");
    }
    return path;
  }

  InetAddress address(Setting setting) {
    try {
      return InetAddress.getByName(textOrEmpty(setting));
    } catch (UnknownHostException unknown) {
      bad(setting, "an address or the name of a host");
      return InetAddress.getLoopbackAddress();
    }
  }

  List<Network> networks(Setting setting) {
    List<Network> networks = new ArrayList<>();
    for (String each : textOrEmpty(setting).split(",", -1)) {
      if (!each.isBlank()) {
        try {
          networks.add(Network.parse(each.strip()));
        } catch (IllegalArgumentException odd) {
          problems.add(new Problem(setting.key(), each.strip(), "networks like 10.0.0.0/8"));
        }
      }
    }
    return networks;
  }
}

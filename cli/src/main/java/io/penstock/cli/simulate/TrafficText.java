package io.penstock.cli.simulate;

import io.penstock.cli.simulate.Traffic.Segment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text form of traffic, read word by word. Confined to the thread that parses.
 *
 * <pre>
 * traffic = layer { "and" layer }
 * layer   = segment { "then" segment }
 * segment = shape { "for" TIME | "cost" N }
 * shape   = "steady" RATE | "poisson" RATE | "ramp" RATE "to" RATE | "idle"
 *         | "burst" N { "at" TIME | "every" TIME }
 * </pre>
 */
final class TrafficText {
  private static final String SHAPES = "steady, poisson, ramp, burst or idle";
  private static final String RATE_FORM = "a rate such as 15/s";
  private static final String TIME_FORM = "a time such as 10s; units: ms s min hour day week";
  private static final String WHOLE_FORM = "a whole number from 1 to " + Traffic.REQUESTS_MAX;
  private static final Pattern RATE = Pattern.compile("(\\d+(?:\\.\\d+)?)/(\\d*)([a-z]+)");
  private static final Pattern TIME = Pattern.compile("(\\d+(?:\\.\\d+)?)([a-z]+)");
  private static final Pattern WHOLE = Pattern.compile("[1-9]\\d{0,6}");
  private static final long SECOND = 1_000_000_000L;
  private static final long DAY = 86_400 * SECOND;

  private final String text;
  private final String[] words;
  private int next;

  TrafficText(String text) {
    this.text = text.strip();
    this.words = this.text.isEmpty() ? new String[0] : this.text.split("\\s+");
  }

  Traffic traffic() {
    List<List<Segment>> layers = new ArrayList<>();
    do {
      layers.add(layer());
    } while (accept("and"));
    return new Traffic(text, List.copyOf(layers));
  }

  private List<Segment> layer() {
    List<Segment> segments = new ArrayList<>();
    do {
      segments.add(segment());
    } while (accept("then"));
    return List.copyOf(segments);
  }

  private Segment segment() {
    return switch (take(SHAPES)) {
      case "idle" -> options(Set.of("for")).segment(new Shape.Idle());
      case "steady" -> timed(new Shape.Steady(rate()));
      case "poisson" -> timed(new Shape.Poisson(rate()));
      case "ramp" -> timed(ramp());
      case "burst" -> burst();
      default -> {
        next--;
        throw bad(SHAPES);
      }
    };
  }

  private Segment timed(Shape shape) {
    return options(Set.of("for", "cost")).segment(shape);
  }

  private Shape ramp() {
    Rate from = rampRate();
    if (!accept("to")) {
      throw bad("\"to\" and a rate");
    }
    Rate to = rampRate();
    if (from.count() + to.count() == 0) {
      throw bad("ramp", "0/s to 0/s", "one rate above 0; idle for none");
    }
    return new Shape.Ramp(from, to);
  }

  private Segment burst() {
    long count = whole();
    Options options = options(Set.of("for", "cost", "at", "every"));
    return options.segment(new Shape.Burst(count, options.atNanos, options.everyNanos));
  }

  /** What may follow a shape, in any order, each at most once. */
  private static final class Options {
    final Set<String> given = new HashSet<>();
    long lengthNanos;
    long cost = 1;
    long atNanos;
    long everyNanos = Shape.Burst.ONCE;

    Segment segment(Shape shape) {
      return new Segment(shape, lengthNanos, cost);
    }
  }

  private Options options(Set<String> allowed) {
    Options options = new Options();
    while (next < words.length && !words[next].equals("then") && !words[next].equals("and")) {
      String word = words[next];
      if (!allowed.contains(word) || !options.given.add(word)) {
        throw bad(choices(allowed, options.given));
      }
      next++;
      switch (word) {
        case "for" -> options.lengthNanos = time();
        case "cost" -> options.cost = whole();
        case "at" -> options.atNanos = timeOrZero();
        default -> options.everyNanos = time();
      }
    }
    checkLength(options, allowed.contains("at"));
    return options;
  }

  /** A burst that is not repeated ends by itself; all else needs to be told when. */
  private void checkLength(Options options, boolean burst) {
    if (!options.given.contains("for")) {
      if (!burst || options.given.contains("every")) {
        throw bad("\"for\" and a time");
      }
      options.lengthNanos = options.atNanos;
    } else if (options.atNanos >= options.lengthNanos) {
      throw bad(
          "at", TimeText.length(options.atNanos), "< for: " + TimeText.length(options.lengthNanos));
    }
  }

  private static String choices(Set<String> allowed, Set<String> given) {
    List<String> choices = new ArrayList<>();
    for (String option : List.of("for", "at", "every", "cost")) {
      if (allowed.contains(option) && !given.contains(option)) {
        choices.add(option);
      }
    }
    return String.join(", ", choices) + (choices.isEmpty() ? "" : ", ") + "then, and, or the end";
  }

  private Rate rate() {
    Rate rate = rampRate();
    if (rate.count() == 0) {
      next--;
      throw bad("a rate above 0");
    }
    return rate;
  }

  /** A rate that may be 0: a ramp may start or end there. */
  private Rate rampRate() {
    Matcher matcher = match(RATE, RATE_FORM);
    String amount = matcher.group(2);
    double periods = amount.isEmpty() ? 1 : number(amount, RATE_FORM);
    long period = (long) (periods * unit(matcher.group(3), RATE_FORM));
    if (period < 1 || period > Traffic.LENGTH_NANOS_MAX) {
      next--;
      throw bad(RATE_FORM);
    }
    return new Rate(number(matcher.group(1), RATE_FORM), period);
  }

  private long time() {
    long nanos = timeOrZero();
    if (nanos == 0) {
      next--;
      throw bad("a time above 0");
    }
    return nanos;
  }

  private long timeOrZero() {
    Matcher matcher = match(TIME, TIME_FORM);
    double nanos = number(matcher.group(1), TIME_FORM) * unit(matcher.group(2), TIME_FORM);
    if (nanos > Traffic.LENGTH_NANOS_MAX) {
      next--;
      throw bad("at most " + TimeText.length(Traffic.LENGTH_NANOS_MAX));
    }
    return Math.round(nanos);
  }

  private long whole() {
    return Long.parseLong(match(WHOLE, WHOLE_FORM).group());
  }

  private double number(String digits, String form) {
    double number = Double.parseDouble(digits);
    if (Double.isInfinite(number)) {
      next--;
      throw bad(form);
    }
    return number;
  }

  private long unit(String name, String form) {
    return switch (name) {
      case "ms" -> SECOND / 1000;
      case "s" -> SECOND;
      case "min" -> 60 * SECOND;
      case "hour" -> 3600 * SECOND;
      case "day" -> DAY;
      case "week" -> 7 * DAY;
      default -> {
        next--;
        throw bad(form);
      }
    };
  }

  private Matcher match(Pattern pattern, String form) {
    Matcher matcher = pattern.matcher(take(form));
    if (!matcher.matches()) {
      next--;
      throw bad(form);
    }
    return matcher;
  }

  private String take(String form) {
    if (next == words.length) {
      throw bad(form);
    }
    return words[next++];
  }

  private boolean accept(String word) {
    boolean found = next < words.length && words[next].equals(word);
    next += found ? 1 : 0;
    return found;
  }

  /** Complains about the next word, and says where it is. */
  private IllegalArgumentException bad(String expected) {
    String word = next < words.length ? '"' + words[next] + '"' : "the end";
    String where = next > 0 ? " after \"" + words[next - 1] + '"' : "";
    return bad("traffic", word + where, expected);
  }

  private static IllegalArgumentException bad(String name, String value, String expected) {
    return new IllegalArgumentException(
        String.format(Locale.ROOT, "%s: %s (expected: %s)", name, value, expected));
  }
}

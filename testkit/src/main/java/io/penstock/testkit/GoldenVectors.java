package io.penstock.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What every backend must answer, decision by decision, read from {@code vectors.txt}; its head
 * says how a line is read. Immutable.
 */
public final class GoldenVectors {
  /** The file, beside this class. */
  public static final String FILE = "vectors.txt";

  /** The wait of what never fits, as it stands in the file. */
  public static final long NEVER = -1;

  /** What a line tells to do. */
  public enum Verb {
    /** Start a key that has used nothing, under an algorithm and limit. */
    KEY,
    /** Take the cost if it fits. */
    TAKE,
    /** Give back the cost. */
    REFUND,
    /** Go on under an algorithm and limit. */
    CHANGE
  }

  /**
   * One line. Times are whole microseconds.
   *
   * @param micros when, since the Unix epoch; 0 for {@link Verb#KEY}
   * @param cost of a take or a refund, else 0
   * @param algorithm of a key or a change, else empty
   * @param limit of a key or a change, else empty
   * @param answer of a take or a refund, as it stands in the file, else empty
   */
  public record Line(
      Verb verb, long micros, long cost, String algorithm, String limit, String answer) {
    public Line {
      Checks.given("verb", verb, "a verb");
      Checks.atLeastZero("micros", micros);
      Checks.atLeastZero("cost", cost);
      Checks.given("algorithm", algorithm, "a name, or an empty text");
      Checks.given("limit", limit, "a limit, or an empty text");
      Checks.given("answer", answer, "an answer, or an empty text");
    }
  }

  private GoldenVectors() {}

  /** All lines in order; a {@link Verb#KEY} is first. */
  public static List<Line> lines() {
    InputStream file = Objects.requireNonNull(GoldenVectors.class.getResourceAsStream(FILE), FILE);
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
      List<Line> lines = new ArrayList<>();
      for (String text = reader.readLine(); text != null; text = reader.readLine()) {
        if (!text.isBlank() && !text.startsWith("#")) {
          lines.add(parse(text));
        }
      }
      return List.copyOf(lines);
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + FILE, e);
    }
  }

  private static Line parse(String text) {
    String[] words = text.split(" ", 3);
    return switch (words[0]) {
      case "key" -> new Line(Verb.KEY, 0, 0, words[1], words[2], "");
      case "take" -> asked(Verb.TAKE, words);
      case "refund" -> asked(Verb.REFUND, words);
      case "change" -> changed(words);
      default ->
          throw new IllegalArgumentException(
              "line: \"" + text + "\" (expected: key, take, refund or change)");
    };
  }

  private static Line changed(String[] words) {
    String[] to = words[2].split(" ", 2);
    return new Line(Verb.CHANGE, Long.parseLong(words[1]), 0, to[0], to[1], "");
  }

  private static Line asked(Verb verb, String[] words) {
    String[] rest = words[2].split(" ", 2);
    return new Line(verb, Long.parseLong(words[1]), Long.parseLong(rest[0]), "", "", rest[1]);
  }

  /** An answer as it stands in the file: times in nanoseconds become microseconds, rounded up. */
  public static String answer(boolean allowed, long remaining, long... nanos) {
    StringBuilder text = new StringBuilder(allowed ? "allowed " : "denied ").append(remaining);
    for (long each : nanos) {
      text.append(' ').append(each == Long.MAX_VALUE ? NEVER : -Math.floorDiv(-each, 1_000L));
    }
    return text.toString();
  }
}

package io.penstock.server.policy;

import io.penstock.core.Algorithm;
import io.penstock.core.FailMode;
import io.penstock.core.Limit;
import io.penstock.core.Policy;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Asks the core what is wrong with limits, one by one, so that every problem is told. */
public final class LimitChecks {
  /** No state may be larger, because one log entry must hold it (R6). */
  static final long STATE_BYTES_MAX = 64 << 10;

  private static final int BYTES_PER_ENTRY = 16;
  private static final Set<Algorithm> WITH_ENTRIES =
      Set.of(Algorithm.SLIDING_WINDOW_LOG, Algorithm.CONCURRENCY);

  private LimitChecks() {}

  /** Reads a limit; null, and a problem, if it is none. */
  static @Nullable Limit parse(Tree.Scalar text, List<Problem> problems) {
    try {
      return Limit.parse(text.text());
    } catch (IllegalArgumentException e) {
      problems.add(text.problem(CoreErrors.expected(e, "limit")));
      return null;
    }
  }

  /**
   * Reads limits that belong together and are counted by GCRA, and adds what is wrong with them.
   *
   * @param texts by where they were read
   */
  public static List<Limit> read(Map<String, String> texts, List<Problem> problems) {
    List<PlacedLimit> limits = new ArrayList<>();
    texts.forEach(
        (where, text) -> {
          Limit limit = parse(new Tree.Scalar(where, Tree.Type.TEXT, text), problems);
          if (limit != null) {
            limits.add(new PlacedLimit(where, limit));
          }
        });
    check(limits, Algorithm.GCRA, problems);
    return limits.stream().map(PlacedLimit::limit).toList();
  }

  /**
   * What is counted of limits that are in force already: of several concurrent ones, which earlier
   * versions accepted and which all would read one counter, the first.
   *
   * @param limit what each of them says
   */
  public static <T> List<T> countable(List<T> stored, Function<T, Limit> limit) {
    List<T> countable = new ArrayList<>();
    boolean held = false;
    for (T each : stored) {
      boolean concurrent = limit.apply(each).isConcurrent();
      if (!concurrent || !held) {
        countable.add(each);
      }
      held |= concurrent;
    }
    return countable;
  }

  /** Limits counted by an algorithm, or by GCRA if that one cannot count them. */
  public static Policy counted(List<Limit> limits, Algorithm algorithm) {
    boolean can = limits.stream().allMatch(limit -> expectedAlone(limit, algorithm) == null);
    return new Policy(limits, can ? algorithm : Algorithm.GCRA, FailMode.OPEN);
  }

  /** Adds what is wrong with limits that are counted by an algorithm; null if nobody knows it. */
  static void check(
      List<PlacedLimit> limits, @Nullable Algorithm algorithm, List<Problem> problems) {
    for (int i = 0; i < limits.size(); i++) {
      PlacedLimit each = limits.get(i);
      String alone = algorithm == null ? null : expectedAlone(each.limit(), algorithm);
      /* What no bucket could count is not asked about beside others: they are asked as buckets. */
      boolean isAsked =
          (algorithm != null && alone == null)
              || expectedAlone(each.limit(), Algorithm.GCRA) == null;
      String beside = isAsked ? expectedBeside(limits.subList(0, i), each.limit()) : null;
      for (String expected : Arrays.asList(alone, beside)) {
        if (expected != null) {
          problems.add(new Problem(each.where(), each.limit().toString(), expected));
        }
      }
    }
  }

  private static @Nullable String expectedBeside(List<PlacedLimit> others, Limit limit) {
    String expected = null;
    for (int i = 0; i < others.size() && expected == null; i++) {
      expected = expectedBeside(others.get(i), limit);
    }
    return expected;
  }

  private static @Nullable String expectedAlone(Limit limit, Algorithm algorithm) {
    try {
      Algorithm counts = new Policy(List.of(limit), algorithm, FailMode.OPEN).algorithmOf(limit);
      BigInteger bytes =
          BigInteger.valueOf(limit.count()).multiply(BigInteger.valueOf(BYTES_PER_ENTRY));
      boolean tooLarge = bytes.compareTo(BigInteger.valueOf(STATE_BYTES_MAX)) > 0;
      return tooLarge && WITH_ENTRIES.contains(counts)
          ? "at most "
              + STATE_BYTES_MAX
              + " bytes of state per key with "
              + counts.name()
              + ", this needs "
              + bytes
          : null;
    } catch (IllegalArgumentException e) {
      return CoreErrors.expected(e, "limits[0]");
    }
  }

  private static @Nullable String expectedBeside(PlacedLimit other, Limit limit) {
    try {
      new Policy(List.of(other.limit(), limit), Algorithm.GCRA, FailMode.OPEN);
      return null;
    } catch (IllegalArgumentException e) {
      /* A problem of the other one alone is told with that one. */
      boolean ofBoth = String.valueOf(e.getMessage()).startsWith("limits[1]");
      return ofBoth
          ? CoreErrors.expected(e, "limits[1]").replace("limits[0]", other.where())
          : null;
    }
  }
}

package io.penstock.testkit;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.oracle.Oracle;
import io.penstock.core.oracle.Ratio;
import java.math.BigInteger;
import java.util.List;
import java.util.SplittableRandom;

/** Writes the golden vectors anew, from the oracle. Not thread-safe. */
final class VectorWriter {
  private static final long SEED = 20_260_101;
  private static final int KEYS_PER_ALGORITHM = 12;
  private static final int STEPS_PER_KEY = 64;
  private static final long START_MICROS = 1_767_225_600_000_000L;
  private static final BigInteger NANOS_PER_MICRO = BigInteger.valueOf(1_000);
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private static final List<String> WINDOWS =
      List.of("5/s", "10/s", "100/min", "20/10s", "7/250ms", "50/hour", "1000/day", "30/month");
  private static final List<String> BUCKETS =
      List.of(
          "5/s", "10/s burst 20", "100/s burst 50", "60/min", "20/10s burst 5", "1000/s", "10/day");
  private static final List<String> ZONED =
      List.of("100/day Europe/Paris", "10/hour Asia/Kolkata", "40/week America/New_York");
  private static final List<String> HELD =
      List.of("3 concurrent lease 10s", "50 concurrent lease 30s", "7 concurrent lease 250ms");

  private static final String HEAD =
      """
      # The golden vectors of Penstock: what every backend answers, one decision per line.
      # Written by -Dpenstock.vectors=write from the naive oracles; never by hand.
      #
      # Words are separated by one space. Times are whole microseconds, rounded up; instants
      # count from the Unix epoch. A line is one of
      #
      #   key ALGORITHM LIMIT
      #   take MICROS COST allowed|denied REMAINING RETRY RESET WAIT
      #   refund MICROS COST allowed REMAINING RETRY RESET WAIT
      #   change MICROS ALGORITHM LIMIT
      #
      # `key` starts a key that has used nothing; what follows happens to it until the next `key`.
      # LIMIT is a limit's text and goes to the end of the line. COST 0 only looks. RETRY is 0 if
      # allowed and -1 for never. `change` replaces the policy; what was used stays used.
      """;

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final StringBuilder text = new StringBuilder(HEAD);
  private Algorithm algorithm = Algorithm.GCRA;
  private Limit limit = Limit.parse("1/s");
  private Oracle oracle = Oracle.of("gcra", limit);
  private long micros;
  private long retryMicros;
  private long remaining;

  static String write() {
    VectorWriter writer = new VectorWriter();
    for (Algorithm each : Algorithm.all()) {
      for (int key = 0; key < KEYS_PER_ALGORITHM; key++) {
        writer.start(each, key);
        for (int step = 0; step < STEPS_PER_KEY; step++) {
          writer.step();
        }
      }
    }
    return writer.text.toString();
  }

  private void start(Algorithm each, int key) {
    List<String> limits = limits(each);
    algorithm = each;
    limit = Limit.parse(limits.get(key % limits.size()));
    oracle = Oracle.of(algorithm.name(), limit);
    micros = START_MICROS + random.nextLong(1_000_000) * 1_000;
    remaining = limit.capacity();
    retryMicros = 0;
    text.append('\n').append("key ").append(algorithm.name()).append(' ').append(limit);
    text.append('\n');
  }

  private static List<String> limits(Algorithm algorithm) {
    if (algorithm == Algorithm.CONCURRENCY) {
      return HELD;
    }
    boolean bucket =
        algorithm.name().endsWith("bucket")
            || algorithm == Algorithm.GCRA
            || algorithm == Algorithm.LEAKY_QUEUE;
    return bucket ? BUCKETS : WINDOWS;
  }

  private void step() {
    micros += gap();
    switch (random.nextInt(16)) {
      case 0 -> refund(1 + random.nextLong(limit.capacity()));
      case 1 -> change();
      default -> {}
    }
    take(cost());
  }

  private long gap() {
    long interval = Math.max(1, limit.periodNanos() / limit.count() / 1_000);
    return switch (random.nextInt(10)) {
      case 0 -> interval;
      case 1 -> retryMicros;
      case 2 -> Math.max(0, retryMicros - 1);
      case 3 -> random.nextLong(1 + limit.periodNanos() / 1_000_000) * 1_000;
      case 4 -> interval * random.nextInt(5);
      case 5 -> random.nextInt(4) == 0 ? 2 * limit.periodNanos() / 1_000 : 0;
      default -> 0;
    };
  }

  private long cost() {
    return switch (random.nextInt(9)) {
      case 0 -> 0;
      case 1 -> remaining;
      case 2 -> remaining + 1;
      case 3 -> random.nextLong(limit.capacity() + 3);
      case 4 -> Math.max(1, remaining / 2);
      default -> 1;
    };
  }

  private void take(long cost) {
    append("take", cost, oracle.take(now(), cost));
  }

  private void refund(long cost) {
    oracle.refund(now(), cost);
    append("refund", cost, oracle.take(now(), 0));
  }

  private void append(String verb, long cost, Oracle.Answer answer) {
    text.append(verb).append(' ').append(micros).append(' ').append(cost).append(' ');
    text.append(
        GoldenVectors.answer(
            answer.allowed(),
            answer.remaining(),
            answer.retryAfterNanos(),
            answer.resetAfterNanos(),
            answer.waitNanos()));
    text.append('\n');
    remaining = answer.remaining();
    boolean later = !answer.allowed() && answer.retryAfterNanos() != Oracle.NEVER;
    boolean soon = answer.retryAfterNanos() < 3_600 * NANOS_PER_SECOND;
    retryMicros = later && soon ? -Math.floorDiv(-answer.retryAfterNanos(), 1_000L) : 0;
  }

  /** Only where a bucket's debt stays whole microseconds, so that coarser clocks can follow. */
  private void change() {
    Algorithm to = random.nextInt(3) == 0 ? any(Algorithm.all()) : algorithm;
    List<String> limits =
        to == Algorithm.FIXED_WINDOW && random.nextInt(3) == 0 ? ZONED : limits(to);
    Limit next = Limit.parse(any(limits));
    Ratio used = oracle.used(now());
    BigInteger nanos = used.over().multiply(BigInteger.valueOf(next.unitNumerator()));
    BigInteger micro = used.under().multiply(NANOS_PER_MICRO);
    if (nanos.mod(micro).signum() != 0 || isLong(nanos.divide(used.under()))) {
      return;
    }
    if (to == algorithm) {
      oracle.change(now(), next);
    } else {
      oracle = Oracle.of(to.name(), next);
      oracle.carry(now(), used);
    }
    algorithm = to;
    limit = next;
    text.append("change ").append(micros).append(' ').append(to.name()).append(' ');
    text.append(next).append('\n');
  }

  private static boolean isLong(BigInteger debtNanos) {
    return debtNanos.compareTo(BigInteger.valueOf(1_000_000 * NANOS_PER_SECOND)) > 0;
  }

  private <T> T any(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  private long now() {
    return micros * 1_000;
  }
}

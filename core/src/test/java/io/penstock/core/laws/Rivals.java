package io.penstock.core.laws;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.Step;
import io.penstock.core.algorithm.Gcra;
import io.penstock.core.oracle.Oracle;
import io.penstock.core.oracle.Ratio;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/** An algorithm and its oracle, to whom the same things happen. Not thread-safe. */
final class Rivals {
  private static final int REMEMBERED = 40;
  private static final long CHARGE_MAX = 1L << 40;

  private record Ticket(long cost, long pure, long oracle) {}

  private final SplittableRandom random;
  private final Course course;
  private final PureKey key;
  private Oracle oracle;
  private final List<Ticket> tickets = new ArrayList<>();
  private final Deque<String> history = new ArrayDeque<>();
  private String answer = "";
  private String expected = "";
  private long remaining;

  Rivals(String algorithm, long seed) {
    random = new SplittableRandom(seed);
    course = new Course(random);
    Limit limit = Shapes.any(random, Algorithm.named(algorithm));
    key = new PureKey(Algorithm.named(algorithm), limit);
    oracle = Oracle.of(algorithm, limit);
    remember("start %s with %s".formatted(limit, algorithm));
  }

  String answer() {
    return answer;
  }

  String expected() {
    return expected;
  }

  String history() {
    return String.join("\n", history) + "\nstate: " + key.state() + "\n";
  }

  /** One more thing happens, and a check is answered by both. */
  void playOn() {
    long now = course.next(key.limit());
    switch (random.nextInt(30)) {
      case 0 -> change(now, key.algorithm());
      case 1 -> change(now, random.nextInt(4) == 0 ? anyAlgorithm() : key.algorithm());
      case 2 -> refund(now);
      case 3, 4 -> cancel(now);
      case 5 -> charge(now);
      default -> {}
    }
    take(now, course.cost(key.limit(), remaining));
  }

  private Algorithm anyAlgorithm() {
    return Shapes.pick(random, Algorithm.all());
  }

  private void take(long now, long cost) {
    Step step = key.take(now, cost);
    Oracle.Answer right = oracle.take(now, cost);
    long retry = step.never() ? Oracle.NEVER : step.retryAfterNanos();
    answer =
        text(step.allowed(), step.remaining(), retry, step.resetAfterNanos(), step.waitNanos());
    expected =
        text(
            right.allowed(),
            right.remaining(),
            right.retryAfterNanos(),
            right.resetAfterNanos(),
            right.waitNanos());
    remaining = right.remaining();
    remember("at %d take %d: %s".formatted(now, cost, expected));
    if (!right.allowed() && retry != Oracle.NEVER) {
      course.denied(retry);
    }
    /* No ticket is 0, so what a bucket took at the epoch seems to be a nanosecond younger. */
    boolean tooYoung = now == 0 && key.algorithm() instanceof Gcra;
    if (right.allowed() && cost > 0 && step.ticket() != 0 && !tooYoung) {
      tickets.add(new Ticket(cost, step.ticket(), right.ticket()));
    }
  }

  private static String text(
      boolean allowed, long remaining, long retryAfter, long resetAfter, long wait) {
    return (allowed ? "allowed" : "denied")
        + " remaining "
        + remaining
        + (retryAfter == Oracle.NEVER ? " never" : " retry " + retryAfter)
        + " reset "
        + resetAfter
        + " wait "
        + wait;
  }

  private void charge(long now) {
    long cost = Shapes.upTo(random, Math.min(CHARGE_MAX, 2 * key.limit().capacity()));
    remember("at %d charge %d".formatted(now, cost));
    key.charge(now, cost);
    oracle.charge(now, cost);
  }

  /** In a queue this frees the last places, whoever has them: their tickets are void. */
  private void refund(long now) {
    long cost = Shapes.upTo(random, random.nextInt(9) == 0 ? Long.MAX_VALUE : 9);
    remember("at %d refund %d".formatted(now, cost));
    key.giveBack(now, cost, 0);
    oracle.refund(now, cost);
    if (key.algorithm() == Algorithm.LEAKY_QUEUE) {
      tickets.clear();
    }
  }

  private void cancel(long now) {
    if (tickets.isEmpty() || key.limit().unitDenominator() != 1) {
      return;
    }
    Ticket ticket = tickets.remove(random.nextInt(tickets.size()));
    remember("at %d cancel %s".formatted(now, ticket));
    key.giveBack(now, ticket.cost, ticket.pure);
    oracle.cancel(now, ticket.cost, ticket.oracle);
  }

  /** Tickets of before a change are void: what they took may be counted elsewhere by now. */
  private void change(long now, Algorithm algorithm) {
    Limit to = Shapes.any(random, algorithm);
    remember("at %d change to %s with %s".formatted(now, to, algorithm.name()));
    tickets.clear();
    if (algorithm == key.algorithm()) {
      oracle.change(now, to);
    } else {
      Ratio used = oracle.used(now);
      oracle = Oracle.of(algorithm.name(), to);
      oracle.carry(now, used);
    }
    key.change(now, algorithm, to);
  }

  private void remember(String event) {
    if (history.size() == REMEMBERED) {
      history.removeFirst();
    }
    history.addLast(event);
  }
}

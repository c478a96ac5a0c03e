package io.penstock.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Clock;
import io.penstock.core.Decision;
import io.penstock.core.Limit;
import io.penstock.core.Limiter;
import io.penstock.core.Policy;
import io.penstock.core.Reason;
import io.penstock.core.Reservation;
import io.penstock.testkit.LimiterContract;
import io.penstock.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three real nodes, asked in turn, are a limiter like every other (L8).
 *
 * <p>What is not so on the wire stands below, each with its reason, and in {@code
 * docs/guarantees.md}.
 */
@Tag("long")
@Timeout(300)
class ContractIT extends LimiterContract {
  private static final int RESETS_AT_ONCE = 32;

  @TempDir static Path folder;
  private static Nodes nodes;
  private static Wire wire;
  private static ShiftedTime time;
  private static int limiters;
  private static ShiftedTime.@Nullable Shift shift;

  @BeforeAll
  static void start() throws Exception {
    long start = new ManualClock().nanos();
    SteppedTime stepped = new SteppedTime(folder.resolve("clock"), start);
    time = new ShiftedTime(stepped, start);
    nodes = new Nodes(folder);
    stepped.rule(nodes, Nodes.COUNT);
    nodes.startAll();
    wire = new Wire(nodes);
  }

  @AfterAll
  static void end() {
    nodes.close();
  }

  @Override
  protected Limiter limiter(Policy policy, Clock clock) {
    if (shift == null || !shift.isOf(clock)) {
      boolean hasZones = policy.limits().stream().anyMatch(limit -> limit.zone() != null);
      shift = time.shift((ManualClock) clock, hasZones);
    }
    return new RemoteLimiter(wire, shift, "k" + limiters++, policy);
  }

  @Override
  public int checksPerThread() {
    return 200;
  }

  /** {@link VectorsIT} plays them, in the order of time: these servers cannot go back. */
  @Override
  public void decide_goldenVectors_answersAsTheyDo() {}

  /** The wire tells milliseconds, rounded up; so does the test below. */
  @Override
  public void tryAcquire_denied_fitsAtRetryAfterAndNotOneNanosecondEarlier() {}

  @Test
  void tryAcquire_denied_fitsAtRetryAfterAndNotOneMillisecondEarlier() {
    for (Algorithm algorithm : Algorithm.all()) {
      boolean held = algorithm == Algorithm.CONCURRENCY;
      for (long cost : List.of(1L, 4L, 10L)) {
        ManualClock clock = new ManualClock();
        clock.advanceNanos(1_234_567_891);
        Policy policy = Policy.parse(held ? "10 concurrent lease 10s" : "10/10s");
        Limiter limiter = limiter(policy.withAlgorithm(algorithm), clock);
        limiter.tryAcquire("a", 10);
        limiter.tryAcquire("a", 1);
        Decision denied = limiter.tryAcquire("a", cost);
        assertThat(denied.reason()).as(algorithm.name()).isEqualTo(Reason.LIMITED);
        clock.advance(denied.retryAfter().minusMillis(1));
        assertThat(limiter.tryAcquire("a", cost).allowed()).as(algorithm.name()).isFalse();
        clock.advance(Duration.ofMillis(1));
        assertThat(limiter.tryAcquire("a", cost).allowed()).as(algorithm.name()).isTrue();
      }
    }
  }

  /** The wire has one cost for all keys of a check; so has the test below. */
  @Override
  public void tryAcquireAll_oneKeyDenies_takesFromNone() {}

  @Test
  void tryAcquireAll_oneKeyDeniesTheSameCost_takesFromNone() {
    ManualClock clock = new ManualClock();
    Limiter users = newLimiter("5/s", clock);
    Limiter routes = newLimiter("8/min", clock);
    assertThat(Limiter.tryAcquireAll(users.check("u", 5), routes.check("r", 5)).allowed()).isTrue();
    Decision denied = Limiter.tryAcquireAll(routes.check("r", 1), users.check("u", 1));
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.limit()).isEqualTo(Limit.parse("5/s"));
    assertThat(denied.parts()).hasSize(2);
    assertThat(routes.peek("r").remaining()).isEqualTo(3);
    clock.advance(denied.retryAfter());
    assertThat(Limiter.tryAcquireAll(routes.check("r", 1), users.check("u", 1)).allowed()).isTrue();
  }

  /** The wire tells the version of the policy, and an override is none. */
  @Override
  public void override_thenUpdate_keepsTheVersionItWasMadeUnder() {}

  /** A server refuses a log of 8,000 units for one key; a tenth of that it takes. */
  @Override
  @Test
  public void commit_lessAfterAChange_givesBackTheDifference() {
    for (Algorithm algorithm : Algorithm.all()) {
      boolean held = algorithm == Algorithm.CONCURRENCY;
      String rest = held ? " concurrent lease day" : "/day";
      Limiter limiter = newLimiter("400" + rest, algorithm, new ManualClock());
      Reservation reservation = limiter.reserve("a", 400);
      limiter.update(Policy.parse("800" + rest).withAlgorithm(algorithm));
      reservation.commit(10);
      long running = algorithm == Algorithm.LEAKY_QUEUE ? 1 : 0;
      long stays = held ? 0 : 10 - running;
      assertThat(limiter.peek("a").remaining()).as(algorithm.name()).isEqualTo(800 - stays);
    }
  }

  /** One by one, each kept by most nodes, they would take minutes: the wire takes many at once. */
  @Override
  @Test
  public void cancel_afterResetsOfManyOtherKeys_givesBackWhatItTook() {
    RemoteLimiter limiter = (RemoteLimiter) newLimiter("10/day", new ManualClock());
    Reservation reservation = limiter.reserve("a", 5);
    for (int i = 0; i < 5_000; i += RESETS_AT_ONCE) {
      limiter.resetAll(
          IntStream.range(i, i + RESETS_AT_ONCE).mapToObj(each -> "other" + each).toList());
    }
    reservation.cancel();
    assertThat(limiter.peek("a").remaining()).isEqualTo(10);
  }
}

package io.penstock.shard;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.Step;
import io.penstock.core.state.Rule;
import io.penstock.core.state.Rules;
import io.penstock.core.state.Turn;
import io.penstock.core.state.Turn.Ask;
import io.penstock.testkit.ManualClock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** R23: keys leave the log of one group and go on in that of another, whatever time it is there. */
class FreightTest {
  private static final Instant TIME = Instant.parse("2026-11-15T12:00:10Z");
  private static final Freight.Choice HERE =
      new Freight.Choice(hash -> hash >>> 56 == 1, check -> check != 9);

  /** A group: its log, its owner, and its own time. */
  private static final class Side {
    private final ManualClock clock;
    private final Replica replica;
    private final Rules rules = new Rules();
    private long term;
    private Shard shard;
    private ReplicatedLog log;

    Side(Instant time) {
      clock = new ManualClock(time);
      ShardOptions options = ShardOptions.of(/* folder= */ null, clock, 4 << 20);
      replica = new Replica(options.small(/* stripeCount= */ 16, 64 << 20));
      own();
    }

    /** Another owner follows, who knows what the log says. */
    private void own() {
      term++;
      Replica.Owned owned =
          replica.begin(
              term,
              rules,
              clock.nanos(),
              entry -> CompletableFuture.completedFuture(replica.apply(term, entry)),
              () -> {});
      shard = owned.shard();
      log = owned.log();
    }

    private void ship() {
      try {
        log.step();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    private Step play(long hash, Algorithm algorithm, Ask ask, long cost) {
      Rule rule = rules.shared(limit(algorithm), algorithm);
      Turn turn = new Turn().of(hash, rule, shard.clock().nanos()).asks(ask, cost, /* ticket= */ 0);
      shard.table().play(turn);
      return turn.step();
    }
  }

  private static Limit limit(Algorithm algorithm) {
    return Limit.parse(algorithm == Algorithm.CONCURRENCY ? "10 concurrent lease 60s" : "10/60s");
  }

  private static long key(Algorithm algorithm) {
    return (1L << 56) | ((Algorithm.all().indexOf(algorithm) + 1L) << 40) | 5;
  }

  private static void move(Side from, Side to) {
    long more = to.clock.nanos() - from.clock.nanos();
    for (byte[] piece : from.shard.freight().pack(HERE)) {
      to.shard.freight().unpack(piece, new Freight.Shift(more, (check, text) -> text));
    }
    to.ship();
    to.own();
  }

  private static String told(Step step) {
    return step.allowed() + " " + step.remaining() + " " + step.resetAfterNanos();
  }

  /** What would have been answered here is answered there, at once and later. */
  @ParameterizedTest
  @ValueSource(longs = {0, 3_600_000, -3_600_000, 120_000})
  void r23_everyAlgorithm_toWhereTimeIsAnother_goesOnAsItWould(long aheadMillis) {
    Side from = new Side(TIME);
    Side to = new Side(TIME.plusMillis(aheadMillis));
    for (Algorithm algorithm : Algorithm.all()) {
      from.play(key(algorithm), algorithm, Ask.TAKE, 4);
    }
    from.clock.advance(Duration.ofSeconds(3));
    to.clock.advance(Duration.ofSeconds(3));
    for (Algorithm algorithm : Algorithm.all()) {
      from.play(key(algorithm), algorithm, Ask.TAKE, 3);
    }
    move(from, to);
    for (int second = 0; second < 3; second++) {
      for (Algorithm algorithm : Algorithm.all()) {
        boolean isWindow = algorithm.name().contains("window") && !algorithm.name().endsWith("log");
        if (!isWindow || aheadMillis == 0) {
          assertThat(told(to.play(key(algorithm), algorithm, Ask.TAKE, 0)))
              .as(algorithm.name())
              .isEqualTo(told(from.play(key(algorithm), algorithm, Ask.TAKE, 0)));
        }
      }
      from.clock.advance(Duration.ofSeconds(1));
      to.clock.advance(Duration.ofSeconds(1));
    }
  }

  /** Windows are the same everywhere: one that lies ahead is the current one until it is over. */
  @Test
  void r23_windowThatLiesAhead_countsAsCurrentUntilItIsOver() {
    for (Algorithm algorithm : List.of(Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW_COUNTER)) {
      Side from = new Side(TIME.plusSeconds(60));
      Side to = new Side(TIME.plusSeconds(40));
      from.play(key(algorithm), algorithm, Ask.TAKE, 7);
      move(from, to);
      assertThat(to.play(key(algorithm), algorithm, Ask.TAKE, 3).allowed()).isTrue();
      assertThat(to.play(key(algorithm), algorithm, Ask.TAKE, 1).allowed()).isFalse();
      to.clock.advance(Duration.ofSeconds(30));
      assertThat(to.play(key(algorithm), algorithm, Ask.TAKE, 1).allowed())
          .as("it has begun here too, and what was taken in it counts")
          .isFalse();
    }
  }

  @Test
  void r23_idsAndNotes_moveWithTheirKeysAndNoOthers() {
    Side from = new Side(TIME);
    Side to = new Side(TIME.plusSeconds(100));
    long now = from.clock.nanos();
    from.shard.ids().put(1L << 56 | 7, 8, text("first"), now);
    from.shard.ids().put(2L << 56 | 7, 8, text("another's"), now);
    from.shard.marks().put(1L << 56 | 7, 8, 3, now);
    from.shard.marks().put(2L << 56 | 7, 8, 3, now);
    from.shard.notes().put(1L << 56 | 3, 4, text("kept"), now + 1_000);
    from.shard.notes().put(1L << 56 | 3, 9, text("excepted"), now + 1_000);
    from.shard.notes().put(2L << 56 | 3, 4, text("another's"), now + 1_000);
    from.play(2L << 56 | 5, Algorithm.GCRA, Ask.TAKE, 4);
    move(from, to);
    assertThat(string(to.shard.ids().get(1L << 56 | 7, 8))).isEqualTo("first");
    assertThat(to.shard.ids().get(2L << 56 | 7, 8)).isNull();
    assertThat(to.shard.marks().get(1L << 56 | 7, 8)).isEqualTo(3);
    assertThat(to.shard.marks().get(2L << 56 | 7, 8)).isEqualTo(-1);
    assertThat(string(to.shard.notes().get(1L << 56 | 3, 4))).isEqualTo("kept");
    assertThat(to.shard.notes().get(1L << 56 | 3, 9)).isNull();
    assertThat(to.shard.notes().size()).isEqualTo(1);
    assertThat(to.play(2L << 56 | 5, Algorithm.GCRA, Ask.TAKE, 0).remaining()).isEqualTo(10);
    to.clock.advanceNanos(1_000);
    assertThat(to.shard.notes().get(1L << 56 | 3, 4)).as("it ends when it would").isNull();
  }

  @Test
  void r23_whatIsDiscarded_isGoneFromTheLogToo() {
    Side side = new Side(TIME);
    for (Algorithm algorithm : Algorithm.all()) {
      side.play(key(algorithm), algorithm, Ask.TAKE, 7);
    }
    side.play(2L << 56 | 5, Algorithm.GCRA, Ask.TAKE, 4);
    side.shard.notes().put(1L << 56 | 3, 4, text("left"), side.clock.nanos() + 1_000);
    side.ship();
    side.own();
    side.shard.freight().discard(HERE);
    side.ship();
    side.own();
    for (Algorithm algorithm : Algorithm.all()) {
      Step step = side.play(key(algorithm), algorithm, Ask.TAKE, 0);
      assertThat(step.resetAfterNanos()).as(algorithm.name()).isZero();
    }
    assertThat(side.play(2L << 56 | 5, Algorithm.GCRA, Ask.TAKE, 0).remaining()).isEqualTo(6);
    assertThat(side.shard.notes().size()).isZero();
  }

  private static byte[] text(String text) {
    return text.getBytes(US_ASCII);
  }

  private static @Nullable String string(byte @Nullable [] bytes) {
    return bytes == null ? null : new String(bytes, US_ASCII);
  }
}

package io.penstock.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.state.Rule;
import io.penstock.core.state.Rules;
import io.penstock.core.state.Turn;
import io.penstock.testkit.ManualClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** An owner whose time of decisions a test steps: everything but decisions goes by real time. */
class SteppedReplicaTest {
  private static final Instant START = Instant.parse("2026-11-15T12:00:00Z");

  private final ManualClock real = new ManualClock(START);
  private final ManualClock stepped = new ManualClock(START);
  private final List<ByteBuffer> sent = new ArrayList<>();

  @Test
  void r14_timeOfDecisionsIsStepped_answersAtOnceByRealTime() throws IOException {
    ShardOptions options = ShardOptions.of(/* folder= */ null, real, 1 << 24).small(4, 1 << 20);
    Replica replica = new Replica(options.by(stepped));
    Replica.Owned owned =
        replica.begin(
            /* ownedTerm= */ 1,
            new Rules(),
            stepped.nanos(),
            entry -> {
              sent.add(entry);
              return new CompletableFuture<>();
            },
            () -> {});
    stepped.advance(Duration.ofDays(1));
    take(owned.shard());
    owned.log().step();
    assertThat(Replica.stampNanos(sent.get(0).duplicate())).isEqualTo(stepped.nanos());
    replica.apply(1, sent.get(0).duplicate());
    stepped.advance(Duration.ofDays(1));
    real.advance(Duration.ofMillis(59));
    assertThat(owned.shard().keepsUp(stepped.nanos())).isTrue();
    real.advance(Duration.ofMillis(1));
    assertThat(owned.shard().keepsUp(stepped.nanos())).isFalse();
  }

  private static void take(Shard shard) {
    long generation = shard.enter();
    Rule rule = shard.rules().shared(Limit.parse("10/day"), Algorithm.GCRA);
    shard.table().play(new Turn().of(/* hash= */ 7, rule, shard.clock().nanos()).asks(1));
    shard.leave(generation);
  }
}

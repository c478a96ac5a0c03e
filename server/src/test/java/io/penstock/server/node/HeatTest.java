package io.penstock.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.policy.Descriptor;
import io.penstock.server.policy.RecentChecks;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** D7: which shards and keys are hot, and that it is told steadily. */
class HeatTest {
  private static final long SECOND_NANOS = 1_000_000_000;

  private final RecentChecks recent = new RecentChecks(1 << 12);
  private final Heat heat =
      new Heat(recent, (domain, key) -> Integer.parseInt(key.entries().get(0).value()));

  /** As many decisions on a shard as a rate means in the time that is read at once. */
  private void decide(int shard, long count) {
    for (long i = 0; i < count; i++) {
      heat.decided(Signature.withShard(i, shard));
    }
  }

  /** Goes on evenly, for long enough that what was before is forgotten. */
  private void go(long hotPerSecond, long othersPerSecond) {
    for (int second = 0; second < 60; second++) {
      for (int shard = 0; shard < Signature.SHARDS; shard++) {
        decide(shard, shard == 17 ? hotPerSecond : othersPerSecond);
      }
      heat.read(SECOND_NANOS, shard -> true);
    }
  }

  private List<Integer> hot() {
    return heat.shards().stream().filter(ShardRate::hot).map(ShardRate::shard).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "1010,0,true", // far above the others
    "990,0,false", // far above the others, and no load
    "4200,1000,true",
    "3900,1000,false" // much, as everywhere
  })
  void shard_rateAgainstFloorAndMean_isHotAboveBoth(long rate, long others, boolean isHot) {
    go(rate, others);
    assertThat(hot()).isEqualTo(isHot ? List.of(17) : List.of());
    assertThat(heat.shards()).hasSize(Signature.SHARDS);
    assertThat(heat.shards().get(17).perSecond()).isBetween(rate - 1, rate);
    assertThat(heat.shards().get(18).perSecond()).isBetween(Math.max(0, others - 1), others);
  }

  @Test
  void shard_aroundTheEdge_staysWhatItIs() {
    go(900, 0);
    assertThat(hot()).isEmpty();
    go(1_100, 0);
    assertThat(hot()).containsExactly(17);
    go(900, 0);
    assertThat(hot()).as("below what made it hot").containsExactly(17);
    go(700, 0);
    assertThat(hot()).isEmpty();
    go(900, 0);
    assertThat(hot()).isEmpty();
  }

  @Test
  void shard_oneBusySecond_isNotHotYet() {
    decide(17, 4_000);
    heat.read(SECOND_NANOS, shard -> true);
    assertThat(hot()).isEmpty();
    assertThat(heat.shards().get(17).perSecond()).isBetween(700L, 750L);
  }

  @Test
  void shard_ownedByAnother_isNotToldAndBeginsAnew() {
    go(5_000, 0);
    heat.read(SECOND_NANOS, shard -> shard != 17);
    assertThat(heat.shards()).hasSize(255).noneMatch(each -> each.shard() == 17);
    heat.read(SECOND_NANOS, shard -> true);
    assertThat(heat.shards().get(17)).isEqualTo(new ShardRate(17, 0, false));
  }

  @Test
  void decisions_ofManyThreads_areAllCounted() throws Exception {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      threads.add(new Thread(() -> decide(17, 10_000)));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(heat.decisions(17)).isEqualTo(400_000);
    assertThat(heat.decisions(18)).isZero();
  }

  private void check(int shard, int count) {
    Descriptor key = Descriptor.of("shard", "" + shard);
    for (int i = 0; i < count; i++) {
      recent.add(/* timeNanos= */ 0, "api", key, /* cost= */ 1, /* scope= */ null);
      heat.decided(Signature.withShard(i, shard));
    }
  }

  @Test
  void keys_byTheirShareOfTheNewestChecks_areToldWithTheirRate() {
    for (int second = 0; second < 60; second++) {
      for (int i = 0; i < 100; i++) {
        check(17, 15);
        check(18, 4);
        check(19, 1);
      }
      decide(18, 400);
      heat.read(SECOND_NANOS, shard -> true);
    }
    assertThat(heat.keys())
        .containsExactly(
            new KeyRate(17, "api", Descriptor.of("shard", "17"), 1_500, 100),
            new KeyRate(18, "api", Descriptor.of("shard", "18"), 400, 50),
            new KeyRate(19, "api", Descriptor.of("shard", "19"), 100, 100));
    assertThat(heat.keys().stream().map(KeyRate::hot)).containsExactly(true, false, false);
  }

  @Test
  void keys_ofLongAgo_areForgottenThoughNothingElseCame() {
    check(17, 4_000);
    heat.read(SECOND_NANOS, shard -> true);
    assertThat(heat.keys()).hasSize(1);
    IntStream.range(0, 60).forEach(second -> heat.read(SECOND_NANOS, shard -> true));
    assertThat(heat.keys()).isEmpty();
  }

  @Test
  void keys_thatWereHotBefore_giveWayToThoseOfNow() {
    check(17, 3_000);
    heat.read(SECOND_NANOS, shard -> true);
    for (int second = 0; second < 30; second++) {
      check(18, 50);
      heat.read(SECOND_NANOS, shard -> true);
    }
    assertThat(heat.keys().get(0).shard()).isEqualTo(18);
  }

  @Test
  void keys_ofShardsOfOthers_areNotTold() {
    check(17, 3_000);
    check(18, 1_000);
    heat.read(SECOND_NANOS, shard -> shard != 17);
    assertThat(heat.keys().stream().map(KeyRate::shard)).containsExactly(18);
  }

  @Test
  void keys_thousandsAlike_areOnlyTheFirstFew() {
    for (int shard = 0; shard < Signature.SHARDS; shard++) {
      check(shard, 16);
    }
    heat.read(SECOND_NANOS, shard -> true);
    assertThat(heat.keys()).hasSize(Heat.KEYS_MAX);
  }
}

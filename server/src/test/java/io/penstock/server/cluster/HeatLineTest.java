package io.penstock.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.node.ShardRate;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** D7: the log says which shards are hot and what to do, and not too often. */
class HeatLineTest {
  private final HeatLine line = new HeatLine("move it");
  private long seconds;

  private @Nullable String after(long more, int... hot) {
    seconds += more;
    List<ShardRate> rates =
        IntStream.of(hot).mapToObj(shard -> new ShardRate(shard, 5_000, true)).toList();
    return line.of(rates, TimeUnit.SECONDS.toNanos(seconds));
  }

  @Test
  void shard_becomesHotAndCools_isALineEach() {
    assertThat(after(0)).isNull();
    assertThat(after(1, 17)).isEqualTo("hot shards: 17 (5000 decisions/s); move it");
    assertThat(after(100, 17)).as("still").isNull();
    assertThat(after(1)).isEqualTo("no longer hot: 17");
  }

  @Test
  void shards_comingAndGoing_areToldOnceAMinuteAsTheyAreThen() {
    assertThat(after(1, 17)).isNotNull();
    assertThat(after(1)).isNull();
    assertThat(after(1, 18)).isNull();
    assertThat(after(56, 18, 19)).isNull();
    assertThat(after(2, 18, 19))
        .isEqualTo(
            "hot shards: 18 (5000 decisions/s), 19 (5000 decisions/s); move it; no longer hot: 17");
  }

  @Test
  void shard_thatCooledAndIsHotAgainWithinTheMinute_isNotToldAgain() {
    assertThat(after(1, 17)).isNotNull();
    assertThat(after(1)).isNull();
    assertThat(after(100, 17)).isNull();
  }
}

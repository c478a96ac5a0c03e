package io.penstock.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** R19: every shard belongs to one group, and all groups have as many of them, or one more. */
class ExtentTest {
  @Test
  void shards_ofAnyNumberOfGroups_areSharedEvenly() {
    for (int groups = 1; groups <= 9; groups++) {
      int[] sizes = new int[groups];
      int last = 0;
      for (int shard = 0; shard < Signature.SHARDS; shard++) {
        int group = Extent.group(shard, groups);
        assertThat(group).as("a range").isBetween(last, last + 1);
        last = group;
        sizes[group]++;
      }
      assertThat(last).isEqualTo(groups - 1);
      for (int size : sizes) {
        assertThat(size).isBetween(Signature.SHARDS / groups, Signature.SHARDS / groups + 1);
      }
    }
  }

  @Test
  void hash_inTheShardOfAKey_keepsAllElse() {
    Random random = new Random(1);
    for (int shard = 0; shard < Signature.SHARDS; shard++) {
      long hash = random.nextLong();
      HoldingId id = new HoldingId(Signature.withShard(hash, shard), hash);
      assertThat(id.shard()).isEqualTo(shard);
      assertThat(id.hash() << 8).as("the rest is left").isEqualTo(hash << 8);
      assertThat(HoldingId.parse(id.toString())).isEqualTo(id);
    }
    assertThat(HoldingId.parse("no id")).isNull();
    assertThat(HoldingId.parse("AAAA")).isNull();
  }
}

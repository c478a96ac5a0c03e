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
  void hash_ofAnyOther_belongsToTheGroupItIsMadeFor() {
    Random random = new Random(1);
    for (int groups = 1; groups <= 9; groups++) {
      for (int group = 0; group < groups; group++) {
        Extent extent = new Extent(group, groups);
        for (int i = 0; i < 1_000; i++) {
          long hash = random.nextLong();
          HoldingId id = new HoldingId(extent.with(hash), hash);
          assertThat(extent.has(id.hash())).isTrue();
          assertThat(Extent.group(id.shard(), groups)).isEqualTo(group);
          assertThat(id.hash() << 8).as("the rest is left").isEqualTo(hash << 8);
          assertThat(HoldingId.parse(id.toString())).isEqualTo(id);
        }
      }
    }
    assertThat(HoldingId.parse("no id")).isNull();
    assertThat(HoldingId.parse("AAAA")).isNull();
  }
}

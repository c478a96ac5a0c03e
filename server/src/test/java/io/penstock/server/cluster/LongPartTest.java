package io.penstock.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.policy.Descriptor;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Extent;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** R21: a check of several groups may be longer than what is kept to take it back. */
class LongPartTest extends ThreeOwners {
  /** Nine keys of one group, of 8 kB each, and others. */
  private Descriptor[] longs(Descriptor... others) {
    List<Descriptor> all = new ArrayList<>(List.of(others));
    Stream.iterate(0, i -> i + 1)
        .map(i -> Descriptor.of("pump", i + "v".repeat(8_000)))
        .filter(each -> Extent.group(town.policies.shard("api", each), 3) == 1)
        .limit(9)
        .forEach(all::add);
    return all.toArray(Descriptor[]::new);
  }

  @Test
  void allAllow_longerThanANote_countsOnceAlsoIfRepeated() {
    Descriptor[] keys = longs(bank);
    assertThat(check("n1", "id", keys).answer().allowed()).isTrue();
    assertThat(check("n3", "id", keys).answer().duplicate()).isTrue();
    for (Descriptor key : keys) {
      assertThat(left(key)).isEqualTo(9);
    }
  }

  @Test
  void oneDenies_longerThanANote_theOthersAreAsBefore() {
    Descriptor[] keys = longs(gate);
    check("n1", /* id= */ null, gate);
    for (String node : OWNERS) {
      Answer denied = check(node, /* id= */ null, keys).answer();
      assertThat(denied.allowed()).isFalse();
      assertThat(denied.parts().get(0).allowed()).isFalse();
    }
    for (int i = 1; i < keys.length; i++) {
      assertThat(left(keys[i])).isEqualTo(10);
    }
  }

  @Test
  void anyValueOfOneKey_longerThanATextOfANote_isTakenBack() {
    Descriptor huge =
        Stream.iterate(0, i -> i + 1)
            .map(i -> Descriptor.of("pump", i + "v".repeat(70_000)))
            .filter(each -> Extent.group(town.policies.shard("api", each), 3) == 1)
            .findFirst()
            .orElseThrow();
    check("n1", /* id= */ null, gate);
    assertThat(check("n1", /* id= */ null, gate, huge).answer().allowed()).isFalse();
    assertThat(left(huge)).isEqualTo(10);
    town.advanceMillis(1_000);
    assertThat(check("n1", /* id= */ null, gate, huge).answer().allowed()).isTrue();
    assertThat(left(huge)).isEqualTo(9);
  }
}

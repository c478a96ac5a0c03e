package io.penstock.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.policy.Descriptor;
import io.penstock.server.cluster.Town.Told;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Asked;
import io.penstock.server.node.CheckRequest;
import io.penstock.server.node.Extent;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Three nodes that own a group each, and a key of each. */
abstract class ThreeOwners {
  static final List<String> OWNERS = List.of("n1", "n2", "n3");

  final Town town = town();

  private static Town town() {
    Town town =
        new Town(3)
            .policy("api/bank", "{\"limits\":[\"10/day\"],\"consistency\":\"strict\"}")
            .policy("api/pump", "{\"limits\":[\"10/s burst 10\"]}")
            .policy("api/gate", "{\"limits\":[\"1/s burst 1\"]}");
    for (int i = 0; i < 3; i++) {
      town.own(i, OWNERS.get(i));
    }
    return town;
  }

  /** A descriptor that a group decides on. */
  Descriptor in(int group, String key) {
    return Stream.iterate(0, i -> i + 1)
        .map(i -> Descriptor.of(key, "v" + i))
        .filter(each -> Extent.group(town.policies.shard("api", each), 3) == group)
        .findFirst()
        .orElseThrow();
  }

  final Descriptor bank = in(0, "bank");
  final Descriptor pump = in(1, "pump");
  final Descriptor gate = in(2, "gate");

  static CheckRequest request(@Nullable String id, long cost, Descriptor... descriptors) {
    List<Asked> asked = Stream.of(descriptors).map(each -> new Asked(each, cost, null)).toList();
    return new CheckRequest("api", asked, id, /* mayRefund= */ false);
  }

  Told<Answer> check(String node, @Nullable String id, Descriptor... descriptors) {
    return town.check(node, request(id, 1, descriptors));
  }

  long left(Descriptor key) {
    return town.check("n1", request(/* id= */ null, 0, key)).answer().remaining();
  }

  void assertLeft(long ofBank, long ofPump, long ofGate) {
    assertThat(List.of(left(bank), left(pump), left(gate))).containsExactly(ofBank, ofPump, ofGate);
  }
}

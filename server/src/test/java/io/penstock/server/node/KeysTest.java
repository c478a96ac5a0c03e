package io.penstock.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.policy.Descriptor;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Request ids belong to the domain and the descriptors, however these are grouped. */
class KeysTest {
  private final Keys keys = new Keys(1, 2);

  private static CheckRequest request(String domain, Descriptor... descriptors) {
    return CheckRequest.of(domain, List.of(descriptors), /* cost= */ 1);
  }

  @Test
  void ofRequest_sameTextsGroupedOtherwise_isAnother() {
    List<CheckRequest> requests =
        List.of(
            request("d", Descriptor.of("a", "v"), Descriptor.of("c", "e"), Descriptor.of("f", "g")),
            request("d", Descriptor.of("a", "v", "d", "c", "e", "d", "f", "g")),
            request("d", Descriptor.of("a", "v", "c", "e", "f", "g")),
            request("d", Descriptor.of("a", "v", "c", "e"), Descriptor.of("f", "g")),
            request("d", Descriptor.of("a", "v"), Descriptor.of("c", "e", "f", "g")),
            request("d", Descriptor.of("f", "g"), Descriptor.of("c", "e", "a", "v")),
            request("d", Descriptor.of("a", "v"), Descriptor.of("c", "e")),
            request("d", Descriptor.of("a", "v", "c", "e")),
            request("d", Descriptor.of("a", "v")));
    Set<Keys.Twin> hashes = new HashSet<>();
    for (CheckRequest request : requests) {
      hashes.add(keys.ofRequest(request, "x"));
      hashes.add(keys.ofReservation(request, "x"));
      hashes.add(keys.ofStake(request, "x"));
      hashes.add(keys.ofLease(request, "x"));
    }
    assertThat(hashes).hasSize(4 * requests.size());
  }

  /** Those of a single entry, which nearly all are, are found in what version 0.5.0 has kept. */
  @Test
  void ofRequest_oneEntry_isAsInVersion050() {
    CheckRequest request = request("api", Descriptor.of("user", "42"));
    assertThat(keys.ofRequest(request, "x"))
        .isEqualTo(new Keys.Twin(1295811284110766146L, 3038465423982967200L));
  }
}

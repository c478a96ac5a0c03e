package io.penstock.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.policy.Descriptor;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Values that are counted together. */
class SharingTest {
  private static final String SHARED = "{\"limits\":[\"10/day\"],\"share\":[\"file\"]}";

  private final Bench bench = new Bench();

  @Test
  void check_wildcardShared_countsItsValuesTogether() {
    bench.policy("api/file=docs/*", SHARED);
    assertThat(bench.check(6, "file", "docs/a").remaining()).isEqualTo(4);
    assertThat(bench.check(4, "file", "docs/b").remaining()).isZero();
    assertThat(bench.check(1, "file", "docs/*").allowed()).as("a value like the text").isFalse();
    assertThat(bench.check(1, "file", "other").why()).isEqualTo(Why.NO_POLICY);
  }

  @Test
  void check_otherLevels_areCountedApart() {
    bench.policy("api/file=docs\\/*/method", SHARED);
    assertThat(bench.check(10, "file", "docs/a", "method", "GET").allowed()).isTrue();
    assertThat(bench.check(1, "file", "docs/b", "method", "GET").allowed()).isFalse();
    assertThat(bench.check(1, "file", "docs/b", "method", "PUT").remaining()).isEqualTo(9);
  }

  @Test
  void check_bareKeyShared_isOneCounterAndAnExactValueIsApart() {
    bench.policy("api/file", SHARED).policy("api/file=own", SHARED);
    assertThat(bench.check(10, "file", "a").allowed()).isTrue();
    assertThat(bench.check(1, "file", "b").allowed()).isFalse();
    assertThat(bench.check(1, "file", "own").remaining()).isEqualTo(9);
  }

  @Test
  void check_sharersInOneCheck_neverTakeMoreThanTheLimit() {
    bench.policy("api/file", SHARED);
    List<Descriptor> both = List.of(Descriptor.of("file", "a"), Descriptor.of("file", "b"));
    assertThat(bench.check(CheckRequest.of("api", both, 6)).allowed()).isFalse();
    assertThat(bench.check(CheckRequest.of("api", both, 5)).allowed()).isTrue();
  }

  @Test
  void reset_oneSharer_resetsTheCounterAndSettlesNothingOfBefore() {
    bench.policy("api/file", SHARED);
    Descriptor first = Descriptor.of("file", "a");
    CheckRequest request = CheckRequest.of("api", List.of(first), 6);
    Held held = Bench.now(done -> bench.node.reserve(request, 60_000, done));
    Bench.<Durability>now(
        done -> bench.node.reset("api", List.of(Descriptor.of("file", "b")), done));
    assertThat(bench.check(3, "file", "c").remaining()).isEqualTo(7);
    Bench.<Settled>now(done -> bench.node.cancel(String.valueOf(held.id()), done));
    assertThat(bench.check(0, "file", "a").remaining()).as("not of before").isEqualTo(7);
  }

  @Test
  void block_oneSharer_leavesTheOthersAlone() {
    bench.policy("api/file", SHARED);
    long until = 60_000 + bench.clock.nanos() / 1_000_000;
    Bench.<Durability>now(
        done -> bench.node.block("api", List.of(Descriptor.of("file", "a")), until, done));
    assertThat(bench.check(1, "file", "a").why()).isEqualTo(Why.BLOCKED);
    assertThat(bench.check(1, "file", "b").allowed()).isTrue();
  }

  @Test
  void cancel_whatOneCounterGaveTwice_comesBackTwice() {
    bench.policy("api/file", SHARED).policy("api/user", "{\"limits\":[\"10/day\"]}");
    for (List<Descriptor> pair :
        List.of(
            List.of(Descriptor.of("file", "a"), Descriptor.of("file", "b")),
            List.of(Descriptor.of("user", "1"), Descriptor.of("user", "1")))) {
      CheckRequest request = CheckRequest.of("api", pair, 3);
      Held held = Bench.now(done -> bench.node.reserve(request, 60_000, done));
      CheckRequest look = CheckRequest.of("api", pair.subList(0, 1), 0);
      assertThat(bench.check(look).remaining()).isEqualTo(4);
      Bench.<Settled>now(done -> bench.node.cancel(String.valueOf(held.id()), done));
      assertThat(bench.check(look).remaining()).as(pair.toString()).isEqualTo(10);
      bench.check(request);
      Bench.<Durability>now(done -> bench.node.reset("api", pair, done));
      assertThat(bench.check(look).remaining()).as("reset").isEqualTo(10);
    }
  }
}

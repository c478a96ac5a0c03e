package io.penstock.server.node;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.policy.Descriptor;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  private static String shared(String limit, String algorithm) {
    return "{\"limits\":[\"%s\"],\"algorithm\":\"%s\",\"share\":[\"file\"]}"
        .formatted(limit, algorithm);
  }

  private long left(String file) {
    return bench.check(0, "file", file).remaining();
  }

  @ParameterizedTest
  @CsvSource({
    "gcra, 20/day, 30/day",
    "gcra, 20/day, 300007/day",
    "fixed-window, 20/day, 30/day",
    "fixed-window, 20/day, 30/hour",
    "sliding-window-log, 20/day, 30/day",
    "sliding-window-counter, 20/day, 30/day",
    "gcra, 20 concurrent lease 1hour, 30 concurrent lease 1min",
    "gcra, 20/day, 30 concurrent lease 1hour"
  })
  void check_sharersOfWhichOneIsOverridden_countOnceAndKeepBothLimits(
      String algorithm, String limit, String own) {
    bench.policy("api/file=docs/*", shared(limit, algorithm));
    bench.override(own, Duration.ofDays(99), "file", "docs/a");
    long more = left("docs/a") - 20;
    List<Descriptor> both =
        List.of(Descriptor.of("file", "docs/a"), Descriptor.of("file", "docs/b"));
    for (long pair = 1; pair <= 10; pair++) {
      Answer answer = bench.check(CheckRequest.of("api", both, 1));
      assertThat(answer.allowed()).isTrue();
      assertThat(answer.remaining()).isEqualTo(20 - 2 * pair);
      Meter ofFirst = requireNonNull(answer.parts().get(0).meter());
      assertThat(ofFirst.remaining()).isEqualTo(20 + more - 2 * pair);
    }
    Answer denied = bench.check(CheckRequest.of("api", both, 1));
    assertThat(denied.parts()).extracting(Part::allowed).containsExactly(true, false);
    assertThat(left("docs/b")).isZero();
    assertThat(left("docs/a")).isEqualTo(more);
  }

  @ParameterizedTest
  @CsvSource({
    "gcra, 20/day, 30/day",
    "sliding-window-log, 20/day, 30/hour",
    "gcra, 20 concurrent lease 1hour, 30 concurrent lease 1hour"
  })
  void cancel_sharersOfWhichOneIsOverridden_givesBackWhatTheyTook(
      String algorithm, String limit, String own) {
    bench.policy("api/file=docs/*", shared(limit, algorithm));
    bench.override(own, Duration.ofDays(99), "file", "docs/a");
    assertThat(bench.check(4, "file", "docs/b").remaining()).isEqualTo(16);
    List<Descriptor> both =
        List.of(Descriptor.of("file", "docs/a"), Descriptor.of("file", "docs/b"));
    for (long real : new long[] {0, 3, 5}) {
      Held held =
          Bench.now(done -> bench.node.reserve(CheckRequest.of("api", both, 3), 60_000, done));
      assertThat(left("docs/b")).isEqualTo(10);
      boolean slots = limit.contains("concurrent");
      long used = slots ? 0 : real;
      Bench.<Settled>now(done -> bench.node.commit(String.valueOf(held.id()), real, done));
      assertThat(left("docs/b")).as("real cost " + real).isEqualTo(16 - 2 * used);
      bench.check(-2 * used, "file", "docs/b");
    }
  }

  /** A block that was given back twice was that of two keys, and then of none. */
  @ParameterizedTest
  @CsvSource({
    "sliding-window-log, 200/day, 300/day",
    "gcra, 10 concurrent lease 1hour, 20 concurrent lease 1hour"
  })
  void check_sharersOfWhichOneIsOverridden_leaveOtherKeysAlone(
      String algorithm, String limit, String own) {
    bench.policy("api/file=docs/*", shared(limit, algorithm));
    bench.policy("api/job", "{\"limits\":[\"10 concurrent lease 1hour\"]}");
    bench.policy("api/user", "{\"limits\":[\"10/day\"],\"algorithm\":\"sliding-window-log\"}");
    bench.override(own, Duration.ofDays(99), "file", "docs/a");
    List<Descriptor> both =
        List.of(Descriptor.of("file", "docs/a"), Descriptor.of("file", "docs/b"));
    int admitted = 0;
    for (int i = 0; i < 120; i++) {
      bench.clock.advanceNanos(1_000_000);
      admitted += bench.check(CheckRequest.of("api", both, 1)).allowed() ? 2 : 0;
    }
    assertThat(admitted).isEqualTo(algorithm.equals("gcra") ? 10 : 200);
    for (int i = 0; i < 40; i++) {
      assertThat(bench.check(3, "job", "j" + i).remaining()).isEqualTo(7);
      assertThat(bench.check(3, "user", "u" + i).remaining()).isEqualTo(7);
    }
  }
}

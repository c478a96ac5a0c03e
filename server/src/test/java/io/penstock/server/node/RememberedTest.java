package io.penstock.server.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a node remembers of all that it decides, by whatever way it was asked. */
class RememberedTest {
  private static final Descriptor USER = Descriptor.of("user", "42");
  private static final String ONE_A_DAY = "{\"limits\":[\"1/day\"]}";

  private final Bench bench = new Bench().policy("api/user", "{\"limits\":[\"100/day\"]}");
  private final int shard = bench.node.policies().shard("api", USER);

  private static CheckRequest request(@Nullable String id) {
    return new CheckRequest(
        "api", List.of(new Asked(USER, /* cost= */ 1, null)), id, /* mayRefund= */ false);
  }

  private long decisions(int of) {
    return bench.node.policies().heat().decisions(of);
  }

  @Test
  void check_withAndWithoutAnId_isCountedAndTriedOut() {
    bench.check(request(/* id= */ null));
    bench.check(request("a"));
    assertThat(decisions(shard)).isEqualTo(2);
    assertThat(bench.node.policies().tryOut("api/user", ONE_A_DAY).checks()).isEqualTo(2);
  }

  @Test
  void check_repeated_wasDecidedOnce() {
    bench.check(request("a"));
    bench.check(request("a"));
    assertThat(decisions(shard)).isEqualTo(1);
  }

  /** Whoever has the same hashes, its answer is not told to others. */
  @Test
  void check_answerRememberedOfMoreDescriptors_isDecided() {
    Answer other = bench.check(CheckRequest.of("api", List.of(Descriptor.of("a", "1"), USER), 1));
    Keys.Twin id = keys().ofRequest(request("a"), "a").with(counted());
    bench.shard.ids().put(id.hash(), id.check(), AnswerCodec.write(other), bench.clock.nanos());
    Answer answer = bench.check(request("a"));
    assertThat(answer.duplicate()).isFalse();
    assertThat(answer.remaining()).isEqualTo(98);
    assertThat(bench.check(request("a")).duplicate()).isTrue();
  }

  @Test
  void reservation_answerRememberedOfMoreDescriptors_isDecided() {
    Answer other = bench.check(CheckRequest.of("api", List.of(Descriptor.of("a", "1"), USER), 1));
    Keys.Twin id = keys().ofReservation(request("a"), "a").with(counted());
    byte[] held = HeldCodec.write(new Held(other, HoldingId.of(counted()).toString()));
    bench.shard.ids().put(id.hash(), id.check(), held, bench.clock.nanos());
    Held answer = Bench.now(done -> bench.node.reserve(request("a"), 1_000, done));
    assertThat(answer.answer().duplicate()).isFalse();
    assertThat(answer.answer().remaining()).isEqualTo(98);
  }

  private Keys keys() {
    return bench.node.policies().keys();
  }

  private long counted() {
    return keys().of("api", USER);
  }

  @Test
  void reservation_isCountedAndTriedOut() {
    Bench.<Held>now(done -> bench.node.reserve(request(/* id= */ null), 1_000, done));
    assertThat(decisions(shard)).isEqualTo(1);
    assertThat(bench.node.policies().tryOut("api/user", ONE_A_DAY).checks()).isEqualTo(1);
  }

  @Test
  void tryOut_unknownTierAndOtherMistakes_tellsAll() {
    String wrong = "{\"tier\":\"nope\",\"zz\":1}";
    assertThatThrownBy(() -> bench.node.policies().tryOut("api/user", wrong))
        .hasMessageContaining("tier: nope (expected: a tier that exists)")
        .hasMessageContaining("zz: 1 ");
  }

  @Test
  void throttled_isCountedWhereItsKeyBelongs() {
    byte[] key = "k".getBytes(UTF_8);
    long hash = bench.node.hash(key, 0, key.length);
    bench.node.throttle(
        hash,
        Limit.parse("10/s"),
        /* cost= */ 1,
        bench.node.nanos(),
        () -> Asker.of(told -> {}, cause -> {}));
    assertThat(decisions(Signature.shard(hash))).isEqualTo(1);
  }

  @Test
  void check_ofSeveralKeys_isCountedForEach() {
    Descriptor other = Descriptor.of("org", "7");
    bench.check(CheckRequest.of("api", List.of(USER, other), 1));
    assertThat(IntStream.range(0, Signature.SHARDS).mapToLong(this::decisions).sum()).isEqualTo(2);
  }
}

package io.penstock.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import io.penstock.shard.IdWindow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is too long to be remembered is refused before it takes anything, or remembered briefly. */
class LongRequestTest {
  private static final String HUNDRED_A_DAY = "{\"limits\":[\"100/day\"]}";

  private final Bench bench = new Bench();

  private static CheckRequest request(@Nullable String id, List<Descriptor> keys) {
    List<Asked> asked = keys.stream().map(key -> new Asked(key, /* cost= */ 10, null)).toList();
    return new CheckRequest("api", asked, id, /* mayRefund= */ false);
  }

  private static List<Descriptor> keys(int count, String value) {
    return IntStream.range(0, count).mapToObj(i -> Descriptor.of("user", i + value)).toList();
  }

  private long left(Descriptor key) {
    return bench.check(CheckRequest.of("api", List.of(key), 0)).remaining();
  }

  @Test
  void reserve_moreThanCanBeKept_isRefusedAndTakesNothing() {
    bench.policy("api/user", HUNDRED_A_DAY);
    List<Descriptor> keys = keys(9, "v".repeat(8_000));
    assertThatThrownBy(
            () -> bench.node.reserve(request(null, keys), 1_000, Asker.of(h -> {}, f -> {})))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("descriptors: 72\\d\\d\\d bytes .*expected: at most 65516.*");
    assertThat(left(keys.get(0))).isEqualTo(100);
  }

  @Test
  void reserve_asMuchAsCanBeKept_isHeldAndGivenBack() {
    bench.policy("api/user", HUNDRED_A_DAY);
    List<Descriptor> keys = keys(8, "v".repeat(8_000));
    Held held = Bench.now(done -> bench.node.reserve(request(null, keys), 1_000, done));
    assertThat(left(keys.get(7))).isEqualTo(90);
    bench.cancel(String.valueOf(held.id()));
    assertThat(left(keys.get(7))).isEqualTo(100);
  }

  @Test
  void acquire_moreThanCanBeKept_isRefusedAndTakesNoSlot() {
    bench.policy("api/user", "{\"limits\":[\"50 concurrent lease 60s\"],\"shadow\":true}");
    List<Descriptor> keys = keys(9, "v".repeat(8_000));
    CheckRequest request = request(null, keys);
    assertThatThrownBy(() -> bench.node.acquire(request, 1_000, Asker.of(h -> {}, f -> {})))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(left(keys.get(0))).isEqualTo(50);
  }

  @Test
  void check_sameRequestIdOfManyLimits_getsTheFirstAnswerAndConsumesNothing() {
    String limits =
        IntStream.rangeClosed(1, 16)
            .mapToObj(i -> "\"" + (1_000 + i) + "/" + i + "hour\"")
            .collect(Collectors.joining(",", "{\"limits\":[", "]}"));
    bench.policy("api/user", limits);
    Answer first = bench.check(request("a", keys(32, "")));
    Answer again = bench.check(request("a", keys(32, "")));
    assertThat(again.duplicate()).isTrue();
    assertThat(again.parts()).isEqualTo(first.parts());
    assertThat(left(keys(32, "").get(0))).isEqualTo(991);
  }

  /** Scopes may have 2,048 characters. */
  @Test
  void check_sameRequestIdOfTheLongestScopes_getsTheFirstAnswerInBrief() {
    List<Descriptor> keys = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      String key = i + "€".repeat(2_000);
      bench.policy("api/" + key, HUNDRED_A_DAY);
      keys.add(Descriptor.of(key, "v"));
    }
    Answer first = bench.check(request("a", keys));
    Answer again = bench.check(request("a", keys));
    assertThat(again.duplicate()).isTrue();
    assertThat(again.remaining()).isEqualTo(90);
    assertThat(again.part()).isEqualTo(first.part());
    assertThat(again.parts()).extracting(Part::meter).isEqualTo(meters(first));
    Held held =
        Bench.now(done -> bench.node.reserve(request("b", keys.subList(0, 8)), 1_000, done));
    Held same =
        Bench.now(done -> bench.node.reserve(request("b", keys.subList(0, 8)), 1_000, done));
    assertThat(same.id()).isEqualTo(held.id());
    assertThat(left(keys.get(0))).isEqualTo(80);
  }

  private static List<Meter> meters(Answer answer) {
    return answer.parts().stream().map(Part::meter).toList();
  }

  @Test
  void answer_longestThatThereIs_isRememberedInBrief() {
    Limit limit = Limit.parse("999999999/day burst 999999999");
    Meter meter = new Meter(limit, /* denied= */ false, 1, 2, 3, 4);
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < 255; i++) {
      List<Meter> meters = Collections.nCopies(16, meter);
      parts.add(
          new Part(true, "€".repeat(2_048), i, Why.FAIL_CLOSED, /* deciding= */ 15, meters, 0));
    }
    Answer answer = new Answer(true, /* deciding= */ 200, parts, 0, Durability.STRICT, "n1", true);
    byte[] bytes = HeldCodec.write(new Held(answer, "x".repeat(HoldingId.CHARS)));
    assertThat(bytes.length).isLessThan(IdWindow.ANSWER_BYTES_MAX);
    Answer read = AnswerCodec.read(HeldCodec.answer(bytes), "n1");
    assertThat(read.part().policy()).isEqualTo(answer.part().policy());
    assertThat(read.parts()).hasSize(255).extracting(Part::meter).containsOnly(meter);
    assertThat(read.parts()).extracting(Part::policyVersion).isEqualTo(versions(answer));
  }

  private static List<Long> versions(Answer answer) {
    return answer.parts().stream().map(Part::policyVersion).toList();
  }
}

package io.penstock.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import io.penstock.core.policy.Entry;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Asked;
import io.penstock.server.node.CheckRequest;
import io.penstock.server.node.Durability;
import io.penstock.server.node.Held;
import io.penstock.server.node.HoldingId;
import io.penstock.server.node.Meter;
import io.penstock.server.node.Part;
import io.penstock.server.node.RefundRefusedException;
import io.penstock.server.node.Settled;
import io.penstock.server.node.Throttled;
import io.penstock.server.node.UnavailableException;
import io.penstock.server.node.Why;
import io.penstock.server.policy.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Questions and answers come out of their bytes as they went in, and other bytes do not. */
class CodecTest {
  private static final List<Limit> LIMITS =
      List.of(
          Limit.parse("100/s burst 200"),
          Limit.parse("10000/day Europe/Paris"),
          Limit.parse("30/60s burst 16"),
          Limit.parse("50 concurrent lease 30s"));

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int left = random.nextInt(12); left > 0; left--) {
      text.append((char) random.nextInt(random.nextInt(3) == 0 ? 0x10000 : 0x100));
    }
    return text.toString();
  }

  private static @Nullable String textOrNone(Random random) {
    return random.nextBoolean() ? text(random) : null;
  }

  private static Descriptor descriptor(Random random) {
    List<Entry> entries = new ArrayList<>();
    for (int left = 1 + random.nextInt(3); left > 0; left--) {
      entries.add(new Entry("k" + text(random), text(random)));
    }
    return new Descriptor(entries);
  }

  private static <T> T any(Random random, T[] choices) {
    return choices[random.nextInt(choices.length)];
  }

  private static Limit limit(Random random) {
    return LIMITS.get(random.nextInt(LIMITS.size()));
  }

  private static CheckRequest request(Random random) {
    List<Asked> asked = new ArrayList<>();
    for (int left = 1 + random.nextInt(3); left > 0; left--) {
      Limit given = random.nextBoolean() ? limit(random) : null;
      asked.add(new Asked(descriptor(random), random.nextLong(), given));
    }
    return new CheckRequest(text(random), asked, textOrNone(random), random.nextBoolean());
  }

  private static List<Question<?>> questions(Random random) {
    List<Descriptor> keys = List.of(descriptor(random), descriptor(random));
    List<Question<?>> questions = new ArrayList<>();
    questions.add(new Question.Check(request(random)));
    questions.add(new Question.Reserve(request(random), random.nextLong()));
    questions.add(new Question.Acquire(request(random), random.nextLong()));
    questions.add(new Question.Commit(text(random), random.nextLong()));
    for (Question.Settle.Act act : Question.Settle.Act.values()) {
      questions.add(new Question.Settle(act, text(random)));
    }
    questions.add(new Question.Reset(text(random), keys));
    questions.add(new Question.Block(text(random), keys, random.nextLong()));
    questions.add(new Question.Overrule(text(random), keys, LIMITS, random.nextLong()));
    questions.add(new Question.Throttle(random.nextLong(), limit(random), random.nextLong()));
    questions.add(new Question.Forget(random.nextLong()));
    questions.add(new Question.Forgive(any(random, Kind.values()), text(random)));
    questions.add(new Question.TryOut(text(random), text(random)));
    HoldingId id = new HoldingId(random.nextLong(), random.nextLong());
    questions.add(new Question.Stake(request(random), id));
    questions.add(new Question.TakeBack(request(random), id));
    return questions;
  }

  private static Delivery<?> delivery(Random random, Question<?> question) {
    return new Delivery<>(
        random.nextLong(),
        random.nextLong(),
        random.nextInt(),
        random.nextInt(),
        random.nextLong(),
        question);
  }

  @Property(tries = 200)
  void question_any_comesOutAsItWentIn(@ForAll long seed) {
    Random random = new Random(seed);
    for (Question<?> question : questions(random)) {
      Delivery<?> delivery = delivery(random, question);
      assertThat(QuestionCodec.read(QuestionCodec.write(delivery))).isEqualTo(delivery);
    }
  }

  @Property(tries = 200)
  void question_cutOrLonger_isRefused(@ForAll long seed) {
    Random random = new Random(seed);
    for (Question<?> question : questions(random)) {
      byte[] bytes = QuestionCodec.write(delivery(random, question));
      for (int i = 0; i < 10; i++) {
        int length = random.nextInt(bytes.length);
        assertThatThrownBy(() -> QuestionCodec.read(Arrays.copyOf(bytes, length)))
            .isInstanceOf(MalformedException.class)
            .hasMessageContaining("(expected: ");
      }
      assertThatThrownBy(() -> QuestionCodec.read(Arrays.copyOf(bytes, bytes.length + 1)))
          .isInstanceOf(MalformedException.class);
    }
  }

  /** Whatever comes, it is read or refused: nothing else is thrown. */
  @Property(tries = 200)
  void bytes_anyDamage_areReadOrRefused(@ForAll long seed) {
    Random random = new Random(seed);
    for (Question<?> question : questions(random)) {
      byte[] bytes = QuestionCodec.write(delivery(random, question));
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      isRefused(() -> QuestionCodec.read(bytes));
    }
    Question<Held> question = new Question.Reserve(request(random), 1);
    byte[] bytes = Response.answered(question, new Held(answer(random), textOrNone(random)));
    for (int i = 0; i < 20; i++) {
      byte[] damaged = bytes.clone();
      damaged[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      isRefused(() -> Response.read(question, damaged));
    }
  }

  private static boolean isRefused(Runnable reading) {
    try {
      reading.run();
      return false;
    } catch (MalformedException e) {
      return true;
    }
  }

  private static Answer answer(Random random) {
    List<Part> parts = new ArrayList<>();
    for (int left = 1 + random.nextInt(3); left > 0; left--) {
      List<Meter> meters = new ArrayList<>();
      for (int i = random.nextInt(3); i > 0; i--) {
        long nanos = random.nextLong() >>> 1;
        meters.add(new Meter(limit(random), random.nextBoolean(), nanos, nanos, nanos, nanos));
      }
      Why why = any(random, Why.values());
      String policy = random.nextBoolean() ? "api/user" : null;
      long retry = random.nextLong() >>> 1;
      boolean allowed = random.nextBoolean();
      parts.add(new Part(allowed, policy, 3, why, meters.size() - 1, meters, retry));
    }
    Durability durability = any(random, Durability.values());
    String by = "n2 shard 17 epoch 7";
    int deciding = random.nextInt(parts.size());
    return new Answer(
        random.nextBoolean(), deciding, parts, 5, durability, by, random.nextBoolean());
  }

  private static <T> void isKept(Question<T> question, T answer) {
    assertThat(Response.read(question, Response.answered(question, answer)))
        .isEqualTo(new Response.Answered<>(answer));
  }

  @Property(tries = 200)
  void answer_any_comesOutAsItWentIn(@ForAll long seed) {
    Random random = new Random(seed);
    CheckRequest request = request(random);
    isKept(new Question.Check(request), answer(random));
    isKept(new Question.Reserve(request, 1), new Held(answer(random), textOrNone(random)));
    isKept(new Question.Commit("id", 1), any(random, Settled.values()));
    isKept(new Question.Reset("api", List.of()), any(random, Durability.values()));
    isKept(new Question.Forget(1), random.nextBoolean());
    Throttled throttled =
        new Throttled(random.nextBoolean(), 1, random.nextLong(), Long.MAX_VALUE, 4);
    isKept(new Question.Throttle(1, limit(random), 1), throttled);
  }

  @Test
  void failures_each_areToldAsWhatTheyAre() {
    Question<Boolean> question = new Question.Forget(1);
    List<RuntimeException> causes =
        List.of(
            new IllegalArgumentException("cost: 1 (expected: 2)"),
            new RefundRefusedException("cost: -1 (expected: >= 0)"),
            new IllegalStateException("keys: many (expected: few)"));
    for (RuntimeException cause : causes) {
      assertThat(Response.read(question, Response.failed(cause)))
          .isInstanceOfSatisfying(
              Response.Failed.class,
              failed ->
                  assertThat(failed.cause())
                      .hasSameClassAs(cause)
                      .hasMessage(String.valueOf(cause.getMessage())));
    }
    assertThat(Response.read(question, Response.failed(new UnavailableException("gone"))))
        .isEqualTo(new Response.Unknown<>("gone"));
  }

  @Test
  void bytes_tooMany_areRefused() {
    assertThatThrownBy(() -> new Unpacking(new byte[Packing.BYTES_MAX + 1]))
        .hasMessage("bytes: 4194305 (expected: <= 4194304)");
    assertThatThrownBy(() -> new Packing().raw(new byte[Packing.BYTES_MAX]))
        .hasMessage("question or answer: 4194308 bytes (expected: <= 4194304)");
  }

  @Test
  void arrivals_copies_areKnownAlsoAmongMany() {
    Arrivals arrivals = new Arrivals();
    assertThat(arrivals.isFirst(1, 100)).isTrue();
    assertThat(arrivals.isFirst(1, 100)).isFalse();
    assertThat(arrivals.isFirst(2, 100)).as("of another origin").isTrue();
    assertThat(arrivals.isFirst(1, 103)).isTrue();
    assertThat(arrivals.isFirst(1, 101)).as("overtaken").isTrue();
    assertThat(arrivals.isFirst(1, 101)).isFalse();
    assertThat(arrivals.isFirst(1, 200_000)).isTrue();
    assertThat(arrivals.isFirst(1, 103)).as("too long ago to know").isFalse();
    assertThat(arrivals.isFirst(1, 199_999)).isTrue();
    assertThat(arrivals.isFirst(1, 199_999)).isFalse();
  }
}

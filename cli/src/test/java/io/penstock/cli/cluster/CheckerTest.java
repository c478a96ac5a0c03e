package io.penstock.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.cli.cluster.Attempt.Kind;
import io.penstock.cli.cluster.Attempt.Span;
import io.penstock.cli.cluster.Attempt.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A checker that cannot fail proves nothing: each broken promise is found in a history of it. */
class CheckerTest {
  private static final long CAPACITY = 3;
  private static final String KEY = "k";

  private final List<Attempt> history = new ArrayList<>();
  private long nanos;

  private void told(Kind kind, @Nullable String id, boolean isDuplicate) {
    history.add(
        new Attempt(KEY, id, 0, new Span(++nanos, ++nanos), new Verdict(kind, 0, 1, isDuplicate)));
  }

  private void told(Kind kind, int times) {
    for (int i = 0; i < times; i++) {
      told(kind, /* id= */ null, /* isDuplicate= */ false);
    }
  }

  private void toldBy(long epoch, long sentNanos, long heardNanos) {
    Verdict verdict = new Verdict(Kind.DENIED, 0, epoch, /* isDuplicate= */ false);
    history.add(new Attempt(KEY, null, 0, new Span(sentNanos, heardNanos), verdict));
  }

  private List<String> problems(long used) {
    return Checker.problems(history, CAPACITY, Map.of(KEY, used));
  }

  private static Verdict verdict(int status, String body) {
    return Verdict.of(new Reply(status, body), Reply.STRICT);
  }

  @Test
  void problems_everythingKept_areNone() {
    told(Kind.ALLOWED, 2);
    told(Kind.SILENT, "id", false);
    told(Kind.ALLOWED, "id", true);
    told(Kind.ALLOWED, "id", true);
    told(Kind.DENIED, 5);
    told(Kind.FAIL_CLOSED, 1);
    assertThat(problems(3)).isEmpty();
  }

  @Test
  void problems_moreAllowedThanTheCapacity_areFound() {
    told(Kind.ALLOWED, 4);
    assertThat(problems(4)).containsExactly("k: allowed 4 (expected: <= 3)");
  }

  @Test
  void problems_allowThatIsNotCounted_isFound() {
    told(Kind.ALLOWED, 2);
    assertThat(problems(1)).containsExactly("k: used 1 (expected: >= allowed: 2)");
  }

  @Test
  void problems_keyThatNobodyCanTellOf_isFound() {
    told(Kind.ALLOWED, 1);
    assertThat(Checker.problems(history, CAPACITY, Map.of()))
        .containsExactly("k: used -1 (expected: >= allowed: 1)");
  }

  @Test
  void problems_requestIdAllowedTwice_isFound() {
    told(Kind.ALLOWED, "id", false);
    told(Kind.ALLOWED, "id", false);
    assertThat(problems(1)).containsExactly("k: request id id was allowed twice");
  }

  @Test
  void problems_repeatedIdThatConsumedTwice_isFound() {
    told(Kind.SILENT, "id", false);
    told(Kind.ALLOWED, "id", false);
    assertThat(problems(2)).containsExactly("k: used 2 (expected: <= allowed and unknown: 1)");
  }

  @Test
  void problems_unknownAnswers_mayBeCountedOrNot() {
    told(Kind.FAIL_CLOSED, 1);
    told(Kind.SILENT, "id", false);
    told(Kind.SILENT, "id", false);
    assertThat(problems(0)).isEmpty();
    assertThat(problems(2)).isEmpty();
    assertThat(problems(3)).isNotEmpty();
  }

  @Test
  void problems_remainingBelowZero_isFound() {
    Verdict verdict = new Verdict(Kind.DENIED, -1, 1, /* isDuplicate= */ false);
    history.add(new Attempt(KEY, null, 0, new Span(1, 2), verdict));
    assertThat(problems(0)).singleElement().asString().contains("remaining is not between 0 and 3");
  }

  @Test
  void problems_earlierOwnerAnswersAfterALaterOne_isFound() {
    toldBy(2, 10, 20);
    toldBy(1, 15, 30);
    assertThat(problems(0)).isEmpty();
    toldBy(1, 21, 25);
    assertThat(problems(0)).singleElement().asString().contains("epoch 2 has answered before");
  }

  @Test
  void problems_allowedByAFailMode_areFound() {
    String open =
        "{\"allowed\":true,\"remaining\":0,\"reason\":\"fail-open\",\"durability\":\"none\"}";
    Verdict verdict = verdict(200, open);
    assertThat(verdict.kind()).isEqualTo(Kind.WRONG);
    history.add(new Attempt(KEY, null, 0, new Span(1, 2), verdict));
    assertThat(problems(0)).singleElement().asString().contains("never to be said");
  }

  @Test
  void verdict_ofEachAnswer_isWhatAClientMayTell() {
    String strict = "\"durability\":\"strict\",\"decidedBy\":\"n2 shard 7 epoch 12\"";
    String allowed = "{\"allowed\":true,\"remaining\":2,\"reason\":\"ok\"," + strict;
    String denied = "{\"allowed\":false,\"remaining\":0,\"reason\":\"limited\"," + strict;
    String closed = "{\"allowed\":false,\"remaining\":0,\"reason\":\"fail-closed\"}";
    assertThat(verdict(200, allowed + "}")).isEqualTo(new Verdict(Kind.ALLOWED, 2, 12, false));
    assertThat(verdict(200, allowed + ",\"duplicate\":true}").isDuplicate()).isTrue();
    assertThat(verdict(200, denied + "}").kind()).isEqualTo(Kind.DENIED);
    assertThat(verdict(200, closed).kind()).isEqualTo(Kind.FAIL_CLOSED);
    assertThat(verdict(503, "{}").kind()).isEqualTo(Kind.SILENT);
    assertThat(verdict(0, "refused").kind()).isEqualTo(Kind.SILENT);
    assertThat(verdict(500, "{}").kind()).isEqualTo(Kind.WRONG);
  }

  @Test
  void verdict_ofAnotherConsistencyThanThePolicy_isWrong() {
    String fast = "{\"allowed\":true,\"remaining\":2,\"reason\":\"ok\",\"durability\":\"fast\"}";
    assertThat(verdict(200, fast).kind()).isEqualTo(Kind.WRONG);
    assertThat(Verdict.of(new Reply(200, fast), Reply.FAST).kind()).isEqualTo(Kind.ALLOWED);
  }

  @Test
  void problemsOfBucket_asMuchAsHasComeBack_areNone() {
    told(Kind.ALLOWED, 3);
    nanos += 20;
    told(Kind.ALLOWED, 2);
    assertThat(Checker.problemsOfBucket(history, CAPACITY, 10)).isEmpty();
  }

  @Test
  void problemsOfBucket_moreThanHasComeBackInAnySpan_areFound() {
    told(Kind.ALLOWED, 1);
    nanos += 1_000;
    told(Kind.ALLOWED, 4);
    assertThat(Checker.problemsOfBucket(history, CAPACITY, 10))
        .containsExactly("k: allowed 4 within 7 ns (expected: <= 3)");
  }

  @Test
  void problemsOfBucket_answersThatMayHaveBeenDecidedEarlier_areNoProof() {
    history.add(allowed(1, 1_000));
    told(Kind.ALLOWED, 3);
    assertThat(Checker.problemsOfBucket(history, CAPACITY, 100)).isEmpty();
  }

  private static Attempt allowed(long sentNanos, long heardNanos) {
    Verdict verdict = new Verdict(Kind.ALLOWED, 0, 1, /* isDuplicate= */ false);
    return new Attempt(KEY, null, 0, new Span(sentNanos, heardNanos), verdict);
  }
}

package io.penstock.server.cluster;

import io.penstock.server.node.Asker;
import io.penstock.server.node.HoldingId;
import io.penstock.server.node.Settled;
import java.time.Duration;
import java.util.Comparator;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Settles what is held, wherever it is held: its id tells. Thread-safe. */
final class Settling {
  private static final Pattern BETWEEN = Pattern.compile(Pattern.quote(Compound.BETWEEN));

  /** As long as an owner knows what was taken (R21). */
  private static final Duration TAKEN_BACK = Duration.ofSeconds(5);

  private final Dispatch dispatch;
  private final Orders orders;

  Settling(Dispatch dispatch, Orders orders) {
    this.dispatch = dispatch;
    this.orders = orders;
  }

  /** The same, and nobody waits for what becomes of it. */
  void settle(String id, Function<String, Question<Settled>> asking) {
    settle(id, asking, Asker.of(settled -> {}, failure -> dispatch.tally().failure()));
  }

  /** Has a part of a check taken back by whoever owns, now or when somebody does. */
  void takeBack(Question.TakeBack question) {
    orders.send(
        () -> dispatch.owners().group(question.id().shard()),
        TAKEN_BACK,
        question,
        Asker.of(answer -> {}, failure -> {}));
  }

  /** It is done if all of it is. */
  void settle(String id, Function<String, Question<Settled>> asking, Asker<Settled> done) {
    settle(id, asking, BinaryOperator.maxBy(Comparator.naturalOrder()), done);
  }

  /** It is done if some of it is: what is no slot has nothing to renew. */
  void renew(String id, Asker<Settled> done) {
    settle(
        id,
        each -> new Question.Settle(Question.Settle.Act.RENEW, each),
        BinaryOperator.minBy(Comparator.naturalOrder()),
        done);
  }

  private void settle(
      String id,
      Function<String, Question<Settled>> asking,
      BinaryOperator<Settled> both,
      Asker<Settled> done) {
    int size = dispatch.owners().size();
    String[] several = BETWEEN.split(id, -1);
    String[] ids = several.length > size ? new String[] {id} : several;
    Several<Settled> all = new Several<>(ids.length, both, done);
    for (String each : ids) {
      orders.send(() -> group(each), Orders.STRICT, asking.apply(each), all);
    }
  }

  /** The group that holds it; any can say that an id is none. */
  private int group(String id) {
    HoldingId known = HoldingId.parse(id);
    return known == null ? 0 : dispatch.owners().group(known.shard());
  }
}

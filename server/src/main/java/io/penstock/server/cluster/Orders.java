package io.penstock.server.cluster;

import io.penstock.server.node.Asker;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

/** Carries what no fail mode answers: whoever asked is told why nobody answered. Thread-safe. */
final class Orders {
  static final Duration FAST = Duration.ofMillis(50);
  static final Duration STRICT = Duration.ofMillis(250);

  /** For what is no decision. */
  static final Duration WORK = Duration.ofSeconds(2);

  private final Dispatch dispatch;

  Orders(Dispatch dispatch) {
    this.dispatch = dispatch;
  }

  /**
   * Asks the owner of a group.
   *
   * @param route tells which; again if that was another one
   */
  <T> void send(IntSupplier route, Duration budget, Question<T> question, Asker<T> done) {
    Fallback<T> none =
        () -> {
          dispatch.tally().unavailable();
          return null;
        };
    new Errand<>(dispatch, new Trip<>(question, route, budget), none, done).begin();
  }

  /**
   * Asks the owners of all groups: policies say which of them a key is counted by, and they change.
   *
   * @param both makes one answer of two
   */
  <T> void sendAll(Duration budget, Question<T> question, BinaryOperator<T> both, Asker<T> done) {
    send(
        IntStream.range(0, dispatch.owners().size()).boxed().toList(),
        budget,
        question,
        both,
        done);
  }

  /** Asks every node that owns, once. */
  <T> void sendOwners(
      Duration budget, Question<T> question, BinaryOperator<T> both, Asker<T> done) {
    Set<String> owners = new HashSet<>();
    List<Integer> groups =
        IntStream.range(0, dispatch.owners().size())
            .filter(
                group -> {
                  String owner = dispatch.owners().of(group).now().owner();
                  return owner == null || owners.add(owner);
                })
            .boxed()
            .toList();
    send(groups, budget, question, both, done);
  }

  private <T> void send(
      List<Integer> groups,
      Duration budget,
      Question<T> question,
      BinaryOperator<T> both,
      Asker<T> done) {
    Several<T> all = new Several<>(groups.size(), both, done);
    for (int group : groups) {
      try {
        send(() -> group, budget, question, all);
      } catch (RuntimeException e) {
        all.fail(e);
      }
    }
  }
}

package io.penstock.server.cluster;

import io.penstock.core.Clock;
import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Asker;
import io.penstock.server.node.CheckRequest;
import io.penstock.server.node.Durability;
import io.penstock.server.node.FailModes;
import io.penstock.server.node.Held;
import io.penstock.server.node.LocalNode;
import io.penstock.server.node.Node;
import io.penstock.server.node.PolicyDesk;
import io.penstock.server.node.Settled;
import io.penstock.server.node.Throttled;
import io.penstock.server.policy.DryRun;
import io.penstock.server.policy.Kind;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A node of a cluster: decides what it owns, and asks the owner of everything else (R20).
 * Thread-safe.
 *
 * <p>Beyond its budget a check is answered by the fail mode of its policy, with the reason; orders
 * and what brings its own limit have none, and are told why nobody answered.
 */
public final class ClusterNode implements Node {
  private static final Duration FAST = Duration.ofMillis(50);
  private static final Duration STRICT = Duration.ofMillis(250);

  /** For what is no decision. */
  private static final Duration WORK = Duration.ofSeconds(2);

  private final Dispatch dispatch;
  private final PolicyDesk policies;
  private final FailModes failModes;

  /**
   * A node among others.
   *
   * @param name of this node
   * @param clock by which budgets are measured
   */
  public ClusterNode(
      String name, Ownership ownership, Link link, PolicyDesk policies, Clock clock) {
    this.dispatch = new Dispatch(name, ownership, link, policies, clock);
    this.policies = policies;
    this.failModes = new FailModes(name, policies);
  }

  private @Nullable LocalNode local() {
    return dispatch.ownership().now().local();
  }

  /** By the longest of all its descriptors. */
  private Duration budget(CheckRequest request) {
    return failModes.isStrict(request) ? STRICT : FAST;
  }

  private Answer failed(CheckRequest request) {
    return dispatch.tally().failed(failModes.answer(request));
  }

  /** What was carried to others, and what nobody answered. */
  public Tally tally() {
    return dispatch.tally();
  }

  @Override
  public PolicyDesk policies() {
    return policies;
  }

  @Override
  public void check(CheckRequest request, Asker<Answer> done) {
    Question<Answer> question = new Question.Check(request);
    new Errand<>(dispatch, budget(request), question, new CheckFallback(request), done).begin();
  }

  private final class CheckFallback implements Errand.Fallback<Answer> {
    private final CheckRequest request;

    CheckFallback(CheckRequest request) {
      this.request = request;
    }

    @Override
    public Answer answer() {
      return failed(request);
    }

    /** Who has an id may ask again, and then gets the answer that was decided (R22). */
    @Override
    public boolean isCancel(Answer answer) {
      return !answer.allowed() && request.requestId() == null && failModes.isStrict(request);
    }
  }

  @Override
  public long hash(byte[] key, int from, int length) {
    return policies.hash(key, from, length);
  }

  @Override
  public long touch(long hash) {
    LocalNode local = local();
    return local == null ? 0 : local.touch(hash);
  }

  /** That of the node that decides here; 0 if none does. */
  @Override
  public long nanos() {
    LocalNode local = local();
    return local == null ? 0 : local.nanos();
  }

  /**
   * The time is read again: it may be that of a node that decides here no more, and the clocks of
   * two owners differ.
   */
  @Override
  public @Nullable Throttled throttle(
      long hash,
      Limit limit,
      long cost,
      long nowNanos,
      Supplier<? extends Asker<Throttled>> later) {
    LocalNode local = local();
    if (local != null) {
      return local.throttle(hash, limit, cost, local.nanos(), later);
    }
    send(FAST, new Question.Throttle(hash, limit, cost), later.get());
    return null;
  }

  @Override
  public void forget(long hash, Asker<Boolean> done) {
    send(STRICT, new Question.Forget(hash), done);
  }

  @Override
  public void reserve(CheckRequest request, long ttlMillis, Asker<Held> done) {
    hold(request, new Question.Reserve(request, ttlMillis), done);
  }

  @Override
  public void acquire(CheckRequest request, long leaseMillis, Asker<Held> done) {
    hold(request, new Question.Acquire(request, leaseMillis), done);
  }

  private void hold(CheckRequest request, Question<Held> question, Asker<Held> done) {
    new Errand<>(
            dispatch,
            budget(request),
            question,
            () -> new Held(failed(request), /* id= */ null),
            done)
        .begin();
  }

  @Override
  public void commit(String id, long cost, Asker<Settled> done) {
    send(STRICT, new Question.Commit(id, cost), done);
  }

  @Override
  public void cancel(String id, Asker<Settled> done) {
    send(STRICT, new Question.Settle(Question.Settle.Act.CANCEL, id), done);
  }

  @Override
  public void renew(String id, Asker<Settled> done) {
    send(STRICT, new Question.Settle(Question.Settle.Act.RENEW, id), done);
  }

  @Override
  public void release(String id, Asker<Settled> done) {
    send(STRICT, new Question.Settle(Question.Settle.Act.RELEASE, id), done);
  }

  @Override
  public void reset(String domain, List<Descriptor> descriptors, Asker<Durability> done) {
    send(STRICT, new Question.Reset(domain, descriptors), done);
  }

  @Override
  public void block(
      String domain, List<Descriptor> descriptors, long untilMillis, Asker<Durability> done) {
    send(STRICT, new Question.Block(domain, descriptors, untilMillis), done);
  }

  @Override
  public void override(
      String domain,
      List<Descriptor> descriptors,
      List<Limit> limits,
      long untilMillis,
      Asker<Durability> done) {
    send(STRICT, new Question.Overrule(domain, descriptors, limits, untilMillis), done);
  }

  @Override
  public void forgive(Kind kind, String name, Asker<Boolean> done) {
    send(WORK, new Question.Forgive(kind, name), done);
  }

  @Override
  public void tryOut(String scope, String document, Asker<DryRun.Forecast> done) {
    policies.checkProposed(scope, document);
    send(WORK, new Question.TryOut(scope, document), done);
  }

  /** Sends what no fail mode answers. */
  private <T> void send(Duration budget, Question<T> question, Asker<T> done) {
    Errand.Fallback<T> none =
        () -> {
          dispatch.tally().unavailable();
          return null;
        };
    new Errand<>(dispatch, budget, question, none, done).begin();
  }
}

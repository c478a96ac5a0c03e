package io.penstock.server.cluster;

import io.penstock.core.Clock;
import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Asker;
import io.penstock.server.node.CheckRequest;
import io.penstock.server.node.Durability;
import io.penstock.server.node.Held;
import io.penstock.server.node.LocalNode;
import io.penstock.server.node.MisroutedException;
import io.penstock.server.node.Node;
import io.penstock.server.node.PolicyDesk;
import io.penstock.server.node.Settled;
import io.penstock.server.node.Signature;
import io.penstock.server.node.Throttled;
import io.penstock.server.policy.DryRun;
import io.penstock.server.policy.Kind;
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
  private final Dispatch dispatch;
  private final PolicyDesk policies;
  private final Orders orders;
  private final Settling settling;
  private final CheckDesk checks;

  /**
   * A node among others.
   *
   * @param name of this node
   * @param clock by which budgets are measured
   */
  public ClusterNode(String name, Owners owners, Link link, PolicyDesk policies, Clock clock) {
    this.dispatch = new Dispatch(name, owners, link, policies, clock);
    this.policies = policies;
    this.orders = new Orders(dispatch);
    this.settling = new Settling(dispatch, orders);
    this.checks = new CheckDesk(dispatch, settling, policies);
  }

  /** The group of a key, by its hash. */
  private int group(long hash) {
    return dispatch.owners().group(Signature.shard(hash));
  }

  private @Nullable LocalNode local(long hash) {
    return dispatch.owners().of(group(hash)).now().local();
  }

  Orders orders() {
    return orders;
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
    checks.check(request, done);
  }

  @Override
  public long hash(byte[] key, int from, int length) {
    return policies.hash(key, from, length);
  }

  @Override
  public long touch(long hash) {
    LocalNode local = local(hash);
    return local == null ? 0 : local.touch(hash);
  }

  /** Nobody's: keys of several owners have several times, and each is read when it is needed. */
  @Override
  public long nanos() {
    return 0;
  }

  /** The time is read when it is known who decides: the clocks of two owners differ. */
  @Override
  public @Nullable Throttled throttle(
      long hash,
      Limit limit,
      long cost,
      long nowNanos,
      Supplier<? extends Asker<Throttled>> later) {
    LocalNode local = local(hash);
    if (local != null) {
      try {
        return local.throttle(hash, limit, cost, local.nanos(), later);
      } catch (MisroutedException e) {
        /* It moves just now, and is asked for like any other. */
      }
    }
    orders.send(
        () -> group(hash), Orders.FAST, new Question.Throttle(hash, limit, cost), later.get());
    return null;
  }

  @Override
  public void forget(long hash, Asker<Boolean> done) {
    orders.send(() -> group(hash), Orders.STRICT, new Question.Forget(hash), done);
  }

  @Override
  public void reserve(CheckRequest request, long ttlMillis, Asker<Held> done) {
    checks.hold(request, part -> new Question.Reserve(part, ttlMillis), done);
  }

  @Override
  public void acquire(CheckRequest request, long leaseMillis, Asker<Held> done) {
    checks.hold(request, part -> new Question.Acquire(part, leaseMillis), done);
  }

  @Override
  public void commit(String id, long cost, Asker<Settled> done) {
    settling.settle(id, each -> new Question.Commit(each, cost), done);
  }

  @Override
  public void cancel(String id, Asker<Settled> done) {
    commit(id, /* cost= */ 0, done);
  }

  @Override
  public void renew(String id, Asker<Settled> done) {
    settling.renew(id, done);
  }

  @Override
  public void release(String id, Asker<Settled> done) {
    settling.settle(id, each -> new Question.Settle(Question.Settle.Act.RELEASE, each), done);
  }

  @Override
  public void reset(String domain, List<Descriptor> descriptors, Asker<Durability> done) {
    order(new Question.Reset(domain, descriptors), done);
  }

  @Override
  public void block(
      String domain, List<Descriptor> descriptors, long untilMillis, Asker<Durability> done) {
    order(new Question.Block(domain, descriptors, untilMillis), done);
  }

  @Override
  public void override(
      String domain,
      List<Descriptor> descriptors,
      List<Limit> limits,
      long untilMillis,
      Asker<Durability> done) {
    order(new Question.Overrule(domain, descriptors, limits, untilMillis), done);
  }

  private void order(Question<Durability> question, Asker<Durability> done) {
    orders.sendAll(Orders.STRICT, question, Durability::ofBoth, done);
  }

  @Override
  public void forgive(Kind kind, String name, Asker<Boolean> done) {
    orders.sendOwners(Orders.WORK, new Question.Forgive(kind, name), Boolean::logicalAnd, done);
  }

  @Override
  public void tryOut(String scope, String document, Asker<DryRun.Forecast> done) {
    policies.checkProposed(scope, document);
    orders.sendOwners(
        Orders.WORK, new Question.TryOut(scope, document), DryRun.Forecast::and, done);
  }
}

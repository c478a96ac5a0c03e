package io.penstock.server.cluster;

import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Asker;
import io.penstock.server.node.CheckRequest;
import io.penstock.server.node.Durability;
import io.penstock.server.node.Held;
import io.penstock.server.node.HoldingId;
import io.penstock.server.node.LocalNode;
import io.penstock.server.node.Settled;
import io.penstock.server.node.Throttled;
import io.penstock.server.policy.DryRun;
import io.penstock.server.policy.Kind;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/** What one node asks of another: every call of a node, as a value. Immutable. */
sealed interface Question<T> {
  /**
   * Has it answered by the node that owns; what undoes it if whoever asks gives up waiting, or null
   * if nothing does (R20).
   */
  @Nullable Runnable ask(LocalNode owner, Asker<T> done);

  /** Its answer as bytes. */
  Form<T> form();

  /** Whether asking it twice does no more than asking it once, because it has an id (R22). */
  default boolean isRepeatable() {
    return false;
  }

  /** What a request takes. */
  sealed interface Taking<T> extends Question<T> {
    CheckRequest request();

    @Override
    default boolean isRepeatable() {
      return request().requestId() != null;
    }
  }

  /** A check. */
  record Check(CheckRequest request) implements Taking<Answer> {
    @Override
    public @Nullable Runnable ask(LocalNode owner, Asker<Answer> done) {
      return owner.checkUndoably(request, done);
    }

    @Override
    public Form<Answer> form() {
      return Form.ANSWER;
    }
  }

  /** A part of a check whose other parts go elsewhere: it counts only if all of them pass (R21). */
  record Stake(CheckRequest request, HoldingId id) implements Taking<Answer> {
    @Override
    public @Nullable Runnable ask(LocalNode owner, Asker<Answer> done) {
      owner.checkPart(request, id, done);
      return null;
    }

    @Override
    public Form<Answer> form() {
      return Form.ANSWER;
    }
  }

  /** Such a part counts no more, whether it has come or not; then keys are looked at. */
  record TakeBack(CheckRequest look, HoldingId id) implements Question<Answer> {
    @Override
    public @Nullable Runnable ask(LocalNode owner, Asker<Answer> done) {
      owner.takeBack(id, look, done);
      return null;
    }

    @Override
    public Form<Answer> form() {
      return Form.ANSWER;
    }

    @Override
    public boolean isRepeatable() {
      return true;
    }
  }

  /** What is taken now and settled later. */
  record Reserve(CheckRequest request, long ttlMillis) implements Taking<Held> {
    @Override
    public @Nullable Runnable ask(LocalNode owner, Asker<Held> done) {
      return owner.reserveUndoably(request, ttlMillis, done);
    }

    @Override
    public Form<Held> form() {
      return Form.HELD;
    }
  }

  /** Concurrent slots. */
  record Acquire(CheckRequest request, long leaseMillis) implements Taking<Held> {
    @Override
    public @Nullable Runnable ask(LocalNode owner, Asker<Held> done) {
      return owner.acquireUndoably(request, leaseMillis, done);
    }

    @Override
    public Form<Held> form() {
      return Form.HELD;
    }
  }

  /** The real cost of what was reserved. */
  record Commit(String id, long cost) implements Question<Settled> {
    @Override
    public @Nullable Runnable ask(LocalNode owner, Asker<Settled> done) {
      owner.commit(id, cost, done);
      return null;
    }

    @Override
    public Form<Settled> form() {
      return Form.SETTLED;
    }

    @Override
    public boolean isRepeatable() {
      return true;
    }
  }

  /** What is done to something that is held, by its id; a part of any sort can be cancelled. */
  record Settle(Act act, String id) implements Question<Settled> {
    enum Act {
      CANCEL,
      RENEW,
      RELEASE
    }

    @Override
    public @Nullable Runnable ask(LocalNode owner, Asker<Settled> done) {
      switch (act) {
        case CANCEL -> owner.giveBack(id, done);
        case RENEW -> owner.renew(id, done);
        case RELEASE -> owner.release(id, done);
      }
      return null;
    }

    @Override
    public Form<Settled> form() {
      return Form.SETTLED;
    }

    @Override
    public boolean isRepeatable() {
      return true;
    }
  }

  /** Keys that forget. */
  record Reset(String domain, List<Descriptor> descriptors) implements Question<Durability> {
    @Override
    public @Nullable Runnable ask(LocalNode owner, Asker<Durability> done) {
      owner.reset(domain, descriptors, done);
      return null;
    }

    @Override
    public Form<Durability> form() {
      return Form.DURABILITY;
    }
  }

  /** Keys that are denied everything. */
  record Block(String domain, List<Descriptor> descriptors, long untilMillis)
      implements Question<Durability> {
    @Override
    public @Nullable Runnable ask(LocalNode owner, Asker<Durability> done) {
      owner.block(domain, descriptors, untilMillis, done);
      return null;
    }

    @Override
    public Form<Durability> form() {
      return Form.DURABILITY;
    }
  }

  /** Keys that come under other limits. */
  record Overrule(String domain, List<Descriptor> descriptors, List<Limit> limits, long untilMillis)
      implements Question<Durability> {
    @Override
    public @Nullable Runnable ask(LocalNode owner, Asker<Durability> done) {
      owner.override(domain, descriptors, limits, untilMillis, done);
      return null;
    }

    @Override
    public Form<Durability> form() {
      return Form.DURABILITY;
    }
  }

  /** A check that brings its own limit. */
  record Throttle(long hash, Limit limit, long cost) implements Question<Throttled> {
    @Override
    public @Nullable Runnable ask(LocalNode owner, Asker<Throttled> done) {
      Throttled atOnce = owner.throttle(hash, limit, cost, owner.nanos(), () -> done);
      if (atOnce != null) {
        done.accept(atOnce);
      }
      return null;
    }

    @Override
    public Form<Throttled> form() {
      return Form.THROTTLED;
    }
  }

  /** A key of such checks that forgets. */
  record Forget(long hash) implements Question<Boolean> {
    @Override
    public @Nullable Runnable ask(LocalNode owner, Asker<Boolean> done) {
      owner.forget(hash, done);
      return null;
    }

    @Override
    public Form<Boolean> form() {
      return Form.TRUTH;
    }
  }

  /** What takes longer than a decision, and may be asked again. */
  non-sealed interface Task<T> extends Question<T> {
    /** Has it done by the node that owns. */
    void work(LocalNode owner, Asker<T> done);

    /** Asks off the thread that brings questions, which must not wait. */
    @Override
    default @Nullable Runnable ask(LocalNode owner, Asker<T> done) {
      ForkJoinPool.commonPool()
          .execute(
              () -> {
                try {
                  work(owner, done);
                } catch (RuntimeException e) {
                  done.fail(e);
                }
              });
      return null;
    }

    @Override
    default boolean isRepeatable() {
      return true;
    }
  }

  /** What keys owe is cut, under a document. */
  record Forgive(Kind kind, String name) implements Task<Boolean> {
    @Override
    public void work(LocalNode owner, Asker<Boolean> done) {
      owner.forgive(kind, name, done);
    }

    @Override
    public Form<Boolean> form() {
      return Form.TRUTH;
    }
  }

  /** A policy that is only proposed. */
  record TryOut(String scope, String document) implements Task<DryRun.Forecast> {
    @Override
    public void work(LocalNode owner, Asker<DryRun.Forecast> done) {
      owner.tryOut(scope, document, done);
    }

    @Override
    public Form<DryRun.Forecast> form() {
      return Form.FORECAST;
    }
  }
}

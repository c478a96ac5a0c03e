package io.penstock.server.node;

import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import io.penstock.server.policy.DryRun;
import io.penstock.server.policy.Kind;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A node that answers as another does, but never at once; or that nobody answers any more. */
public final class LateNode implements Node, AutoCloseable {
  public static final String GONE = "owner: none known (expected: an answer in time)";

  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final Node node;
  private volatile boolean gone;

  public LateNode(Node node) {
    this.node = node;
  }

  /** From now on nobody answers. */
  public void goAway() {
    gone = true;
  }

  private <T> void later(Asker<T> done, Consumer<Asker<T>> call) {
    thread.execute(
        () -> {
          try {
            if (gone) {
              throw new UnavailableException(GONE);
            }
            call.accept(done);
          } catch (RuntimeException e) {
            done.fail(e);
          }
        });
  }

  @Override
  public PolicyDesk policies() {
    return node.policies();
  }

  @Override
  public void check(CheckRequest request, Asker<Answer> done) {
    later(done, told -> node.check(request, told));
  }

  @Override
  public long hash(byte[] key, int from, int length) {
    return node.hash(key, from, length);
  }

  @Override
  public long touch(long hash) {
    return node.touch(hash);
  }

  @Override
  public long nanos() {
    return node.nanos();
  }

  @Override
  public @Nullable Throttled throttle(
      long hash,
      Limit limit,
      long cost,
      long nowNanos,
      Supplier<? extends Asker<Throttled>> later) {
    later(
        later.get(),
        told -> {
          Throttled answer = node.throttle(hash, limit, cost, nowNanos, () -> told);
          if (answer != null) {
            told.accept(answer);
          }
        });
    return null;
  }

  @Override
  public void forget(long hash, Asker<Boolean> done) {
    later(done, told -> node.forget(hash, told));
  }

  @Override
  public void reserve(CheckRequest request, long ttlMillis, Asker<Held> done) {
    later(done, told -> node.reserve(request, ttlMillis, told));
  }

  @Override
  public void commit(String id, long cost, Asker<Settled> done) {
    later(done, told -> node.commit(id, cost, told));
  }

  @Override
  public void cancel(String id, Asker<Settled> done) {
    later(done, told -> node.cancel(id, told));
  }

  @Override
  public void acquire(CheckRequest request, long leaseMillis, Asker<Held> done) {
    later(done, told -> node.acquire(request, leaseMillis, told));
  }

  @Override
  public void renew(String id, Asker<Settled> done) {
    later(done, told -> node.renew(id, told));
  }

  @Override
  public void release(String id, Asker<Settled> done) {
    later(done, told -> node.release(id, told));
  }

  @Override
  public void reset(String domain, List<Descriptor> descriptors, Asker<Durability> done) {
    later(done, told -> node.reset(domain, descriptors, told));
  }

  @Override
  public void block(
      String domain, List<Descriptor> descriptors, long untilMillis, Asker<Durability> done) {
    later(done, told -> node.block(domain, descriptors, untilMillis, told));
  }

  @Override
  public void override(
      String domain,
      List<Descriptor> descriptors,
      List<Limit> limits,
      long untilMillis,
      Asker<Durability> done) {
    later(done, told -> node.override(domain, descriptors, limits, untilMillis, told));
  }

  @Override
  public void forgive(Kind kind, String name, Asker<Boolean> done) {
    later(done, told -> node.forgive(kind, name, told));
  }

  @Override
  public void tryOut(String scope, String document, Asker<DryRun.Forecast> done) {
    later(done, told -> node.tryOut(scope, document, told));
  }

  @Override
  public void close() {
    thread.shutdown();
  }
}

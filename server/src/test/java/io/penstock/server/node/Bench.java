package io.penstock.server.node;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.policy.Descriptor;
import io.penstock.server.policy.Change;
import io.penstock.server.policy.Kind;
import io.penstock.shard.Shard;
import io.penstock.shard.ShardOptions;
import io.penstock.testkit.ManualClock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A node on a clock of its own, to try things on. */
final class Bench {
  final ManualClock clock = new ManualClock();
  private final Shard shard = Shard.open(ShardOptions.of(null, clock, 16 << 20));
  final Node node = new Node("n1", shard, new Node.Secret(1, 2), clock);
  private long revision;

  Bench policy(String scope, @Nullable String document) {
    return put(Kind.POLICY, scope, document);
  }

  Bench tier(String name, String document) {
    return put(Kind.TIER, name, document);
  }

  private Bench put(Kind kind, String name, @Nullable String document) {
    String counters = document == null ? "" : node.policies().counters(kind, name, document);
    revision++;
    node.policies()
        .apply(
            new Change(kind, name, revision, revision, Instant.EPOCH, "test", document, counters));
    return this;
  }

  Answer check(long cost, String... keysAndValues) {
    return check(CheckRequest.of("api", List.of(Descriptor.of(keysAndValues)), cost));
  }

  Answer check(CheckRequest request) {
    return now(done -> node.check(request, done));
  }

  /** What is handed over before the call returns. */
  static <T> T now(Consumer<Consumer<T>> call) {
    AtomicReference<@Nullable T> told = new AtomicReference<>();
    call.accept(told::set);
    assertThat(told.get()).isNotNull();
    return requireNonNull(told.get());
  }
}

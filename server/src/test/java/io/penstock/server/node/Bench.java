package io.penstock.server.node;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import io.penstock.server.policy.Change;
import io.penstock.server.policy.Kind;
import io.penstock.shard.Shard;
import io.penstock.shard.ShardOptions;
import io.penstock.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A node on a clock of its own, to try things on. */
final class Bench {
  final ManualClock clock;
  final Node node;
  private final @Nullable Path folder;
  final Shard shard;
  private final List<Change> changes = new ArrayList<>();

  Bench() {
    this(/* folder= */ null, new ManualClock());
  }

  Bench(@Nullable Path folder, ManualClock clock) {
    this(folder, clock, ShardOptions.of(folder, clock, 16 << 20));
  }

  /** One that has little memory for counters, and no disk. */
  static Bench small() {
    ManualClock clock = new ManualClock();
    return new Bench(null, clock, ShardOptions.of(/* folder= */ null, clock, 2 << 20));
  }

  /** One that may keep so many reservations and orders. */
  static Bench ofNotes(long notesMax) {
    ManualClock clock = new ManualClock();
    return new Bench(null, clock, options(clock, notesMax));
  }

  /** Without a disk, and with room for so many reservations and orders. */
  static ShardOptions options(ManualClock clock, long notesMax) {
    ShardOptions usual = ShardOptions.of(/* folder= */ null, clock, 16 << 20);
    return new ShardOptions(
        usual.folder(),
        usual.clock(),
        usual.pace(),
        usual.tableBytes(),
        usual.stripes(),
        usual.idsMax(),
        usual.idBytes(),
        usual.idAgeNanos(),
        notesMax,
        usual.noteBytes(),
        usual.journalBytes());
  }

  private Bench(@Nullable Path folder, ManualClock clock, ShardOptions options) {
    this.folder = folder;
    this.clock = clock;
    this.shard = Shard.open(options);
    this.node = new LocalNode("n1", shard, new Node.Secret(1, 2));
  }

  /** A node in its place that knows what is stored, tiers first. */
  Bench restarted() {
    shard.close();
    Bench next = new Bench(folder, clock);
    next.changes.addAll(changes);
    next.node
        .policies()
        .load(
            reader -> {
              changes.stream().filter(each -> each.kind() == Kind.TIER).forEach(reader);
              changes.stream().filter(this::isLatestPolicy).forEach(reader);
            });
    next.node
        .policies()
        .loadPast(
            reader ->
                changes.stream()
                    .filter(each -> each.kind() == Kind.POLICY && !isLatestPolicy(each))
                    .forEach(reader));
    return next;
  }

  private boolean isLatestPolicy(Change change) {
    return change.kind() == Kind.POLICY
        && changes.stream()
            .filter(other -> other.kind() == Kind.POLICY && other.name().equals(change.name()))
            .allMatch(other -> other.revision() <= change.revision());
  }

  Bench policy(String scope, @Nullable String document) {
    return put(Kind.POLICY, scope, document);
  }

  Bench tier(String name, String document) {
    return put(Kind.TIER, name, document);
  }

  Bench put(Kind kind, String name, @Nullable String document) {
    String counters = document == null ? "" : node.policies().counters(kind, name, document);
    long revision = changes.size() + 1L;
    Change change =
        new Change(kind, name, revision, revision, Instant.EPOCH, "test", document, counters);
    changes.add(change);
    node.policies().apply(change);
    return this;
  }

  Answer check(long cost, String... keysAndValues) {
    return check(CheckRequest.of("api", List.of(Descriptor.of(keysAndValues)), cost));
  }

  Answer check(CheckRequest request) {
    return now(done -> node.check(request, done));
  }

  /** Reserves for an hour; answers the id. */
  String reserve(long cost, String... keysAndValues) {
    CheckRequest request = CheckRequest.of("api", List.of(Descriptor.of(keysAndValues)), cost);
    Held held = now(done -> node.reserve(request, Duration.ofHours(1).toMillis(), done));
    return requireNonNull(held.id());
  }

  void cancel(String id) {
    Settled settled = kept(done -> node.cancel(id, done));
    assertThat(settled).isEqualTo(Settled.DONE);
  }

  void commit(String id, long cost) {
    Settled settled = kept(done -> node.commit(id, cost, done));
    assertThat(settled).isEqualTo(Settled.DONE);
  }

  /** Acquires for so long; answers the id. */
  String acquire(long leaseMillis, String... keysAndValues) {
    CheckRequest request = CheckRequest.of("api", List.of(Descriptor.of(keysAndValues)), 1);
    Held held = now(done -> node.acquire(request, leaseMillis, done));
    return requireNonNull(held.id());
  }

  Settled release(String id) {
    return kept(done -> node.release(id, done));
  }

  Settled renew(String id) {
    return kept(done -> node.renew(id, done));
  }

  /** Puts a key under another limit for so long. */
  void override(String limit, Duration during, String... keysAndValues) {
    List<Descriptor> keys = List.of(Descriptor.of(keysAndValues));
    List<Limit> limits = List.of(Limit.parse(limit));
    long until = clock.instant().plus(during).toEpochMilli();
    Durability kept = kept(done -> node.override("api", keys, limits, until, done));
    assertThat(kept).isNotNull();
  }

  void block(Duration during, String... keysAndValues) {
    List<Descriptor> keys = List.of(Descriptor.of(keysAndValues));
    long until = clock.instant().plus(during).toEpochMilli();
    Durability kept = kept(done -> node.block("api", keys, until, done));
    assertThat(kept).isNotNull();
  }

  void reset(String... keysAndValues) {
    List<Descriptor> keys = List.of(Descriptor.of(keysAndValues));
    Durability kept = kept(done -> node.reset("api", keys, done));
    assertThat(kept).isNotNull();
  }

  /** What is handed over when it is kept. */
  static <T> T kept(Consumer<Asker<T>> call) {
    CompletableFuture<T> told = new CompletableFuture<>();
    call.accept(Asker.of(told::complete, told::completeExceptionally));
    return told.orTimeout(30, TimeUnit.SECONDS).join();
  }

  /** What is handed over before the call returns. */
  static <T> T now(Consumer<Asker<T>> call) {
    AtomicReference<@Nullable T> told = new AtomicReference<>();
    call.accept(
        Asker.of(
            told::set,
            cause -> {
              throw cause;
            }));
    assertThat(told.get()).isNotNull();
    return requireNonNull(told.get());
  }
}

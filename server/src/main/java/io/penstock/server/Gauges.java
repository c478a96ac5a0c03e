package io.penstock.server;

import io.penstock.server.node.Node;
import io.penstock.server.ops.Metrics;
import io.penstock.shard.Shard;

/** What the metrics tell of the shard and the policies. */
final class Gauges {
  private static final double NANOS_PER_SECOND = 1e9;

  private Gauges() {}

  static void of(Metrics metrics, Shard shard, Node node) {
    metrics.gauge(
        "penstock.memory.used.bytes", "Memory of all counters.", () -> shard.table().bytes());
    metrics.gauge("penstock.memory.max.bytes", "Its bound.", () -> shard.table().bytesMax());
    metrics.gauge("penstock.ids", "Request ids remembered.", () -> shard.ids().size());
    metrics.counter(
        "penstock.ids.dropped",
        "Request ids forgotten before their time, for want of room.",
        () -> shard.ids().dropped());
    metrics.gauge(
        "penstock.ids.window.seconds",
        "How long a request id is remembered at present.",
        () -> shard.ids().windowNanos(shard.clock().nanos()) / NANOS_PER_SECOND);
    metrics.gauge("penstock.notes", "Held, blocked, overridden.", () -> shard.notes().size());
    metrics.gauge(
        "penstock.journal.durable",
        "1 if decisions reach the disk.",
        () -> shard.isDurable() ? 1 : 0);
    metrics.gauge(
        "penstock.journal.bytes", "Since the last snapshot.", () -> shard.stats().journalBytes());
    metrics.gauge(
        "penstock.snapshot.bytes", "The last snapshot.", () -> shard.stats().snapshotBytes());
    metrics.counter("penstock.journal.frames", "Frames.", () -> shard.stats().frames());
    metrics.counter("penstock.journal.syncs", "Waits for the disk.", () -> shard.stats().syncs());
    metrics.counter(
        "penstock.journal.failures", "Failures of the disk.", () -> shard.stats().failures());
    metrics.counter("penstock.snapshots", "Snapshots.", () -> shard.stats().snapshots());
    metrics.gauge(
        "penstock.policy.revision",
        "The newest change in force.",
        () -> node.policies().revision());
  }
}

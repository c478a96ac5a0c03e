package io.penstock.server;

import io.penstock.cluster.Traffic;
import io.penstock.server.cluster.Tally;
import io.penstock.server.cluster.Topology;
import io.penstock.server.node.Heat;
import io.penstock.server.node.Node;
import io.penstock.server.node.ShardRate;
import io.penstock.server.node.Signature;
import io.penstock.server.ops.Metrics;
import io.penstock.shard.Shard;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What the metrics tell of the shard and the policies. */
final class Gauges {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Supplier<List<Shard>> current;

  private Gauges(Supplier<List<Shard>> current) {
    this.current = current;
  }

  private DoubleSupplier told(ToDoubleFunction<Shard> telling) {
    return () -> current.get().stream().mapToDouble(telling).sum();
  }

  private DoubleSupplier least(ToDoubleFunction<Shard> telling) {
    return () -> current.get().stream().mapToDouble(telling).min().orElse(0);
  }

  private LongSupplier counted(ToLongFunction<Shard> counting) {
    return () -> current.get().stream().mapToLong(counting).sum();
  }

  /** Tells of the shards that are decided on; nothing while there is none. */
  static void of(Metrics metrics, Supplier<List<Shard>> current, Node node) {
    Gauges gauges = new Gauges(current);
    metrics.gauge(
        "penstock.memory.used.bytes",
        "Memory of all counters.",
        gauges.told(shard -> shard.table().bytes()));
    metrics.gauge(
        "penstock.memory.max.bytes", "Its bound.", gauges.told(shard -> shard.table().bytesMax()));
    metrics.gauge(
        "penstock.ids", "Request ids remembered.", gauges.told(shard -> shard.ids().size()));
    metrics.counter(
        "penstock.ids.dropped",
        "Request ids forgotten before their time, for want of room.",
        gauges.counted(shard -> shard.ids().dropped()));
    metrics.gauge(
        "penstock.ids.window.seconds",
        "How long a request id is remembered at present.",
        gauges.least(shard -> shard.ids().windowNanos(shard.clock().nanos()) / NANOS_PER_SECOND));
    gauges.tellNotes(metrics);
    gauges.tellLog(metrics);
    metrics.gauge(
        "penstock.policy.revision",
        "The newest change in force.",
        () -> node.policies().revision());
  }

  private void tellNotes(Metrics metrics) {
    metrics.gauge(
        "penstock.notes", "Held, blocked, overridden.", told(shard -> shard.notes().size()));
    metrics.gauge(
        "penstock.notes.max", "How many there may be.", told(shard -> shard.notes().sizeMax()));
    metrics.gauge(
        "penstock.notes.used.bytes", "What they take.", told(shard -> shard.notes().bytes()));
    metrics.gauge(
        "penstock.notes.max.bytes", "Its bound.", told(shard -> shard.notes().bytesMax()));
    metrics.gauge("penstock.settled", "Settled of late.", told(shard -> shard.marks().size()));
    metrics.gauge(
        "penstock.settled.max",
        "How many of these are remembered at most.",
        told(shard -> shard.marks().sizeMax()));
    metrics.counter(
        "penstock.settled.dropped",
        "Settled ones forgotten before their time, for want of room.",
        counted(shard -> shard.marks().dropped()));
    metrics.gauge(
        "penstock.settled.window.seconds",
        "How long it is remembered at present that something was settled.",
        least(shard -> shard.marks().windowNanos(shard.clock().nanos()) / NANOS_PER_SECOND));
  }

  private void tellLog(Metrics metrics) {
    metrics.gauge(
        "penstock.journal.durable",
        "1 if decisions reach the disk.",
        least(shard -> shard.isDurable() ? 1 : 0));
    metrics.gauge(
        "penstock.journal.bytes",
        "Since the last snapshot.",
        told(shard -> shard.stats().journalBytes()));
    metrics.gauge(
        "penstock.snapshot.bytes",
        "The last snapshot.",
        told(shard -> shard.stats().snapshotBytes()));
    metrics.gauge(
        "penstock.journal.discarded.bytes",
        "Not whole when the server started.",
        told(shard -> shard.discarded().bytes()));
    metrics.counter("penstock.journal.frames", "Frames.", counted(shard -> shard.stats().frames()));
    metrics.counter(
        "penstock.journal.syncs", "Waits for the disk.", counted(shard -> shard.stats().syncs()));
    metrics.counter(
        "penstock.journal.failures",
        "Failures of the disk.",
        counted(shard -> shard.stats().failures()));
    metrics.counter(
        "penstock.snapshots", "Snapshots.", counted(shard -> shard.stats().snapshots()));
  }

  /** Tells how much is decided on shards: by group, and of the hottest. Never one by one. */
  static void ofHeat(Metrics metrics, Heat heat, Topology topology) {
    Map<String, List<Integer>> groups =
        IntStream.range(0, Signature.SHARDS)
            .boxed()
            .collect(Collectors.groupingBy(shard -> topology.shard(shard).group()));
    groups.forEach(
        (group, shards) ->
            metrics.counter(
                "penstock.group.decisions",
                "What this node has decided on the shards of a group.",
                new Metrics.Label("group", group),
                () -> shards.stream().mapToLong(heat::decisions).sum()));
    metrics.gauge(
        "penstock.shards.hot",
        "Shards of this node that are hot.",
        () -> heat.shards().stream().filter(ShardRate::hot).count());
    metrics.gauge(
        "penstock.shard.rate.max",
        "Decisions per second on the hottest shard of this node.",
        () -> heat.shards().stream().mapToLong(ShardRate::perSecond).max().orElse(0));
  }

  private static void ofGroup(Metrics metrics, Topology topology, String group) {
    Metrics.Label label = new Metrics.Label("group", group);
    metrics.gauge(
        "penstock.cluster.leader",
        "1 if this node leads.",
        label,
        () -> topology.node().equals(topology.group(group).leader()) ? 1 : 0);
    metrics.gauge(
        "penstock.cluster.term",
        "Grows with each leader.",
        label,
        () -> topology.group(group).term());
    metrics.gauge(
        "penstock.cluster.applied.index",
        "Up to which the log is applied here.",
        label,
        () -> topology.group(group).appliedIndex());
  }

  /** Tells of the groups of a node, and of what it carries to others. */
  static void ofCluster(Metrics metrics, Topology topology, Tally tally, Traffic traffic) {
    topology.onGroup(group -> ofGroup(metrics, topology, group));
    metrics.counter(
        "penstock.cluster.forwarded", "Questions sent to other nodes.", tally::forwarded);
    metrics.counter(
        "penstock.cluster.forward.failures", "Those that got no answer.", tally::failures);
    metrics.gauge(
        "penstock.cluster.outstanding",
        "Questions that no answer has come to yet.",
        traffic::outstanding);
    ofMessages(metrics, "questions", traffic.questions());
    ofMessages(metrics, "answers", traffic.answers());
    for (String reason : tally.reasons()) {
      metrics.counter(
          "penstock.cluster.fail.answers",
          "What was answered without an owner.",
          new Metrics.Label("reason", reason),
          () -> tally.failAnswers(reason));
    }
  }

  private static void ofMessages(Metrics metrics, String carried, Traffic.Count count) {
    Metrics.Label label = new Metrics.Label("carried", carried);
    metrics.counter(
        "penstock.cluster.messages", "Messages to other nodes.", label, count::messages);
    metrics.counter("penstock.cluster.letters", "What they carried.", label, count::letters);
  }
}

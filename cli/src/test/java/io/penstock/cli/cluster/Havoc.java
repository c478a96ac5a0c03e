package io.penstock.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.cli.cluster.Fault.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Makes faults happen to real nodes, and mends them again. Confined to one thread. */
final class Havoc {
  private static final int FOURTH = Nodes.COUNT;
  private static final int DONE = 0;
  private static final int NOT_DONE = 1;
  private static final int NOT_FOUND = 3;
  private static final int REPEATS_MAX = 3;

  private final Nodes nodes;
  private final Wires wires;
  private final Path folder;
  private final Console console = new Console();
  private final Map<Integer, FakeClock> clocks = new HashMap<>();
  private final Set<Kind> possible = EnumSet.allOf(Kind.class);
  private int disks;

  /** Of nodes that are not started yet. */
  Havoc(Nodes nodes, Wires wires, Path folder) throws IOException, InterruptedException {
    this.nodes = nodes;
    this.wires = wires;
    this.folder = folder;
    if (!SlowDisk.isPossible(folder.resolve("idle"))) {
      possible.remove(Kind.SLOW_DISK);
    }
    if (!FakeClock.isPossible()) {
      possible.removeAll(EnumSet.of(Kind.CLOCK_OFF, Kind.CLOCK_STEPPED));
      return;
    }
    for (int node = 0; node < Nodes.COUNT; node++) {
      FakeClock clock = FakeClock.at(folder.resolve("clock-" + node));
      nodes.environment(node, clock.environment());
      clocks.put(node, clock);
    }
  }

  /** Whether it can happen here: a disk needs strace for it, a clock libfaketime. */
  boolean isPossible(Fault fault) {
    return possible.contains(fault.kind());
  }

  /** What takes its time before a fault can happen. */
  void prepare(Fault fault) throws IOException {
    if (fault.kind() == Kind.JOINED) {
      nodes.start(FOURTH);
      nodes.awaitHealth(FOURTH, "penstock cluster add");
    }
  }

  /** Lets a fault happen to a node, and returns when it is over. */
  void happen(Fault fault, int node) throws Exception {
    switch (fault.kind()) {
      case KILLED -> {
        nodes.kill(node);
        last(fault);
        start(node);
      }
      case ENDED -> restart(node);
      case PAUSED -> {
        nodes.signal(node, "STOP");
        last(fault);
        nodes.signal(node, "CONT");
      }
      case CUT_OFF, MUTE, DEAF, PARTED, SLOW, HEARD_LATE -> {
        wires.delay((from, to) -> fault.delay(node, from, to));
        last(fault);
        wires.delay((from, to) -> Duration.ZERO);
      }
      case SLOW_DISK -> slowDisk(fault, node);
      case CLOCK_STEPPED -> {
        clock(node).step(fault.ahead());
        last(fault);
        clock(node).step(Duration.ZERO);
      }
      case CLOCK_OFF -> clockOff(fault, node);
      case DRAINED -> {
        order(node, "drain", Nodes.name(node));
        last(fault);
        restart(node);
      }
      case JOINED -> join(fault);
      case REMOVED -> remove(fault, node);
    }
  }

  private static void last(Fault fault) {
    last(fault.millis());
  }

  /** How long a fault lasts is a part of it. */
  static void last(long millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private void start(int node) throws IOException {
    nodes.start(node);
    nodes.awaitReady(node);
  }

  private void restart(int node) throws IOException, InterruptedException {
    nodes.end(node);
    start(node);
  }

  private FakeClock clock(int node) {
    FakeClock clock = clocks.get(node);
    if (clock == null) {
      throw new IllegalStateException(Nodes.name(node) + ": its clock is that of the machine");
    }
    return clock;
  }

  /**
   * Gives an order as an operator does: one that was not done in time may go on, so it is repeated,
   * and a node that is not there any more by then has been removed.
   */
  private void order(int asked, String what, String node) {
    int status = console.run(nodes.url(asked), "cluster", what, node);
    for (int i = 0; status == NOT_DONE && i < REPEATS_MAX; i++) {
      System.out.println("FaultsIT: " + what + " " + node + " again: " + console.printed());
      status = console.run(nodes.url(asked), "cluster", what, node);
      status = what.equals("remove") && status == NOT_FOUND ? DONE : status;
    }
    assertThat(status).as(console.printed()).isEqualTo(DONE);
  }

  private void slowDisk(Fault fault, int node) throws IOException {
    Path log = folder.resolve("disk-" + disks++);
    try (SlowDisk disk = SlowDisk.of(nodes.pid(node), fault.lateMillis(), log)) {
      assertThat(disk.isAttached()).isTrue();
      last(fault);
      assertThat(disk.delayed()).as("delayed syncs").isPositive();
    }
  }

  private void clockOff(Fault fault, int node) throws IOException, InterruptedException {
    nodes.kill(node);
    clock(node).step(fault.ahead());
    start(node);
    nodes.awaitHealth(node, "ms ahead of the others");
    last(fault);
    clock(node).step(Duration.ZERO);
    restart(node);
  }

  private void join(Fault fault) throws IOException, InterruptedException {
    order(/* asked= */ 0, "add", nodes.peer(FOURTH));
    nodes.awaitReady(FOURTH);
    last(fault);
    order(/* asked= */ 0, "remove", Nodes.name(FOURTH));
    nodes.kill(FOURTH);
    nodes.wipe(FOURTH);
  }

  private void remove(Fault fault, int node) throws IOException, InterruptedException {
    int asked = (node + 1) % Nodes.COUNT;
    order(asked, "remove", Nodes.name(node));
    last(fault);
    nodes.kill(node);
    nodes.wipe(node);
    nodes.start(node);
    nodes.awaitHealth(node, "penstock cluster add");
    order(asked, "add", nodes.peer(node));
    nodes.awaitReady(node);
  }
}

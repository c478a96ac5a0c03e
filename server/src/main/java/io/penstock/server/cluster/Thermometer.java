package io.penstock.server.cluster;

import io.penstock.core.Clock;
import io.penstock.server.node.Heat;
import io.penstock.server.node.ShardRate;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;

/** Reads the heat of the shards of a node every second, and logs which are hot. Thread-safe. */
public final class Thermometer implements AutoCloseable {
  private static final Logger LOG = System.getLogger(Thermometer.class.getName());
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final String NAMES = "\"penstock shards --hot\" names their keys";
  private static final String MOVES =
      ", \"penstock cluster move SHARD NODE\" has another node own one";

  private final Heat heat;
  private final Topology topology;
  private final Clock clock;
  private final HeatLine line;
  private long readNanos;
  private volatile boolean ended;

  /**
   * One of a node.
   *
   * @param clock by which rates are measured, whatever checks are decided by
   */
  public Thermometer(Heat heat, Topology topology, Clock clock) {
    this.heat = heat;
    this.topology = topology;
    this.clock = clock;
    this.line = new HeatLine(topology.cluster() == null ? NAMES : NAMES + MOVES);
    this.readNanos = clock.nanos();
  }

  /** Reads from now on, until it is closed. */
  public void begin() {
    clock.after(PAUSE_NANOS).execute(this::round);
  }

  private void round() {
    if (ended) {
      return;
    }
    try {
      read();
    } finally {
      begin();
    }
  }

  private synchronized void read() {
    long nowNanos = clock.nanos();
    heat.read(
        nowNanos - readNanos, shard -> topology.node().equals(topology.shard(shard).leader()));
    readNanos = nowNanos;
    String said = line.of(heat.shards().stream().filter(ShardRate::hot).toList(), nowNanos);
    if (said != null) {
      LOG.log(Level.INFO, said);
    }
  }

  @Override
  public void close() {
    ended = true;
  }
}

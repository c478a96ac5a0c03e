package io.penstock.server.resp;

import io.penstock.server.ops.Decisions;
import io.penstock.server.ops.Metrics;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** What the Redis protocol has done so far. Thread-safe. */
public final class RespStats {
  /** Commands that do not exist are counted together: their names come from the client. */
  static final String UNKNOWN = "unknown";

  private final ConcurrentMap<String, LongAdder> calls = new ConcurrentHashMap<>();
  private final LongAdder refused = new LongAdder();
  private final LongAdder turnedAway = new LongAdder();
  private final AtomicInteger connections = new AtomicInteger();
  private final Decisions decisions;

  public RespStats(Decisions decisions) {
    this.decisions = decisions;
  }

  /** Counts that nobody sees. */
  public RespStats() {
    this(new Metrics(() -> 0, /* traced= */ false).decisions("resp"));
  }

  /** Who counts what was decided. */
  Decisions decisions() {
    return decisions;
  }

  LongAdder calls(String command) {
    return calls.computeIfAbsent(command, c -> new LongAdder());
  }

  /** How often each command was called, by its name in small letters. */
  public Map<String, Long> calls() {
    Map<String, Long> copy = new TreeMap<>();
    calls.forEach((command, count) -> copy.put(command, count.sum()));
    return copy;
  }

  void refuse() {
    refused.increment();
  }

  /** How many commands were answered with an error. */
  public long refused() {
    return refused.sum();
  }

  /** Takes a place for a connection; false if there is none. */
  boolean enter(int connectionsMax) {
    if (connections.incrementAndGet() <= connectionsMax) {
      return true;
    }
    connections.decrementAndGet();
    turnedAway.increment();
    return false;
  }

  void exit() {
    connections.decrementAndGet();
  }

  /** How many connections are open. */
  public int connections() {
    return connections.get();
  }

  /** How many connections were closed at once because there were too many. */
  public long turnedAway() {
    return turnedAway.sum();
  }
}

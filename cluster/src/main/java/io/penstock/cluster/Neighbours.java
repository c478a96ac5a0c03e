package io.penstock.cluster;

import io.penstock.core.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Which other nodes answer, and what time it is there (R15). Thread-safe.
 *
 * <p>Each is asked once a second. Who becomes the owner knows by that what time it is, without
 * having to ask first.
 */
final class Neighbours implements AutoCloseable, Runnable {
  private static final long PAUSE_MILLIS = 1_000;
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** Of two clocks nobody can tell which one is off. */
  private static final int CLOCKS_MIN = 3;

  private static final long SILENT_NANOS_MAX = TimeUnit.SECONDS.toNanos(3);

  /** What a node has answered: how far its clock is ahead of ours, and when that was. */
  private record Heard(long aheadNanos, long atNanos) {}

  private final List<Peer> others;
  private final Clock clock;
  private final Function<Peer, CompletionStage<byte[]>> asking;
  private final Runnable whenOff;
  private final Map<String, Heard> heard = new ConcurrentHashMap<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread = new Thread(this, "penstock-neighbours");

  /**
   * The others, none of which has answered yet.
   *
   * @param whenOff told with each round in which this node's own clock is off
   */
  Neighbours(
      List<Peer> others,
      Clock clock,
      Function<Peer, CompletionStage<byte[]>> asking,
      Runnable whenOff) {
    this.others = List.copyOf(others);
    this.clock = clock;
    this.asking = asking;
    this.whenOff = whenOff;
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  @Override
  public void run() {
    try {
      do {
        round();
      } while (!closed.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void round() {
    others.forEach(this::ask);
    if (isOff()) {
      whenOff.run();
    }
  }

  /** The answer was given somewhere between question and arrival: in the middle, we say. */
  private void ask(Peer peer) {
    long asked = clock.nanos();
    var unused =
        asking
            .apply(peer)
            .thenAccept(
                answer -> {
                  long now = clock.nanos();
                  long ahead = Hello.read(answer).wallNanos() - (asked + (now - asked) / 2);
                  heard.put(peer.name(), new Heard(ahead, now));
                });
  }

  private boolean isFresh(@Nullable Heard answer) {
    return answer != null && clock.nanos() - answer.atNanos < SILENT_NANOS_MAX;
  }

  /** How far the clocks of those who answer are ahead of ours. */
  long[] aheadNanos() {
    return heard.values().stream().filter(this::isFresh).mapToLong(Heard::aheadNanos).toArray();
  }

  /** How far the clock of a node is ahead of ours; null if it does not answer. */
  @Nullable Long aheadNanos(String name) {
    Heard answer = heard.get(name);
    return answer == null || !isFresh(answer) ? null : Long.valueOf(answer.aheadNanos);
  }

  /** How far the middle of all clocks is ahead of ours; 0 if too few answer to tell. */
  private long middleNanos() {
    long[] all =
        LongStream.concat(LongStream.of(aheadNanos()), LongStream.of(0)).sorted().toArray();
    return all.length < CLOCKS_MIN ? 0 : all[all.length / 2];
  }

  private boolean isOff() {
    return Math.abs(middleNanos()) > LogTime.AGREE_NANOS;
  }

  /** Whether the clock of another node agrees with the middle of all. */
  boolean isOnTime(String name) {
    Long ahead = aheadNanos(name);
    return ahead != null && Math.abs(ahead - middleNanos()) <= LogTime.AGREE_NANOS;
  }

  /** Those who do not answer, by name. */
  List<String> silent() {
    return others.stream().map(Peer::name).filter(name -> !isFresh(heard.get(name))).toList();
  }

  /** Whether most of all nodes answer, this one included. */
  private boolean isMajority() {
    return 2 * (others.size() + 1 - silent().size()) > others.size() + 1;
  }

  /** Who does not answer, or that our clock is off; null if all is well. */
  @Nullable String trouble() {
    List<String> silent = silent();
    if (!silent.isEmpty()) {
      String rest = isMajority() ? "all" : "most; without them nothing is decided";
      return "nodes that do not answer: " + String.join(", ", silent) + " (expected: " + rest + ")";
    }
    long off = -middleNanos() / NANOS_PER_MILLI;
    return isOff() ? "clock: " + off + " ms ahead of the others (expected: within 1 s)" : null;
  }

  @Override
  public void close() {
    closed.countDown();
  }
}

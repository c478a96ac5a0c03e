package io.penstock.cluster;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
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

  /** Who has answered, how far its clock is ahead of our steady one, and when on that it did. */
  private record Heard(Hello hello, long aheadNanos, long atNanos) {}

  private final Supplier<List<Peer>> others;
  private final Supplier<@Nullable Membership> own;
  private final NodeClock clock;
  private final Function<Peer, CompletionStage<Hello>> asking;
  private final Runnable whenOff;
  private final Map<String, Heard> heard = new ConcurrentHashMap<>();
  private final Silence silence = new Silence();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread = new Thread(this, "penstock-neighbours");

  /**
   * The others, none of which has answered yet.
   *
   * @param own the cluster that this node belongs to; null as long as it is in none
   * @param whenOff told with each round in which this node's own clock is off
   */
  Neighbours(
      Supplier<List<Peer>> others,
      Supplier<@Nullable Membership> own,
      NodeClock clock,
      Function<Peer, CompletionStage<Hello>> asking,
      Runnable whenOff) {
    this.others = others;
    this.own = own;
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
    others.get().forEach(this::ask);
    if (isOff()) {
      clock.setIfWallAgrees(clock.nanos() + middleNanos(), LogTime.AGREE_NANOS);
    }
    if (isOff()) {
      whenOff.run();
    }
  }

  /** The answer was given somewhere between question and arrival: in the middle, we say. */
  private void ask(Peer peer) {
    long asked = clock.steadyNanos();
    var unused =
        asking
            .apply(peer)
            .whenComplete(
                (hello, failure) -> {
                  if (failure == null) {
                    silence.ends(peer.name());
                    long now = clock.steadyNanos();
                    long ahead = hello.wallNanos() - (asked + (now - asked) / 2);
                    heard.put(peer.name(), new Heard(hello, ahead, now));
                  } else {
                    silence.lasts(peer.name(), failure);
                  }
                });
  }

  private boolean isFresh(@Nullable Heard answer) {
    return answer != null && clock.steadyNanos() - answer.atNanos < SILENT_NANOS_MAX;
  }

  /** What time it is now on the nodes that answer. */
  long[] othersNanos() {
    long steady = clock.steadyNanos();
    return fresh().map(ahead -> steady + ahead).toArray();
  }

  /** How far the clocks of those who answer are ahead of our steady one. */
  private LongStream fresh() {
    return heard.values().stream().filter(this::isFresh).mapToLong(Heard::aheadNanos);
  }

  /** How far the clock of a node is ahead of ours; null if it does not answer. */
  @Nullable Long aheadNanos(String name) {
    Heard answer = heard.get(name);
    return answer == null || !isFresh(answer)
        ? null
        : Long.valueOf(answer.aheadNanos - clock.setNanos());
  }

  /** How far the middle of all clocks is ahead of ours; 0 if too few answer to tell. */
  private long middleNanos() {
    long own = clock.setNanos();
    long[] all = LongStream.concat(fresh(), LongStream.of(own)).sorted().toArray();
    return all.length < CLOCKS_MIN ? 0 : all[all.length / 2] - own;
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
  private List<String> silent() {
    return named(others.get(), answer -> !isFresh(answer));
  }

  /** Those who answer and are not who they were. */
  private List<String> strangers() {
    return named(others.get(), answer -> answer != null && isFresh(answer) && !isOurs(answer));
  }

  private boolean isOurs(Heard answer) {
    Membership known = own.get();
    return known != null && known.has(answer.hello.self().id());
  }

  /** Those of them who belong to another cluster. */
  private List<String> elsewhere() {
    Membership known = own.get();
    Map<String, UUID> told = clusters();
    return strangers().stream()
        .filter(
            name ->
                known != null && !told.getOrDefault(name, known.cluster()).equals(known.cluster()))
        .toList();
  }

  /** The clusters that others have said last they belong to, by the names of those. */
  Map<String, UUID> clusters() {
    Map<String, UUID> clusters = new TreeMap<>();
    heard.forEach(
        (name, answer) -> {
          Membership told = answer.hello.membership();
          if (told != null) {
            clusters.put(name, told.cluster());
          }
        });
    return clusters;
  }

  private List<String> named(List<Peer> peers, Predicate<@Nullable Heard> how) {
    return peers.stream().map(Peer::name).filter(name -> how.test(heard.get(name))).toList();
  }

  /** Who does not answer, or has lost its disk; null if all are there. */
  @Nullable String absence() {
    List<String> silent = silent();
    List<String> strangers = strangers();
    int all = others.get().size() + 1;
    boolean isMajority = 2 * (all - silent.size() - strangers.size()) > all;
    List<String> elsewhere = elsewhere();
    if (!elsewhere.isEmpty()) {
      return "nodes of another cluster: "
          + String.join(", ", elsewhere)
          + wanted("all of this one: start them on the data they had, or on an empty folder");
    }
    if (!strangers.isEmpty()) {
      String rest =
          isMajority
              ? "all with it; they are let in again"
              : "most with it; without them nothing is decided: start them on the data they had";
      return "nodes whose data is gone: " + String.join(", ", strangers) + wanted(rest);
    }
    String rest = isMajority ? "all" : "most; without them nothing is decided";
    return silent.isEmpty()
        ? null
        : "nodes that do not answer: "
            + silent.stream().map(silence::of).collect(Collectors.joining(", "))
            + wanted(rest);
  }

  /** The trouble of a node that is in no cluster, and whom of the others it cannot talk to. */
  String besides(String trouble) {
    String known = silence.all();
    return known.isEmpty() ? trouble : trouble + "; nodes that do not answer: " + known;
  }

  /** That our clock is off; null if it is not. */
  @Nullable String clockTrouble() {
    long off = -middleNanos() / NANOS_PER_MILLI;
    return isOff() ? "clock: " + off + " ms ahead of the others" + wanted("within 1 s") : null;
  }

  private static String wanted(String what) {
    return " (expected: " + what + ")";
  }

  @Override
  public void close() {
    closed.countDown();
  }
}

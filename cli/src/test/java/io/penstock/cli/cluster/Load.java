package io.penstock.cli.cluster;

import io.penstock.cli.cluster.Attempt.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Clients of every node, each asking as soon as it is answered, and all that they were told.
 * Thread-safe.
 */
final class Load implements AutoCloseable {
  /*
   * A few keys are being used up at any time, and new ones follow them, so there are always both
   * strict allows and keys at their limit. Every so often a client comes back to a key that was
   * used up long ago: an owner that has forgotten it would allow it once more.
   */
  static final long CAPACITY = 10;

  private static final int CLIENTS_PER_NODE = 2;
  private static final int CHECKS_PER_KEY = 20;
  private static final int KEYS_AT_ONCE = 6;
  private static final int REPEATS_MAX = 3;

  /* A node that is down refuses at once: who asks it again at once only burns the machine. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Witness witness;
  private final AtomicLong checks = new AtomicLong();
  private final AtomicLong ids = new AtomicLong();
  private final List<Thread> clients = new ArrayList<>();
  private volatile long lastFullNanos = System.nanoTime() - TimeUnit.HOURS.toNanos(1);
  private volatile boolean closing;

  Load(Nodes nodes, long seed) {
    this.witness = new Witness(nodes, Reply.STRICT);
    SplittableRandom seeds = new SplittableRandom(seed);
    for (int i = 0; i < CLIENTS_PER_NODE * Nodes.COUNT; i++) {
      int node = i % Nodes.COUNT;
      SplittableRandom random = seeds.split();
      clients.add(new Thread(() -> run(node, random), "client-" + i));
    }
    clients.forEach(Thread::start);
  }

  private void run(int node, SplittableRandom random) {
    while (!closing) {
      String key = key(random);
      if (random.nextInt(3) == 0) {
        repeat(node, key, "id-" + ids.incrementAndGet());
      } else {
        ask(node, key, /* id= */ null);
      }
    }
  }

  private String key(SplittableRandom random) {
    long newest = checks.incrementAndGet() / CHECKS_PER_KEY + KEYS_AT_ONCE;
    boolean isOld = random.nextInt(8) == 0;
    return "key-" + (isOld ? random.nextLong(newest) : newest - random.nextInt(KEYS_AT_ONCE));
  }

  /** Asks as a client does that must know: at other nodes until it is told, and once more. */
  private void repeat(int node, String key, String id) {
    boolean isTold = false;
    for (int i = 0; i < REPEATS_MAX && !closing; i++) {
      Attempt attempt = ask((node + i) % Nodes.COUNT, key, id);
      if (isTold) {
        return;
      }
      isTold = !attempt.isUnknown();
    }
  }

  private Attempt ask(int node, String key, @Nullable String id) {
    Attempt attempt = witness.ask(node, key, id);
    if (attempt.isLast()) {
      lastFullNanos = attempt.span().heardNanos();
    }
    if (attempt.verdict().kind() == Kind.SILENT) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return attempt;
  }

  /** Whether a key has come to its limit within so many nanoseconds before now. */
  boolean isFilling(long withinNanos) {
    return System.nanoTime() - lastFullNanos < withinNanos;
  }

  /** Everything that clients were told, as far as they were. */
  List<Attempt> history() {
    return witness.history();
  }

  /** What each key has used by now, by whichever node is asked. */
  Map<String, Long> used() {
    return witness.used(CAPACITY);
  }

  /** Returns when every client has had its last answer. */
  @Override
  public void close() {
    closing = true;
    try {
      for (Thread client : clients) {
        client.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

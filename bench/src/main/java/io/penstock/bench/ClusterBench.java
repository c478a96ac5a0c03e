package io.penstock.bench;

import io.penstock.core.Clock;
import io.penstock.core.policy.Descriptor;
import io.penstock.server.cluster.Cluster;
import io.penstock.server.cluster.ClusterNode;
import io.penstock.server.cluster.Standing;
import io.penstock.server.config.ServerConfig;
import io.penstock.server.config.Setting;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Asker;
import io.penstock.server.node.CheckRequest;
import io.penstock.server.node.Durability;
import io.penstock.server.node.Extent;
import io.penstock.server.policy.Expected;
import io.penstock.server.policy.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

/**
 * A node of three that own a group each, and the load on it from within, on keys of its own: how
 * many checks it decides, and how long an answer takes.
 *
 * <p>Arguments: the name of the node, the list of all, the data folder, seconds per row, and a file
 * that appears when all nodes shall begin.
 */
final class ClusterBench {
  private static final int NODES = 3;
  private static final int KEYS = NODES * 100_000;
  private static final int OUTSTANDING = 512;

  /** Three machines of Java on few cores need that long until they have compiled what they run. */
  private static final int WARM_SECONDS = 120;

  private final Facts facts = new Facts();
  private final ClusterNode node;
  private final int group;
  private final int seconds;

  private ClusterBench(ClusterNode node, int group, int seconds) {
    this.node = node;
    this.group = group;
    this.seconds = seconds;
  }

  public static void main(String[] arguments) throws Exception {
    String name = arguments[0];
    Map<Setting, String> flags =
        Map.of(Setting.NODE, name, Setting.PEERS, arguments[1], Setting.DATA, arguments[2]);
    ServerConfig config = ServerConfig.read(flags, /* config= */ null, Map.of());
    Path policies = Path.of(arguments[2], "policies.db");
    try (Cluster cluster =
        Cluster.open(config, policies, Clock.system(), InstantSource.system(), /* tls= */ null)) {
      ClusterNode node = cluster.awaitNode();
      if (name.equals("n1")) {
        put(cluster, "strict");
        put(cluster, "fast");
      }
      ClusterBench bench =
          new ClusterBench(node, group(cluster, name), Integer.parseInt(arguments[3]));
      bench.awaitPolicies();
      System.err.println("ready");
      while (!Files.exists(Path.of(arguments[4]))) {
        TimeUnit.MILLISECONDS.sleep(10);
      }
      bench.run();
      bench.facts.print(System.out);
    }
    System.exit(0);
  }

  private static void put(Cluster cluster, String consistency) {
    String json = "{\"limits\":[\"1000000000/s\"],\"consistency\":\"" + consistency + "\"}";
    cluster.store().put(Kind.POLICY, "bench/" + consistency, json, new Expected.Absent(), "bench");
  }

  /** The one group that a node owns, as soon as each owns one. */
  private static int group(Cluster cluster, String name) throws InterruptedException {
    while (true) {
      List<Standing> groups =
          cluster.topology().groups().stream()
              .filter(each -> each.group().startsWith("shards-") && each.leader() != null)
              .toList();
      if (groups.stream().map(Standing::leader).distinct().count() == NODES) {
        Standing own = groups.stream().filter(each -> name.equals(each.leader())).findAny().get();
        return Integer.parseInt(own.group().substring("shards-".length()));
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  /** What one node does alone, the others wait for: as long as it takes. */
  private void run() throws InterruptedException {
    boolean isAlone = group == 0;
    IntSupplier any = keys("strict");
    for (int warm = 0; warm < WARM_SECONDS; warm += seconds) {
      measure("warm", "strict", any, /* rate= */ 0);
    }
    measure("strict", "strict", any, /* rate= */ 0);
    int hot = any.getAsInt();
    if (isAlone) {
      measure("strictAlone", "strict", any, /* rate= */ 0);
      measure("strictHot", "strict", () -> hot, /* rate= */ 0);
      measure("strictSlow", "strict", any, /* rate= */ 1_000);
    } else {
      TimeUnit.SECONDS.sleep(3L * seconds);
    }
    any = keys("fast");
    measure("warm", "fast", any, /* rate= */ 0);
    measure("fast", "fast", any, /* rate= */ 0);
    if (isAlone) {
      measure("fastSlow", "fast", any, /* rate= */ 10_000);
    } else {
      TimeUnit.SECONDS.sleep(seconds);
    }
  }

  /** Keys of the own group, in any order. */
  private IntSupplier keys(String policy) {
    int[] own =
        IntStream.range(0, KEYS)
            .filter(key -> group(request(policy, key).asked().get(0).descriptor()) == group)
            .toArray();
    SplittableRandom random = new SplittableRandom(7);
    return () -> own[random.nextInt(own.length)];
  }

  private int group(Descriptor key) {
    return Extent.group(node.policies().shard("bench", key), NODES);
  }

  /** Until then a policy may be on its way to here. */
  private void awaitPolicies() {
    for (String key : List.of("strict", "fast")) {
      CompletableFuture<Answer> answer = new CompletableFuture<>();
      do {
        answer = new CompletableFuture<>();
        node.check(request(key, 0), Asker.of(answer::complete, answer::completeExceptionally));
      } while (answer.join().part().policy() == null);
    }
  }

  private static CheckRequest request(String policy, int key) {
    return CheckRequest.of("bench", List.of(Descriptor.of(policy, "key-" + key)), /* cost= */ 1);
  }

  /** Asks as fast as answers come, or at a rate; tells how many were decided and how soon. */
  private void measure(String name, String policy, IntSupplier keys, int rate) {
    Semaphore room = new Semaphore(OUTSTANDING);
    Answers answers = new Answers(policy.equals("strict") ? Durability.STRICT : Durability.FAST);
    long begin = System.nanoTime();
    long end = begin + TimeUnit.SECONDS.toNanos(seconds);
    long sent = 0;
    for (long now = begin; now < end; now = System.nanoTime()) {
      if (rate > 0) {
        for (long due = begin + sent * TimeUnit.SECONDS.toNanos(1) / rate; now < due; ) {
          LockSupport.parkNanos(due - now);
          now = System.nanoTime();
        }
      }
      room.acquireUninterruptibly();
      sent++;
      long asked = System.nanoTime();
      node.check(
          request(policy, keys.getAsInt()),
          Asker.of(
              answer -> {
                answers.add(answer, System.nanoTime() - asked);
                room.release();
              },
              failure -> {
                answers.lose();
                room.release();
              }));
    }
    room.acquireUninterruptibly(OUTSTANDING);
    double took = (System.nanoTime() - begin) / 1e9;
    answers.tell(name, took, facts);
  }

  /** What came back. Thread-safe. */
  private static final class Answers {
    private final Durability wanted;
    private final Histogram times = new Histogram();
    private long others;

    Answers(Durability wanted) {
      this.wanted = wanted;
    }

    synchronized void add(Answer answer, long nanos) {
      if (answer.durability() == wanted) {
        times.add(nanos);
      } else {
        others++;
      }
    }

    synchronized void lose() {
      others++;
    }

    synchronized void tell(String name, double seconds, Facts facts) {
      facts.put(name + "PerSecond", (long) (times.total() / seconds));
      facts.put(name + "Others", others);
      facts.put(name + "MicrosMedian", times.quantile(0.5) / 1_000);
      facts.put(name + "MicrosP99", times.quantile(0.99) / 1_000);
    }
  }
}

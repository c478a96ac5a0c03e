package io.penstock.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Changes a policy again and again on a cluster under load, and tells how long after the accepted
 * write each node decided by it: asked at each node, on a key of its own.
 *
 * <p>Arguments: the addresses of the nodes with commas between, how many changes, and how many
 * other policies there are.
 */
final class ChangeBench {
  private static final int LOAD_THREADS = 6;
  private static final Pattern VERSION = Pattern.compile("\"(?:policyV|v)ersion\":(\\d+)");

  private final List<String> addresses;
  private final AtomicBoolean over = new AtomicBoolean();
  private final LongAdder asked = new LongAdder();
  private final Histogram times = new Histogram();
  private long worstNanos;

  private ChangeBench(List<String> addresses) {
    this.addresses = addresses;
  }

  public static void main(String[] arguments) throws Exception {
    ChangeBench bench = new ChangeBench(List.of(arguments[0].split(",")));
    int changes = Integer.parseInt(arguments[1]);
    int others = Integer.parseInt(arguments[2]);
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      for (int i = 0; i < LOAD_THREADS; i++) {
        int each = i;
        var unused = threads.submit(() -> bench.load(each));
      }
      long begin = System.nanoTime();
      bench.change(changes, threads);
      double seconds = (System.nanoTime() - begin) / 1e9;
      Facts facts = new Facts();
      facts.put("changes", changes);
      facts.put("otherPolicies", others);
      facts.put("loadPerSecond", (long) (bench.asked.sum() / seconds));
      facts.put("inForceMicrosMedian", bench.times.quantile(0.5) / 1_000);
      facts.put("inForceMicrosP99", bench.times.quantile(0.99) / 1_000);
      facts.put("inForceMicrosMax", bench.worstNanos / 1_000);
      facts.print(System.out);
    } finally {
      bench.over.set(true);
      threads.shutdownNow();
    }
    System.exit(0);
  }

  private static long put(Line line, String scope, String limit, String head) throws IOException {
    String body = "{\"limits\":[\"" + limit + "\"]}";
    return version(line.ask("PUT", "/v1/policies/" + scope, body, head));
  }

  private static long version(String answer) {
    Matcher found = VERSION.matcher(answer);
    return found.find() ? Long.parseLong(found.group(1)) : 0;
  }

  private void load(int seed) {
    while (!over.get()) {
      try (Line line = new Line(addresses.get(seed % addresses.size()))) {
        for (int i = 0; !over.get(); i++) {
          String answer = check(line, "load" + seed + "-" + i % 1_000);
          asked.add(answer.isEmpty() ? 0 : 1);
        }
      } catch (IOException e) {
        System.err.println("asked again: " + e.getMessage());
      }
    }
  }

  private static String check(Line line, String key) throws IOException {
    String body =
        "{\"domain\":\"bench\",\"descriptors\":[[{\"key\":\"changed\",\"value\":\"%s\"}]]}";
    return line.ask("POST", "/v1/check", body.formatted(key), /* head= */ "");
  }

  private void change(int changes, ExecutorService threads) throws Exception {
    List<Line> lines = new ArrayList<>();
    for (String address : addresses) {
      lines.add(new Line(address));
    }
    try (Line writer = new Line(addresses.get(0))) {
      put(writer, "bench%2Fchanged", "1000000000/s", "If-None-Match: *\r\n");
      for (int i = 0; i < changes; i++) {
        long version = put(writer, "bench%2Fchanged", 1_000_000 + i + "/s", "If-Match: *\r\n");
        long accepted = System.nanoTime();
        List<Future<Long>> nodes = new ArrayList<>();
        for (int node = 0; node < lines.size(); node++) {
          Line line = lines.get(node);
          String key = "seen" + node;
          nodes.add(threads.submit(() -> awaited(line, key, version) - accepted));
        }
        for (Future<Long> node : nodes) {
          long took = Math.max(0, node.get(1, TimeUnit.MINUTES));
          times.add(took);
          worstNanos = Math.max(worstNanos, took);
        }
      }
    }
  }

  /** When a node has decided by a version. */
  private static long awaited(Line line, String key, long version) throws IOException {
    while (version(check(line, key)) < version) {
      Thread.onSpinWait();
    }
    return System.nanoTime();
  }
}

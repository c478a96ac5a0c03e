package io.penstock.bench;

import com.sun.management.ThreadMXBean;
import io.penstock.core.policy.Descriptor;
import io.penstock.core.policy.Scope;
import io.penstock.core.policy.ScopeEdit;
import io.penstock.core.policy.ScopeIndex;
import io.penstock.core.state.KeyHash;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntFunction;

/**
 * What a book of very many policies costs: memory, a lookup of each kind beside one access to as
 * much memory, and one change.
 *
 * <p>Most policies are of single customers; every tenth of those has one more for an endpoint.
 * Descriptors are made just before they are looked up, as if just read off a socket.
 *
 * <p>Arguments: how many policies, how many lookups of each kind, how many changes.
 */
final class PolicyBench {
  /** What is looked up, by the name it has in the facts. */
  static final Map<String, String> LOOKUPS = lookups();

  private static final ThreadMXBean THREADS =
      ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
  private static final int CHUNK = 256;
  private static final int ENDPOINT_EVERY = 10;
  private static final int VALUES = 64;
  private static final int WARM_UP_CHUNKS = 2_000;

  private final Facts facts = new Facts();
  private final SplittableRandom random = new SplittableRandom(7);
  private final int customers;
  private int found;

  private static Map<String, String> lookups() {
    Map<String, String> titles = new LinkedHashMap<>();
    titles.put("exact", "an exact value");
    titles.put("wildcard", "no exact value, the last of 10 wildcards");
    titles.put("bare", "no exact value and no wildcard, so the bare key");
    titles.put("two", "exact values at two levels");
    titles.put("back", "exact, nothing below it; back, and bare at two levels");
    titles.put("miss", "nothing");
    return titles;
  }

  private PolicyBench(int policies) {
    this.customers = policies / (ENDPOINT_EVERY + 1) * ENDPOINT_EVERY;
  }

  public static void main(String[] arguments) throws InterruptedException {
    int policies = Integer.parseInt(arguments[0]);
    int lookups = Integer.parseInt(arguments[1]);
    int changes = Integer.parseInt(arguments[2]);
    Footprint.warmUp(() -> new PolicyBench(policies / 100).load());
    PolicyBench bench = new PolicyBench(policies);
    Footprint before = Footprint.measure();
    long start = System.nanoTime();
    ScopeIndex<Integer> index = bench.load();
    bench.facts.put("loadSeconds", (System.nanoTime() - start) / 1e9);
    Footprint used = Footprint.measure().minus(before);
    bench.facts.put("policies", index.size());
    bench.facts.put("bytesPerPolicy", (double) used.bytes() / index.size());
    bench.facts.put("memoryNanos", new Chase(used.bytes()).nanos());
    bench.lookUp(index, lookups);
    bench.change(index, changes);
    bench.facts.put("found", bench.found);
    bench.facts.print(System.out);
  }

  /** Values are few and shared: their memory is not the book's. */
  private ScopeIndex<Integer> load() {
    ScopeEdit<Integer> edit = ScopeIndex.<Integer>empty(new KeyHash(1, 2)).edit();
    edit.put(Scope.parse("api/user"), 0);
    edit.put(Scope.parse("api/user/endpoint"), 1);
    for (int i = 0; i < 10; i++) {
      edit.put(Scope.parse("api/user=team-" + i + "-*"), 2);
    }
    for (int i = 0; i < customers; i++) {
      edit.put(Scope.parse("api/user=" + customer(i)), i % VALUES);
      if (i % ENDPOINT_EVERY == 0) {
        edit.put(Scope.parse("api/user=" + customer(i) + "/endpoint=/search"), i % VALUES);
      }
    }
    return edit.done();
  }

  private static String customer(int number) {
    return "customer-" + number;
  }

  private int anyCustomer() {
    return random.nextInt(customers);
  }

  private void lookUp(ScopeIndex<Integer> index, int lookups) {
    time("exact", index, lookups, i -> Descriptor.of("user", customer(anyCustomer())));
    time("bare", index, lookups, i -> Descriptor.of("user", "stranger-" + random.nextInt()));
    time("wildcard", index, lookups, i -> Descriptor.of("user", "team-9-" + random.nextInt()));
    time("miss", index, lookups, i -> Descriptor.of("address", "10.0.0." + random.nextInt()));
    time(
        "two",
        index,
        lookups,
        i ->
            Descriptor.of(
                "user",
                customer(anyCustomer() / ENDPOINT_EVERY * ENDPOINT_EVERY),
                "endpoint",
                "/search"));
    time(
        "back",
        index,
        lookups,
        i -> Descriptor.of("user", customer(anyCustomer()), "endpoint", "/other"));
  }

  /** Nanoseconds per lookup: the least and the median over chunks; and bytes of garbage. */
  private void time(
      String name, ScopeIndex<Integer> index, int lookups, IntFunction<Descriptor> descriptors) {
    double[] nanos = new double[lookups / CHUNK];
    long garbage = 0;
    for (int i = -WARM_UP_CHUNKS; i < nanos.length; i++) {
      Descriptor[] chunk = new Descriptor[CHUNK];
      Arrays.setAll(chunk, descriptors);
      long allocated = allocated();
      long start = System.nanoTime();
      for (Descriptor each : chunk) {
        Integer value = index.find("api", each);
        found += value == null ? 0 : 1;
      }
      long end = System.nanoTime();
      if (i >= 0) {
        nanos[i] = (double) (end - start) / CHUNK;
        garbage += allocated() - allocated;
      }
    }
    Arrays.sort(nanos);
    facts.put(name + "NanosMin", nanos[0]);
    facts.put(name + "NanosMedian", nanos[nanos.length / 2]);
    facts.put(name + "Garbage", (double) garbage / lookups);
  }

  private static long allocated() {
    return THREADS.getCurrentThreadAllocatedBytes();
  }

  /** Each change is made to the result of the last one, as a server does. */
  private void change(ScopeIndex<Integer> loaded, int changes) {
    ScopeIndex<Integer> index = loaded;
    long[] nanos = new long[changes];
    for (int i = 0; i < changes; i++) {
      Scope scope = Scope.parse("api/user=" + (i % 2 == 0 ? "new-" + i : customer(anyCustomer())));
      long start = System.nanoTime();
      index = i % 4 == 3 ? index.without(scope) : index.with(scope, i);
      nanos[i] = System.nanoTime() - start;
    }
    Arrays.sort(nanos);
    facts.put("changeMicrosMedian", nanos[changes / 2] / 1e3);
    facts.put("changeMicrosP99", nanos[changes - 1 - changes / 100] / 1e3);
    facts.put("changeMicrosMax", nanos[changes - 1] / 1e3);
  }
}

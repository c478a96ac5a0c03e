package io.penstock.server.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store with many writers at once. */
class PolicyStoreWritersTest {
  private static final Expected ABSENT = new Expected.Absent();
  private static final Expected ANY = new Expected.Any();
  private static final String TEN = "{\"limits\":[\"10/s\"]}";
  private static final String TWENTY = "{\"limits\":[\"20/s\"]}";
  private static final int WRITERS = 50;

  @TempDir Path folder;
  private PolicyStore store;

  @BeforeEach
  void open() {
    store = PolicyStore.open(folder.resolve("policies.db"), () -> Instant.EPOCH);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private Written put(String scope, String json, Expected expected) {
    return store.put(Kind.POLICY, scope, json, expected, "anna");
  }

  private Written tier(String name, String json, Expected expected) {
    return store.put(Kind.TIER, name, json, expected, "anna");
  }

  private Stored stored() {
    return Objects.requireNonNull(store.get(Kind.POLICY, "api/user"));
  }

  @Test
  void put_manyWritersOfOneScope_eachVersionIsWonOnce() throws Exception {
    List<Long> heard = Collections.synchronizedList(new ArrayList<>());
    store.onChange(change -> heard.add(change.revision()));
    put("api/user", TEN, ABSENT);
    int rounds = 10;
    List<Long> won = Collections.synchronizedList(new ArrayList<>());
    atOnce(
        WRITERS,
        () -> {
          for (int i = 0; i < rounds; i++) {
            long seen = stored().version();
            try {
              won.add(put("api/user", TWENTY, new Expected.Version(seen)).version());
            } catch (VersionConflictException lost) {
              assertThat(lost).hasMessageContaining("expected: version " + seen);
            }
          }
          return null;
        });
    long last = stored().version();
    assertThat(won).doesNotHaveDuplicates().hasSize((int) last - 1);
    assertThat(heard).hasSize((int) last).isSorted().doesNotHaveDuplicates();
    assertThat(store.history(Kind.POLICY, "api/user", Change.NEVER, 1_000).items())
        .hasSize((int) last);
  }

  @Test
  void put_manyWritersOfOtherScopes_allSucceed() throws Exception {
    AtomicLong number = new AtomicLong();
    atOnce(
        WRITERS,
        () -> {
          for (int i = 0; i < 10; i++) {
            String scope = "api/user=" + number.incrementAndGet();
            assertThat(put(scope, TEN, ABSENT).version()).isEqualTo(1);
            assertThat(store.get(Kind.POLICY, scope)).isNotNull();
          }
          return null;
        });
    assertThat(store.list(Kind.POLICY, null, 1_000).items()).hasSize(10 * WRITERS);
    assertThat(store.revision()).isEqualTo(10L * WRITERS);
  }

  private static void atOnce(int threads, Callable<?> task) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      CountDownLatch start = new CountDownLatch(threads);
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        all.add(
            pool.submit(
                () -> {
                  start.countDown();
                  start.await();
                  return task.call();
                }));
      }
      for (Future<?> one : all) {
        one.get(60, TimeUnit.SECONDS);
      }
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void planBy_eachPut_isAskedAfterWhatBearsOnItIsInForce() throws Exception {
    Set<String> inForce = Collections.synchronizedSet(new HashSet<>());
    store.onChange(change -> inForce.add(change.name()));
    store.planBy(
        (kind, name, document) ->
            kind == Kind.TIER || !document.contains("gold") || inForce.contains("gold")
                ? "of " + name
                : "too early");
    atOnce(
        20,
        () -> {
          try {
            tier("gold", TEN, ABSENT);
          } catch (VersionConflictException another) {
            assertThat(another).hasMessageContaining("version 1");
          }
          String scope = "api/user=" + Thread.currentThread().getId();
          return put(scope, "{\"tier\":\"gold\"}", ABSENT);
        });
    store.delete(Kind.POLICY, store.list(Kind.POLICY, null, 1).items().get(0).name(), ANY, "anna");
    List<String> counters = new ArrayList<>();
    store.forEachCurrent(change -> counters.add(change.counters()));
    assertThat(counters).hasSize(20).allMatch(text -> text.startsWith("of "));
  }
}

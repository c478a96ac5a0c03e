package io.penstock.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Three real nodes, the clock of one an hour off: whether it owns or not, no key gains or waits
 * more than a second by it.
 */
@Tag("once")
@Timeout(300)
class ClockIT {
  private static final String STRICT =
      "{\"limits\":[\"1/min burst 10\"],\"consistency\":\"strict\"}";
  private static final String LATER =
      "{\"limits\":[\"2/min burst 10\"],\"consistency\":\"strict\"}";
  private static final int OFF = 0;
  private static final int DRAINED = 1;
  private static final int THIRD = 2;
  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long AWAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(60);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final Pattern OWNS =
      Pattern.compile("penstock_cluster_leader\\{group=\"shards-.\",?\\} 1\\.0");
  private static final Pattern AT = Pattern.compile("\"at\":\"([^\"]*)\"");

  @TempDir Path folder;
  private final Console console = new Console();
  private Nodes nodes;
  private FakeClock clock;

  @BeforeEach
  void begin() throws Exception {
    clock = FakeClock.at(folder.resolve("clock"));
    nodes = new Nodes(folder);
    nodes.environment(OFF, clock.environment());
  }

  @AfterEach
  void end() {
    if (nodes != null) {
      nodes.close();
    }
  }

  /** When a key is full again, on the clock of this test: not before, and not after. */
  private record Full(long earliestNanos, long latestNanos) {}

  private Full full(int asked, String key) {
    while (true) {
      long before = System.nanoTime();
      Reply reply = nodes.check(asked, key, /* cost= */ 0, /* requestId= */ null);
      long after = System.nanoTime();
      if (reply.isStrict()) {
        long reset = TimeUnit.MILLISECONDS.toNanos(reply.number("resetAfterMs"));
        assertThat(reset).as(reply.body()).isPositive();
        return new Full(before + reset, after + reset);
      }
    }
  }

  private static void assertSame(Full now, Full first) {
    assertThat(now.latestNanos).as("gains").isGreaterThan(first.earliestNanos - SECOND_NANOS);
    assertThat(now.earliestNanos).as("waits").isLessThan(first.latestNanos + SECOND_NANOS);
  }

  private void awaitOwner(int asked, String key, int owner) {
    long end = System.nanoTime() + AWAIT_NANOS_MAX;
    while (nodes.decided(asked, key, /* cost= */ 0, /* requestId= */ null).owner() != owner) {
      assertThat(System.nanoTime()).as("%s owns %s", Nodes.name(owner), key).isLessThan(end);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private void start() throws Exception {
    nodes.startAll();
    InForce.put(nodes, "api%2Fuser", STRICT, /* before= */ 0);
  }

  private void drain(int node) {
    assertThat(console.run(nodes.url(node), "cluster", "drain", Nodes.name(node)))
        .as(console.printed())
        .isZero();
  }

  /** Whoever has just heard a third clock gives back what it gets: a drain goes on by itself. */
  private void drainSooner(int node) {
    assertThat(console.run(nodes.url(node), "cluster", "drain", Nodes.name(node)))
        .as(console.printed())
        .isIn(0, 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT1H", "PT-1H"})
  void r15_clockAnHourOff_gainsAndLosesOwnershipAndNoKeyGainsOrWaits(Duration off)
      throws Exception {
    clock.step(off);
    start();
    nodes.awaitHealth(OFF, "ms ahead of the others (expected: within 1 s)");
    Nodes.until(() -> nodes.get(OFF, "/metrics"), reply -> !OWNS.matcher(reply.body()).find());
    InForce.put(nodes, "api%2Fuser", LATER, /* before= */ 1);
    InForce.put(nodes, "api%2Fuser", STRICT, /* before= */ 2);
    assertThat(nodes.decided(THIRD, "key", 10, "all").isAllowed()).isTrue();
    Full first = full(THIRD, "key");

    /* Two clocks do not tell which one is off, so the one that is may own. */
    nodes.kill(THIRD);
    drainSooner(DRAINED);
    awaitOwner(DRAINED, "key", OFF);
    assertSame(full(DRAINED, "key"), first);
    assertThat(nodes.decided(DRAINED, "key", 10, null).isDenied()).isTrue();
    assertThat(nodes.decided(OFF, "other", 10, "other").isAllowed()).isTrue();
    Full other = full(OFF, "other");

    /* Three do: it gives its ownership away, to the only one that does not drain. */
    nodes.start(THIRD);
    nodes.awaitReady(THIRD);
    awaitOwner(DRAINED, "key", THIRD);
    awaitOwner(DRAINED, "other", THIRD);
    assertSame(full(OFF, "key"), first);
    assertSame(full(THIRD, "other"), other);
    nodes.awaitHealth(OFF, "ms ahead of the others (expected: within 1 s)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT1H", "PT-1H"})
  void r15_clockSetRightLater_isOnTimeAndOwnsAgain(Duration off) throws Exception {
    clock.step(off);
    start();
    nodes.awaitHealth(OFF, "ms ahead of the others (expected: within 1 s)");
    assertThat(nodes.decided(THIRD, "key", 10, "all").isAllowed()).isTrue();
    Full first = full(THIRD, "key");

    clock.step(Duration.ZERO);
    nodes.awaitHealth(OFF, "\"cluster\":\"ok\"");
    Nodes.until(() -> nodes.get(OFF, "/metrics"), reply -> OWNS.matcher(reply.body()).find());
    assertSame(full(THIRD, "key"), first);
    assertThat(nodes.decided(OFF, "key", 10, null).isDenied()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT1H", "PT-1H"})
  void r15_clockOfTheOwnerStepped_noKeyGainsOrWaits(Duration off) throws Exception {
    start();
    drain(DRAINED);
    drain(THIRD);
    awaitOwner(THIRD, "key", OFF);
    assertThat(nodes.decided(THIRD, "key", 10, "all").isAllowed()).isTrue();
    Full first = full(THIRD, "key");

    clock.step(off);
    assertThat(nodes.put(OFF, "api%2Fuser", STRICT, "If-Match", "*").status()).isEqualTo(200);
    assertThat(Duration.between(Instant.now(), putAt()).minus(off))
        .as("the step")
        .isBetween(Duration.ofMinutes(-5), Duration.ofMinutes(5));
    assertSame(full(THIRD, "key"), first);

    nodes.kill(OFF);
    awaitOwner(THIRD, "key", nodes.awaitOwner(THIRD, "key"));
    assertSame(full(THIRD, "key"), first);
    nodes.start(OFF);
    nodes.awaitReady(OFF);
    assertSame(full(OFF, "key"), first);
  }

  /** When a policy was put last, by the wall clock of the node that was asked to. */
  private Instant putAt() {
    Matcher found = AT.matcher(nodes.get(OFF, "/v1/policies/api%2Fuser/history").body());
    assertThat(found.find()).isTrue();
    return Instant.parse(found.group(1));
  }
}

package io.penstock.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.RoomMaking.UsedUp;
import java.lang.Thread.State;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whoever waits on a thread is let in by whatever makes room, and not only by time. */
@Timeout(60)
class WakingTest {
  private static final Duration WEEK = Duration.ofDays(7);
  private static final Duration TWO_SECONDS = Duration.ofSeconds(2);
  private static final long SECOND = 1_000_000_000;

  private final StillClock clock = new StillClock();

  private static WeakReference<Thread> startAndAwaitSleep(Runnable task) {
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    thread.start();
    while (thread.isAlive() && thread.getState() != State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    return new WeakReference<>(thread);
  }

  @ParameterizedTest
  @EnumSource
  void acquire_asleepWhenRoomIsMade_isLetIn(RoomMaking event) throws Exception {
    UsedUp scene = UsedUp.of("1/day", Clock.system());
    event.prepare(scene);
    FutureTask<Decision> waiter = new FutureTask<>(() -> scene.limiter().acquire("a", 1, WEEK));
    WeakReference<Thread> thread = startAndAwaitSleep(waiter);
    event.happen(scene);
    assertThat(waiter.get().allowed()).isTrue();
    PendingTest.assertForgotten(thread);
  }

  @Test
  void reserve_slotIsClosed_isLetInAlsoWhenTheLeaseIsLongerThanTheTimeout() throws Exception {
    UsedUp scene = UsedUp.of("1 concurrent lease 30s", clock);
    clock.events.add(scene.other()::close);
    assertThat(scene.limiter().reserve("a", 1, TWO_SECONDS).allowed()).isTrue();
    assertThat(clock.sleeps).containsExactly(2 * SECOND);
  }

  @Test
  void reserve_slotStaysHeld_isDeniedAtTheTimeout() throws Exception {
    UsedUp scene = UsedUp.of("1 concurrent lease 30s", clock);
    Decision denied = scene.limiter().acquire("a", 1, TWO_SECONDS);
    assertThat(denied.reason()).isEqualTo(Reason.LIMITED);
    assertThat(denied.retryAfter()).isEqualTo(Duration.ofSeconds(28));
    assertThat(clock.sleeps).containsExactly(2 * SECOND);
  }

  @Test
  void acquire_staysBlocked_isDeniedAtTheTimeout() throws Exception {
    UsedUp scene = UsedUp.of("10/s", clock);
    scene.limiter().block("a", Instant.MAX);
    Decision denied = scene.limiter().acquire("a", 1, TWO_SECONDS);
    assertThat(denied.reason()).isEqualTo(Reason.BLOCKED);
    assertThat(clock.sleeps).containsExactly(2 * SECOND);
  }

  @Test
  void acquire_rateBehindASlot_waitsForBoth() throws Exception {
    UsedUp scene = UsedUp.of("1 concurrent lease 30s; 1/5s", clock);
    clock.events.add(() -> scene.other().commit(1));
    assertThat(scene.limiter().acquire("a", 1, Duration.ofSeconds(10)).allowed()).isTrue();
    assertThat(clock.sleeps).containsExactly(10 * SECOND, 5 * SECOND);
  }

  @Test
  void acquire_rateThatFitsTooLate_isDeniedAtOnceAlsoBesideASlot() throws Exception {
    UsedUp scene = UsedUp.of("1 concurrent lease 30s; 1/min", clock);
    assertThat(scene.limiter().acquire("a", 1, Duration.ofSeconds(59)).allowed()).isFalse();
    assertThat(clock.sleeps).isEmpty();
  }

  /** The slot has the longer wait, so it is the limit that the denial names. */
  @Test
  void acquire_rateThatFitsTooLateBehindALongerLease_isDeniedAtOnce() throws Exception {
    UsedUp scene = UsedUp.of("1/min; 1 concurrent lease 1hour", clock);
    Decision denied = scene.limiter().acquire("a", 1, Duration.ofSeconds(10));
    assertThat(denied.reason()).isEqualTo(Reason.LIMITED);
    assertThat(clock.sleeps).isEmpty();
    assertThat(scene.limiter().acquire("a", 1, Duration.ofMinutes(1)).allowed()).isFalse();
    assertThat(clock.sleeps).containsExactly(60 * SECOND);
  }

  @Test
  void acquire_blockedAndARateThatFitsTooLate_isDeniedAtOnce() throws Exception {
    UsedUp scene = UsedUp.of("1/min", clock);
    scene.limiter().block("a", Instant.MAX);
    Decision denied = scene.limiter().acquire("a", 1, Duration.ofSeconds(59));
    assertThat(denied.reason()).isEqualTo(Reason.BLOCKED);
    assertThat(clock.sleeps).isEmpty();
    scene.limiter().acquire("a", 1, Duration.ofSeconds(60));
    assertThat(clock.sleeps).containsExactly(60 * SECOND);
  }

  @Test
  void acquire_blockedAndCostAboveCapacity_isDeniedAtOnce() throws Exception {
    for (String policy : new String[] {"5/min", "5 concurrent lease 1min"}) {
      UsedUp scene = UsedUp.of(policy, clock);
      scene.limiter().block("a", Instant.MAX);
      assertThat(scene.limiter().acquire("a", 6, WEEK).allowed()).as(policy).isFalse();
    }
    assertThat(clock.sleeps).isEmpty();
  }

  @Test
  void acquire_overrideWithoutRoomEndsInTime_waitsForTheSlot() throws Exception {
    UsedUp scene = UsedUp.of("10/s; 1 concurrent lease 1hour", clock);
    Instant end = Instant.ofEpochSecond(clock.now / SECOND + 5);
    scene.limiter().override("a", Policy.parse("1/hour"), end);
    scene.limiter().tryAcquire("a");
    clock.events.add(() -> clock.now += 7 * SECOND);
    clock.events.add(scene.other()::close);
    assertThat(scene.limiter().acquire("a", 1, Duration.ofSeconds(10)).allowed()).isTrue();
    assertThat(clock.sleeps).containsExactly(10 * SECOND, 3 * SECOND);
  }

  @Test
  void acquire_overrideWithoutRoomEndsInTimeForARateWithoutRoom_isDeniedAtOnce() throws Exception {
    UsedUp scene = UsedUp.of("1/min; 1 concurrent lease 1hour", clock);
    Instant end = Instant.ofEpochSecond(clock.now / SECOND + 5);
    scene.limiter().override("a", Policy.parse("1/min; 2 concurrent lease 1hour"), end);
    scene.limiter().acquire("a", 1, Duration.ofSeconds(10));
    assertThat(clock.sleeps).isEmpty();
  }

  @Test
  void acquire_wokenInVain_sleepsForTheRest() throws Exception {
    UsedUp scene = UsedUp.of("1/3s", clock);
    clock.events.add(() -> clock.now += SECOND);
    assertThat(scene.limiter().acquire("a", 1, WEEK).allowed()).isTrue();
    assertThat(clock.sleeps).containsExactly(3 * SECOND, 2 * SECOND);
  }

  @Test
  void acquire_placeInAQueueAndAWakeInVain_runsAtItsPlace() throws Exception {
    MemoryLimiter limiter =
        Limiter.builder()
            .policy("1/s burst 5")
            .algorithm(Algorithm.LEAKY_QUEUE)
            .clock(clock)
            .build();
    limiter.tryAcquire("a", 3);
    clock.events.add(() -> clock.now += SECOND);
    assertThat(limiter.acquire("a", 1, WEEK).allowed()).isTrue();
    assertThat(clock.sleeps).containsExactly(3 * SECOND, 2 * SECOND);
  }

  @Test
  void acquire_roomIsMadeBeforeItSleeps_doesNotSleep() throws Exception {
    Deque<Runnable> heard = new ArrayDeque<>();
    MemoryLimiter limiter =
        Limiter.builder()
            .policy("1/day")
            .clock(clock)
            .listener(
                (key, cost, decision) -> {
                  if (!decision.allowed()) {
                    heard.remove().run();
                  }
                })
            .build();
    limiter.tryAcquire("a");
    heard.add(() -> limiter.reset("a"));
    assertThat(limiter.acquire("a", 1, WEEK).allowed()).isTrue();
    assertThat(clock.sleeps).isEmpty();
  }

  /** The permit of a thread may be used up by anybody, as by a lock within a clock. */
  @Test
  void acquire_wokenAfterItsLastLookAndPermitUsedUp_doesNotSleep() throws Exception {
    UsedUp scene = UsedUp.of("1/day", clock);
    clock.atReading(
        /* after the look, before the sleep */ 5,
        () -> {
          scene.other().cancel();
          LockSupport.park();
        });
    assertThat(scene.limiter().acquire("a", 1, WEEK).allowed()).isTrue();
    assertThat(clock.sleeps).isEmpty();
  }

  @Test
  void acquire_wokenOftenInVain_isHeardOfWhenItTakes() throws Exception {
    Deque<Boolean> heard = new ArrayDeque<>();
    MemoryLimiter limiter =
        Limiter.builder()
            .policy("1/day")
            .clock(clock)
            .listener((key, cost, decision) -> heard.add(decision.allowed()))
            .build();
    limiter.tryAcquire("a");
    for (int i = 0; i < 10; i++) {
      clock.events.add(() -> limiter.block("a", Instant.EPOCH));
    }
    assertThat(limiter.acquire("a", 1, WEEK).allowed()).isTrue();
    assertThat(clock.sleeps).hasSize(11);
    assertThat(heard).containsExactly(true, false, true);
  }

  @Test
  void wake_oneOfTwoHasLeftTwice_wakesTheOther() {
    Waiters waiters = new Waiters();
    int[] woken = {0};
    Runnable first = () -> woken[0] += 1;
    Runnable second = () -> woken[0] += 10;
    waiters.join(1, first);
    waiters.join(1, second);
    waiters.leave(1, first);
    waiters.leave(1, first);
    waiters.leave(2, second);
    waiters.wake(1);
    assertThat(woken[0]).isEqualTo(10);
  }
}

package io.penstock.core;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.RoomMaking.UsedUp;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whoever waits without a thread is let in by whatever makes room, and leaves nothing behind. */
@Timeout(60)
class PendingTest {
  private static final Duration WEEK = Duration.ofDays(7);
  private static final Duration TWO_SECONDS = Duration.ofSeconds(2);
  private static final long SECOND = 1_000_000_000;

  /** A clock on which nothing runs at once. */
  private record LaterClock(Runnable failure) implements Clock {
    @Override
    public long nanos() {
      return SECOND;
    }

    @Override
    public Executor after(long nanos) {
      return run -> {
        if (nanos == 0) {
          failure.run();
        }
      };
    }
  }

  private static void reject() {
    throw new RejectedExecutionException("after");
  }

  private static void outOfThreads() {
    throw new InternalError("no native thread");
  }

  private final StillClock clock = new StillClock();

  private static CompletableFuture<Decision> waitFor(UsedUp scene, Duration timeout) {
    return scene.limiter().tryAcquireAsync("a", 1, timeout).toCompletableFuture();
  }

  private UsedUp queue(String policy, int places) {
    MemoryLimiter limiter =
        Limiter.builder().policy(policy).algorithm(Algorithm.LEAKY_QUEUE).clock(clock).build();
    return new UsedUp(limiter, limiter.reserve("a", places));
  }

  private static void cancel(WeakReference<CompletableFuture<Decision>> waiter) {
    requireNonNull(waiter.get()).cancel(/* mayInterruptIfRunning= */ false);
  }

  static void assertForgotten(WeakReference<?> reference) {
    while (reference.get() != null) {
      assertThat(Thread.currentThread().isInterrupted()).as("out of time").isFalse();
      System.gc();
    }
  }

  @ParameterizedTest
  @EnumSource
  void tryAcquireAsync_waitingWhenRoomIsMade_isLetIn(RoomMaking event) {
    UsedUp scene = UsedUp.of("1/day", clock);
    event.prepare(scene);
    CompletableFuture<Decision> waiter = waitFor(scene, WEEK);
    clock.turn();
    assertThat(waiter).isNotDone();
    event.happen(scene);
    clock.turn();
    assertThat(waiter).isCompletedWithValueMatching(Decision::allowed);
  }

  @Test
  void tryAcquireAsync_slotIsClosed_isLetInAlsoWhenTheLeaseIsLongerThanTheTimeout() {
    UsedUp scene = UsedUp.of("1 concurrent lease 30s", clock);
    CompletableFuture<Decision> waiter = waitFor(scene, TWO_SECONDS);
    assertThat(waiter).isNotDone();
    scene.other().close();
    clock.turn();
    assertThat(waiter).isCompletedWithValueMatching(Decision::allowed);
  }

  @Test
  void tryAcquireAsync_slotStaysHeld_isDeniedAtTheTimeout() {
    UsedUp scene = UsedUp.of("1 concurrent lease 30s", clock);
    CompletableFuture<Decision> waiter = waitFor(scene, TWO_SECONDS);
    assertThat(clock.tasks.get(0).after()).isEqualTo(2 * SECOND);
    clock.runLatest();
    assertThat(waiter).isCompletedWithValueMatching(decision -> !decision.allowed());
  }

  @Test
  void tryAcquireAsync_manyWaitForOneUnit_letsOneInAndTheOthersWaitOn() {
    UsedUp scene = UsedUp.of("1/day", clock);
    List<CompletableFuture<Decision>> waiters = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      waiters.add(waitFor(scene, WEEK));
    }
    scene.other().cancel();
    clock.turn();
    assertThat(waiters.stream().filter(CompletableFuture::isDone)).hasSize(1);
    scene.limiter().update(Policy.parse("1000/s"));
    clock.turn();
    assertThat(waiters).allMatch(CompletableFuture::isDone);
  }

  @Test
  void tryAcquireAsync_roomForAnotherKey_isNotWoken() {
    UsedUp scene = UsedUp.of("1/day", clock);
    CompletableFuture<Decision> waiter = waitFor(scene, WEEK);
    scene.limiter().reset("b");
    assertThat(clock.tasks).extracting(StillClock.Task::after).doesNotContain(0L);
    assertThat(waiter).isNotDone();
  }

  @Test
  void tryAcquireAsync_wokenOftenInVain_keepsOneTimer() {
    UsedUp scene = UsedUp.of("1/day", clock);
    CompletableFuture<Decision> waiter = waitFor(scene, WEEK);
    for (int i = 0; i < 10; i++) {
      scene.limiter().block("a", Instant.EPOCH);
      clock.turn();
    }
    assertThat(waiter).isNotDone();
    assertThat(clock.tasks).hasSize(1);
  }

  @Test
  void tryAcquireAsync_waitGetsShorter_endsThen() {
    UsedUp scene = UsedUp.of("1/day", clock);
    CompletableFuture<Decision> waiter = waitFor(scene, WEEK);
    scene.limiter().update(Policy.parse("1/s"));
    clock.turn();
    assertThat(clock.tasks.get(1).after()).isEqualTo(SECOND);
    clock.runLatest();
    assertThat(waiter).isCompletedWithValueMatching(Decision::allowed);
  }

  @Test
  void tryAcquireAsync_roomIsMadeDuringARound_playsAnother() {
    UsedUp scene = UsedUp.of("1/day", clock);
    clock.atReading(/* after the look */ 5, scene.other()::cancel);
    assertThat(waitFor(scene, WEEK)).isCompletedWithValueMatching(Decision::allowed);
  }

  @Test
  void tryAcquireAsync_placeInAQueue_isNotWokenAndKeepsIt() {
    UsedUp scene = queue("1/s burst 1", 2);
    CompletableFuture<Decision> waiter = waitFor(scene, WEEK);
    clock.runLatest();
    scene.limiter().reset("a");
    assertThat(clock.tasks).extracting(StillClock.Task::after).containsExactly(SECOND);
    clock.runLatest();
    assertThat(waiter).isCompletedWithValueMatching(Decision::allowed);
  }

  @Test
  void tryAcquireAsync_eachWhoIsLetInMakesRoom_needsNoStack() throws Exception {
    UsedUp scene = UsedUp.of("1/day", Clock.system());
    List<CompletableFuture<?>> all = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      all.add(waitFor(scene, WEEK).thenAccept(decision -> scene.limiter().refund("a", 1)));
    }
    scene.other().cancel();
    CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new)).get();
  }

  @Test
  void tryAcquireAsync_cancelled_leavesNothingButAnEmptyTimer() {
    UsedUp scene = UsedUp.of("1/day", clock);
    WeakReference<CompletableFuture<Decision>> waiter = new WeakReference<>(waitFor(scene, WEEK));
    cancel(waiter);
    assertForgotten(waiter);
    scene.other().cancel();
    assertThat(clock.tasks).hasSize(1);
    clock.runLatest();
    assertThat(scene.limiter().peek("a").remaining()).isEqualTo(1);
  }

  @Test
  void tryAcquireAsync_cancelledInAQueue_leavesNothingButAnEmptyTimer() {
    UsedUp scene = queue("1/day burst 5", 1);
    WeakReference<CompletableFuture<Decision>> waiter = new WeakReference<>(waitFor(scene, WEEK));
    cancel(waiter);
    assertForgotten(waiter);
    assertThat(clock.tasks).hasSize(1);
  }

  @Test
  void tryAcquireAsync_cancelledDuringARound_leavesNothingButEmptyTimers() {
    UsedUp scene = UsedUp.of("1/day", clock);
    WeakReference<CompletableFuture<Decision>> waiter = new WeakReference<>(waitFor(scene, WEEK));
    scene.limiter().update(Policy.parse("1/s"));
    clock.atReading(1, () -> cancel(waiter));
    clock.turn();
    assertForgotten(waiter);
    assertThat(clock.tasks).hasSize(2);
  }

  /** The timer goes by another clock than the limiter. */
  @Test
  void tryAcquireAsync_timerOfItsPlaceIsEarly_runsAtItsPlace() {
    UsedUp scene = queue("1/s burst 1", 1);
    CompletableFuture<Decision> waiter = waitFor(scene, WEEK);
    clock.now += SECOND - 1;
    clock.tasks.remove(0).run().run();
    assertThat(waiter).isNotDone();
    assertThat(clock.tasks).extracting(StillClock.Task::after).containsExactly(1L);
    clock.runLatest();
    assertThat(waiter).isCompletedWithValueMatching(Decision::allowed);
  }

  @Test
  void tryAcquireAsync_timerOfItsPlaceIsEarlyAndItIsCancelled_leavesNothingButAnEmptyTimer() {
    UsedUp scene = queue("1/day burst 5", 1);
    WeakReference<CompletableFuture<Decision>> waiter = new WeakReference<>(waitFor(scene, WEEK));
    clock.tasks.remove(0).run().run();
    cancel(waiter);
    assertForgotten(waiter);
    assertThat(clock.tasks).hasSize(1);
  }

  @Test
  void tryAcquireAsync_leaseIsRenewedForLess_isLetInWhenItEnds() {
    UsedUp scene = UsedUp.of("1 concurrent lease 1day", clock);
    CompletableFuture<Decision> waiter = waitFor(scene, WEEK);
    scene.limiter().update(Policy.parse("1 concurrent lease 1min"));
    clock.turn();
    assertThat(scene.other().renew()).isTrue();
    clock.turn();
    assertThat(clock.tasks).extracting(StillClock.Task::after).endsWith(60 * SECOND);
    clock.runLatest();
    assertThat(waiter).isCompletedWithValueMatching(Decision::allowed);
  }

  @Test
  void tryAcquireAsync_rateThatFitsTooLateBehindALongerLease_isDeniedAtOnce() {
    UsedUp scene = UsedUp.of("1/min; 1 concurrent lease 1hour", clock);
    assertThat(waitFor(scene, Duration.ofSeconds(10)))
        .isCompletedWithValueMatching(decision -> decision.reason() == Reason.LIMITED);
    assertThat(waitFor(scene, Duration.ofMinutes(1))).isNotDone();
  }

  @Test
  void tryAcquireAsync_rateIsUsedUpByOthersMeanwhile_isDeniedThen() {
    UsedUp scene = UsedUp.of("2/min; 1 concurrent lease 1hour", clock);
    CompletableFuture<Decision> waiter = waitFor(scene, Duration.ofSeconds(10));
    assertThat(waiter).isNotDone();
    scene.other().close();
    assertThat(scene.limiter().tryAcquire("a", 1).allowed()).isTrue();
    scene.limiter().update(Policy.parse("1/min; 1 concurrent lease 1hour"));
    clock.turn();
    assertThat(waiter).isCompletedWithValueMatching(decision -> !decision.allowed());
  }

  @Test
  void close_executorOfAWaiterRefuses_failsTheWaiterOnly() {
    for (Runnable failure : List.<Runnable>of(PendingTest::reject, PendingTest::outOfThreads)) {
      MemoryLimiter limiter =
          Limiter.builder().policy("1 concurrent lease 30s").clock(new LaterClock(failure)).build();
      UsedUp scene = new UsedUp(limiter, limiter.reserve("a", 1));
      List<CompletableFuture<Decision>> waiters =
          List.of(waitFor(scene, TWO_SECONDS), waitFor(scene, TWO_SECONDS));
      assertThat(waiters).noneMatch(CompletableFuture::isDone);
      scene.other().close();
      assertThat(waiters).allMatch(CompletableFuture::isCompletedExceptionally);
      assertThat(limiter.peek("a").remaining()).isEqualTo(1);
    }
  }
}

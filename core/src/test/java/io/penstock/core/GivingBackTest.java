package io.penstock.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.algorithm.Traced;
import java.lang.Thread.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Giving back when memory is full, when the key is forgotten, and while it is reset. */
class GivingBackTest {
  private static final long START = 1_773_145_800_000_000_000L;

  private static final Set<State> STANDING =
      EnumSet.of(State.BLOCKED, State.WAITING, State.TERMINATED);

  private long now = START;

  private MemoryLimiter limiter(String policy, Algorithm algorithm) {
    return Limiter.builder()
        .policy(Policy.parse(policy).withFailMode(FailMode.CLOSED).withAlgorithm(algorithm))
        .clock(() -> now)
        .maxBytes(64 << 10)
        .build();
  }

  @Test
  void close_tenThousandKeysOneAfterTheOther_neverFillsMemory() {
    MemoryLimiter limiter = limiter("1 concurrent lease 1day", Algorithm.GCRA);
    for (int i = 0; i < 10_000; i++) {
      now += 100;
      try (Reservation reservation = limiter.reserve("k" + i, 1)) {
        assertThat(reservation.decision().reason()).as("key %d", i).isEqualTo(Reason.OK);
      }
    }
  }

  @Test
  void close_keyForgottenAndTakenAgain_freesNobodyElsesSlot() {
    MemoryLimiter limiter = limiter("1 concurrent lease 1s", Algorithm.GCRA);
    Reservation late = limiter.reserve("a", 1);
    now += Duration.ofSeconds(1).toNanos();
    for (int i = 0; i < 5_000; i++) {
      now += 1_000;
      limiter.reserve("k" + i, 1).close();
    }
    Reservation holder = limiter.reserve("a", 1);
    late.close();
    assertThat(limiter.peek("a").remaining()).isZero();
    assertThat(holder.renew()).isTrue();
    holder.close();
    assertThat(limiter.peek("a").remaining()).isEqualTo(1);
  }

  /** Takes of one key, then of others, until no block is left, however short. */
  private static void fill(MemoryLimiter limiter) {
    for (int key = 0; limiter.tryAcquire("k" + key, 1).allowed(); key++) {
      for (int i = 0; key == 0 && i < 2_000; i++) {
        limiter.tryAcquire("k0", 1);
      }
    }
  }

  @Test
  void cancel_placeThatCannotBeNotedAsFree_freesTheSlotAllTheSame() {
    MemoryLimiter limiter =
        limiter("1/s burst 2000; 2000 concurrent lease 1day", Algorithm.LEAKY_QUEUE);
    List<Reservation> held = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      held.add(limiter.reserve("a", 1));
    }
    fill(limiter);
    held.get(1).cancel();
    limiter.update(Policy.parse("3 concurrent lease 1day").withFailMode(FailMode.CLOSED));
    assertThat(limiter.peek("a").remaining()).isEqualTo(1);
  }

  @Test
  void cancel_placeThatCannotBeNotedAsFree_staysTaken() {
    MemoryLimiter limiter =
        limiter("1/s burst 2000; 2000 concurrent lease 1day", Algorithm.LEAKY_QUEUE);
    List<Reservation> held = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      held.add(limiter.reserve("a", 1));
    }
    fill(limiter);
    held.get(1).cancel();
    assertThat(limiter.tryAcquire("a").waitTime()).isEqualTo(Duration.ofSeconds(3));
  }

  /** A window that lets something happen between what a cancel asks for and its decision. */
  private static final class Interrupted extends OwnWindow implements Traced {
    private Runnable event = () -> {};

    @Override
    public long follow(long ticket, Limit from, Limit to, long nowNanos) {
      return ticket;
    }

    @Override
    public long counted(long units, long ticket, Limit limit, long nowNanos) {
      return units;
    }

    @Override
    public long rest(long ticket, long kept, Limit limit) {
      event.run();
      return ticket;
    }
  }

  @Test
  @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void commitOfLess_keyIsResetAndTakenMeanwhile_givesBackNothingOfOthers() throws Exception {
    Interrupted window = new Interrupted();
    MemoryLimiter limiter = limiter("10/day", window);
    Reservation reservation = limiter.reserve("a", 5);
    Thread other =
        new Thread(
            () -> {
              limiter.reset("a");
              limiter.tryAcquire("a", 5);
            });
    AtomicReference<State> met = new AtomicReference<>();
    window.event =
        () -> {
          other.start();
          while (!STANDING.contains(other.getState())) {
            Thread.onSpinWait();
          }
          met.set(other.getState());
        };
    reservation.commit(1);
    other.join();
    assertThat(met.get()).as("a monitor would pin a virtual thread").isEqualTo(State.WAITING);
    assertThat(limiter.peek("a").remaining()).isEqualTo(5);
  }
}

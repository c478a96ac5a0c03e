package io.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Clock;
import io.penstock.core.Limiter;
import io.penstock.core.Policy;
import io.penstock.testkit.example.Cooldown;
import io.penstock.testkit.example.MapStore;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** All cores at once on an algorithm that a user could have written, and in such a store. */
class ExampleThreadsTest {
  @Nested
  class InMemory extends OfCooldown {
    @Override
    public Limiter newLimiter(Policy policy, Clock clock) {
      return Limiter.builder().policy(cooling(policy)).clock(clock).build();
    }
  }

  @Nested
  class InAMapStore extends OfCooldown {
    @Override
    public Limiter newLimiter(Policy policy, Clock clock) {
      MapStore store = new MapStore();
      return Limiter.builder().policy(cooling(policy)).clock(clock).store(store).build();
    }
  }

  /** The other parts of the contract hold GCRA to its rate, which a pause has not. */
  abstract static class OfCooldown implements ThreadsContract {
    private static final int KEYS = 200;
    private static final int CAPACITY = 500;

    @Override
    public int checksPerThread() {
      return 3_000;
    }

    static Policy cooling(Policy policy) {
      boolean gcra = policy.algorithm() == Algorithm.GCRA;
      return gcra ? policy.withAlgorithm(new Cooldown()) : policy;
    }

    /** All threads are at one key until it is used up, and then go on to the next. */
    @Test
    void tryAcquire_keysUsedUpByAllThreads_eachAdmitsExactlyItsCapacity() throws Exception {
      Limiter limiter = newLimiter(CAPACITY + "/hour", new ManualClock());
      AtomicIntegerArray admitted = new AtomicIntegerArray(KEYS);
      ThreadsContract.together(
          () -> {
            for (int key = 0; key < KEYS; key++) {
              while (limiter.isAllowed("key" + key)) {
                admitted.incrementAndGet(key);
              }
            }
            return 0L;
          });
      for (int key = 0; key < KEYS; key++) {
        assertThat(admitted.get(key)).as("key %d", key).isEqualTo(CAPACITY);
      }
    }
  }
}

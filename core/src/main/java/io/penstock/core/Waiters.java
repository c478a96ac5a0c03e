package io.penstock.core;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Who waits for which key of a limiter, and is woken when room is made for it. Thread-safe. */
final class Waiters {
  /*
   * Nobody sleeps through what makes room: who waits joins, then looks; who makes room does so,
   * then looks for who waits. Whichever of them looks last sees the other, if no processor lets a
   * look pass the write before it, hence the fences. Decisions that only take never come here.
   *
   * Nearly always nobody waits, and a look for a hash makes an object of it: so who makes room asks
   * first how many keys are waited for, behind the same fence. That number is raised before join
   * ends, and lowered when nobody is left. The map's own isEmpty adds up counts while they change,
   * and might miss one.
   */
  private final ConcurrentMap<Long, Set<Runnable>> byKey = new ConcurrentHashMap<>();

  private final AtomicInteger keys = new AtomicInteger();

  /** Adds somebody to be woken, as often as room may have been made for a key, until it leaves. */
  void join(long hash, Runnable waiter) {
    byKey.compute(
        hash,
        (key, known) -> {
          Set<Runnable> all = known == null ? added() : known;
          all.add(waiter);
          return all;
        });
    VarHandle.fullFence();
  }

  private Set<Runnable> added() {
    keys.incrementAndGet();
    return new LinkedHashSet<>();
  }

  void leave(long hash, Runnable waiter) {
    byKey.computeIfPresent(
        hash,
        (key, all) -> {
          all.remove(waiter);
          if (!all.isEmpty()) {
            return all;
          }
          keys.decrementAndGet();
          return null;
        });
  }

  /** Wakes all who wait for a key, those who came first at first; each asks again. */
  void wake(long hash) {
    VarHandle.fullFence();
    if (keys.get() > 0 && byKey.containsKey(hash)) {
      List<Runnable> woken = new ArrayList<>();
      byKey.computeIfPresent(
          hash,
          (key, all) -> {
            woken.addAll(all);
            return all;
          });
      woken.forEach(Runnable::run);
    }
  }

  /** Wakes all who wait for any key. */
  void wakeAll() {
    VarHandle.fullFence();
    byKey.keySet().forEach(this::wake);
  }
}

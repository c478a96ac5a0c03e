package io.penstock.core;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Who waits for which key of a limiter, and is woken when room is made for it. Thread-safe. */
final class Waiters {
  /*
   * Nobody sleeps through what makes room: who waits joins, then looks; who makes room does so,
   * then looks for who waits. Whichever of them looks last sees the other, if no processor lets a
   * look pass the write before it, hence the fences. Decisions that only take never come here.
   */
  private final ConcurrentMap<Long, Set<Runnable>> byKey = new ConcurrentHashMap<>();

  /** Adds somebody to be woken, as often as room may have been made for a key, until it leaves. */
  void join(long hash, Runnable waiter) {
    byKey.compute(
        hash,
        (key, known) -> {
          Set<Runnable> all = known == null ? new LinkedHashSet<>() : known;
          all.add(waiter);
          return all;
        });
    VarHandle.fullFence();
  }

  void leave(long hash, Runnable waiter) {
    byKey.computeIfPresent(
        hash,
        (key, all) -> {
          all.remove(waiter);
          return all.isEmpty() ? null : all;
        });
  }

  /** Wakes all who wait for a key, those who came first at first; each asks again. */
  void wake(long hash) {
    VarHandle.fullFence();
    if (byKey.containsKey(hash)) {
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

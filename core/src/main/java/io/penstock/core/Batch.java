package io.penstock.core;

import io.penstock.core.state.ShortWay;
import io.penstock.core.state.Takes;
import java.util.Arrays;

/**
 * Many keys decided at one instant, one after the other: keys are hashed as they are added, then
 * their memory is fetched for all of them at once, then all are decided. Reusable. Confined to one
 * thread.
 */
public final class Batch {
  /** To begin with; a batch grows beyond it. */
  private static final int CAPACITY_MAX = 1 << 20;

  private final MemoryLimiter limiter;
  private final Takes takes;

  /* Of keys that were not decided the short way. */
  private boolean[] allowed;
  private long[] remaining;
  private long[] retryAfterNanos;
  private Limit limit;
  private int decided;

  Batch(MemoryLimiter limiter, int capacity) {
    Checks.between("capacity", capacity, 1, CAPACITY_MAX);
    this.limiter = limiter;
    this.takes = new Takes(capacity);
    this.allowed = new boolean[capacity];
    this.remaining = new long[capacity];
    this.retryAfterNanos = new long[capacity];
    this.limit = limiter.policy().limits().get(0);
  }

  /** Forgets all keys. */
  public void clear() {
    takes.clear();
    decided = 0;
  }

  /** Adds a key; a cost of 0 only looks, and a negative one gives back. */
  public void add(String key, long cost) {
    addHash(limiter.hash(key), cost);
  }

  /** As {@link #add(String, long)}, for a key that is a range of bytes. */
  public void add(byte[] key, int from, int length, long cost) {
    addHash(limiter.hash(key, from, length), cost);
  }

  /** Adds a key by the hash that the limiter made of it. */
  public void addHash(long hash, long cost) {
    takes.add(hash, cost);
  }

  /** Decides all keys. */
  public void decide() {
    limiter.decide(this);
    decided = size();
  }

  /** How many keys were added. */
  public int size() {
    return takes.size();
  }

  /** Whether the key that was added at a place, from 0, was let through. */
  public boolean allowed(int index) {
    return isShort(index) ? takes.outcome(index) >= 0 : allowed[index];
  }

  /** What is left of the limit that decided. */
  public long remaining(int index) {
    return isShort(index)
        ? Answers.left(limit, takes.nowNanos(), takes.cost(index), takes.outcome(index))
        : remaining[index];
  }

  /** 0 if allowed, {@link Decision#NEVER} if waiting does not help. */
  public long retryAfterNanos(int index) {
    return isShort(index) ? Math.max(0, -takes.outcome(index)) : retryAfterNanos[index];
  }

  /** Whether a key was decided the short way; only what was decided has an answer. */
  private boolean isShort(int index) {
    if (index < 0 || index >= decided) {
      throw new IndexOutOfBoundsException(
          "index: " + index + " (expected: one of " + decided + " decided keys, from 0)");
    }
    return takes.outcome(index) != ShortWay.UNUSUAL;
  }

  Takes takes() {
    return takes;
  }

  void answer(int index, boolean isAllowed, long left, long retryNanos) {
    if (allowed.length < size()) {
      allowed = Arrays.copyOf(allowed, 2 * size());
      remaining = Arrays.copyOf(remaining, 2 * size());
      retryAfterNanos = Arrays.copyOf(retryAfterNanos, 2 * size());
    }
    takes.outcome(index, ShortWay.UNUSUAL);
    allowed[index] = isAllowed;
    remaining[index] = left;
    retryAfterNanos[index] = retryNanos;
  }

  /** Says under which limit the short ways are gone. */
  void decidedBy(Limit quickLimit) {
    limit = quickLimit;
  }
}

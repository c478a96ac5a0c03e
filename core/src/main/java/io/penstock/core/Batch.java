package io.penstock.core;

import io.penstock.core.state.ShortWay;
import java.util.Arrays;
import java.util.Objects;

/**
 * Many keys decided at one instant, one after the other: keys are hashed as they are added, then
 * their memory is fetched for all of them at once, then all are decided. Reusable. Confined to one
 * thread.
 */
public final class Batch {
  private final MemoryLimiter limiter;
  private long[] hashes;
  private long[] costs;

  /* For keys decided the short way, what was taken; else UNUSUAL, and the numbers beside it. */
  private long[] taken;
  private boolean[] allowed;
  private long[] remaining;
  private long[] retryAfterNanos;
  private Limit limit;
  private long nowNanos;
  private int size;
  private int decided;

  /* Written so that reading memory ahead is not optimised away; nobody needs the value. */
  @SuppressWarnings("UnusedVariable")
  private long touched;

  Batch(MemoryLimiter limiter, int capacity) {
    Checks.atLeast("capacity", capacity, 1);
    this.limiter = limiter;
    this.hashes = new long[capacity];
    this.costs = new long[capacity];
    this.taken = new long[capacity];
    this.allowed = new boolean[capacity];
    this.remaining = new long[capacity];
    this.retryAfterNanos = new long[capacity];
    this.limit = limiter.policy().limits().get(0);
  }

  /** Forgets all keys. */
  public void clear() {
    size = 0;
    decided = 0;
  }

  /** Adds a key; a cost of 0 only looks, and a negative one gives back. */
  public void add(String key, long cost) {
    addHash(limiter.hash(key), cost);
  }

  public void add(byte[] key, int from, int length, long cost) {
    addHash(limiter.hash(key, from, length), cost);
  }

  /** Adds a key by the hash that the limiter made of it. */
  public void addHash(long hash, long cost) {
    if (size == hashes.length) {
      hashes = Arrays.copyOf(hashes, 2 * size);
      costs = Arrays.copyOf(costs, 2 * size);
      taken = Arrays.copyOf(taken, 2 * size);
      allowed = Arrays.copyOf(allowed, 2 * size);
      remaining = Arrays.copyOf(remaining, 2 * size);
      retryAfterNanos = Arrays.copyOf(retryAfterNanos, 2 * size);
    }
    hashes[size] = hash;
    costs[size] = cost;
    size++;
  }

  /** Decides all keys. */
  public void decide() {
    limiter.decide(this);
    decided = size;
  }

  public int size() {
    return size;
  }

  public boolean allowed(int index) {
    return isShort(index) ? taken[index] >= 0 : allowed[index];
  }

  /** What is left of the limit that decided. */
  public long remaining(int index) {
    return isShort(index)
        ? Answers.left(limit, nowNanos, costs[index], taken[index])
        : remaining[index];
  }

  /** 0 if allowed, {@link Decision#NEVER} if waiting does not help. */
  public long retryAfterNanos(int index) {
    return isShort(index) ? Math.max(0, -taken[index]) : retryAfterNanos[index];
  }

  /** Whether a key was decided the short way; only what was decided has an answer. */
  private boolean isShort(int index) {
    Objects.checkIndex(index, decided);
    return taken[index] != ShortWay.UNUSUAL;
  }

  /** Takes what was read ahead, so that reading it is not optimised away. */
  void touched(long sum) {
    touched += sum;
  }

  long[] hashes() {
    return hashes;
  }

  long cost(int index) {
    return costs[index];
  }

  /** Says what came of the short way, or that it was not taken. */
  void taken(int index, long outcome) {
    taken[index] = outcome;
  }

  void answer(int index, boolean isAllowed, long left, long retryNanos) {
    taken[index] = ShortWay.UNUSUAL;
    allowed[index] = isAllowed;
    remaining[index] = left;
    retryAfterNanos[index] = retryNanos;
  }

  /** Says under which limit and when the short ways were taken. */
  void decidedBy(Limit quickLimit, long atNanos) {
    limit = quickLimit;
    nowNanos = atNanos;
  }
}

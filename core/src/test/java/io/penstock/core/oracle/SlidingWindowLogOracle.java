package io.penstock.core.oracle;

import io.penstock.core.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Remembers every take, and counts those of the last period. */
final class SlidingWindowLogOracle implements Oracle {
  private record Take(long at, long units) {}

  private Limit limit;
  private final List<Take> takes = new ArrayList<>();

  SlidingWindowLogOracle(Limit limit) {
    this.limit = limit;
  }

  private long count(long now) {
    takes.removeIf(take -> take.at + limit.periodNanos() <= now);
    return takes.stream().mapToLong(Take::units).sum();
  }

  @Override
  public Answer take(long now, long cost) {
    long count = count(now);
    long left = Math.max(0, limit.count() - count);
    long wait = 0;
    if (cost > limit.count()) {
      wait = NEVER;
    } else if (cost > left) {
      wait = waitFor(now, count + cost - limit.count());
    } else if (cost > 0) {
      charge(now, cost);
      left -= cost;
    }
    long reset = takes.isEmpty() ? 0 : newest().at + limit.periodNanos() - now;
    return new Answer(wait == 0, left, wait, reset, 0, now);
  }

  private long waitFor(long now, long units) {
    long freed = 0;
    for (Take take : takes) {
      freed += take.units;
      if (freed >= units) {
        return take.at + limit.periodNanos() - now;
      }
    }
    throw new AssertionError("more to wait for than was taken");
  }

  private Take newest() {
    return takes.get(takes.size() - 1);
  }

  /** There is room for N takes: what is charged beyond joins the newest, at the later time. */
  @Override
  public void charge(long now, long cost) {
    count(now);
    boolean joins = (!takes.isEmpty() && newest().at == now) || takes.size() >= limit.count();
    long together = joins ? takes.remove(takes.size() - 1).units + cost : cost;
    takes.add(new Take(now, together));
  }

  @Override
  public void refund(long now, long cost) {
    count(now);
    giveBack(cost, take -> true);
  }

  @Override
  public void cancel(long now, long cost, long takenAt) {
    count(now);
    giveBack(cost, take -> take.at == takenAt);
  }

  /** Gives back from the newest on. */
  private void giveBack(long cost, Predicate<Take> from) {
    long left = cost;
    for (int i = takes.size() - 1; i >= 0; i--) {
      Take take = takes.get(i);
      long part = from.test(take) ? Math.min(left, take.units) : 0;
      left -= part;
      takes.set(i, new Take(take.at, take.units - part));
    }
    takes.removeIf(take -> take.units == 0);
  }

  @Override
  public Ratio used(long now) {
    return Ratio.of(count(now));
  }

  @Override
  public void carry(long now, Ratio used) {
    takes.clear();
    if (used.ceil() > 0) {
      takes.add(new Take(now, used.ceil()));
    }
  }

  @Override
  public void change(long now, Limit to) {
    long count = count(now);
    boolean shorter = to.periodNanos() < limit.periodNanos();
    limit = to;
    if (shorter) {
      carry(now, Ratio.of(count));
    }
  }
}

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

  /** The window narrows, from a length at an instant on; a length of 0 if it does not. */
  private long narrowsSince;

  private long narrowsFrom;

  /** In one period from that length to the period, evenly. */
  private Ratio window(long now) {
    long period = limit.periodNanos();
    long passed = Math.min(period, now - narrowsSince);
    Ratio narrower = Ratio.of(narrowsFrom - period).times(Ratio.of(passed, period));
    return narrowsFrom <= period ? Ratio.of(period) : Ratio.of(narrowsFrom).minus(narrower);
  }

  private long count(long now) {
    Ratio window = window(now);
    takes.removeIf(take -> Ratio.of(now - take.at).compareTo(window) >= 0);
    narrowsFrom = takes.isEmpty() ? 0 : narrowsFrom;
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
    long reset = takes.isEmpty() ? 0 : endOf(newest()) - now;
    return new Answer(wait == 0, left, wait, reset, 0, now);
  }

  private long waitFor(long now, long units) {
    long freed = 0;
    for (Take take : takes) {
      freed += take.units;
      if (freed >= units) {
        return endOf(take) - now;
      }
    }
    throw new AssertionError("more to wait for than was taken");
  }

  /** The first instant at which the window no longer reaches back to it: halve until found. */
  private long endOf(Take take) {
    long counts = take.at;
    long gone = take.at + Math.max(limit.periodNanos(), narrowsFrom);
    while (gone - counts > 1) {
      long middle = counts + (gone - counts) / 2;
      if (Ratio.of(middle - take.at).compareTo(window(Math.max(middle, narrowsSince))) >= 0) {
        gone = middle;
      } else {
        counts = middle;
      }
    }
    return gone;
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
    narrowsFrom = 0;
    if (used.ceil() > 0) {
      takes.add(new Take(now, used.ceil()));
    }
  }

  @Override
  public void change(long now, Limit to) {
    count(now);
    narrowsFrom = takes.isEmpty() ? 0 : window(now).ceil();
    narrowsSince = now;
    limit = to;
  }
}

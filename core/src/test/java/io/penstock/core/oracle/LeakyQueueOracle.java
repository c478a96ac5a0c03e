package io.penstock.core.oracle;

import io.penstock.core.Limit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A line of places, one interval apart; who comes takes a free one or the next behind the last. */
final class LeakyQueueOracle implements Oracle {
  /** So many places one after the other, from the first on. */
  private record Gap(Ratio first, long places) {}

  private Limit limit;

  /** The first place behind the last that is taken. */
  private Ratio tail = Ratio.ZERO;

  /** Places before the tail whose callers gave up, the earliest first. */
  private final List<Gap> gaps = new ArrayList<>();

  LeakyQueueOracle(Limit limit) {
    this.limit = limit;
  }

  private Ratio nanos(long units) {
    return Ratio.of(units).times(Oracle.unitNanos(limit));
  }

  private void moveOn(long now) {
    tail = tail.max(Ratio.of(now));
    gaps.replaceAll(gap -> without(gap, placesBetween(gap.first, Ratio.of(now))));
    gaps.replaceAll(
        gap -> new Gap(gap.first, Math.min(gap.places, placesBetween(gap.first, tail))));
    gaps.removeIf(gap -> gap.places <= 0);
  }

  /** How many places, the first at {@code from}, lie before {@code to}. */
  private long placesBetween(Ratio from, Ratio to) {
    return Ratio.ZERO.max(to.minus(from)).dividedBy(Oracle.unitNanos(limit)).ceil();
  }

  private Gap without(Gap gap, long places) {
    return new Gap(gap.first.plus(nanos(places)).reduced(), gap.places - places);
  }

  private Ratio takeGap() {
    Gap gap = gaps.get(0);
    gaps.set(0, without(gap, 1));
    gaps.removeIf(each -> each.places == 0);
    return gap.first;
  }

  @Override
  public Answer take(long now, long cost) {
    moveOn(now);
    Ratio furthest = Ratio.of(now).plus(nanos(limit.capacity()));
    Ratio last = tail.plus(nanos(Math.max(cost, 1) - 1));
    Ratio run = Ratio.of(now);
    long wait = 0;
    if (cost == 1 && !gaps.isEmpty()) {
      run = takeGap();
    } else if (cost > 0 && cost - 1 > limit.capacity()) {
      wait = NEVER;
    } else if (cost > 0 && last.compareTo(furthest) > 0) {
      wait = last.minus(furthest).ceil();
    } else if (cost > 0) {
      run = tail;
      tail = tail.plus(nanos(cost)).min(Ratio.of(now).plus(DEBT_NANOS_MAX));
    }
    long reset = tail.minus(Ratio.of(now)).ceil();
    long until = run.minus(Ratio.of(now)).ceil();
    return new Answer(wait == 0, free(furthest), wait, reset, until, now + until);
  }

  private long free(Ratio furthest) {
    long behind =
        tail.compareTo(furthest) > 0
            ? 0
            : furthest.minus(tail).dividedBy(Oracle.unitNanos(limit)).floor() + 1;
    return Math.min(limit.capacity(), behind + gaps.stream().mapToLong(Gap::places).sum());
  }

  @Override
  public void charge(long now, long cost) {
    moveOn(now);
    if (cost == 1 && !gaps.isEmpty()) {
      takeGap();
    } else {
      Ratio units = tail.minus(Ratio.of(now)).dividedBy(Oracle.unitNanos(limit));
      setTail(now, units.plus(Ratio.of(cost)));
    }
  }

  private void setTail(long now, Ratio units) {
    Ratio debt = Oracle.held(limit, units).times(Oracle.unitNanos(limit));
    tail = Ratio.of(now).plus(debt).reduced();
  }

  @Override
  public void refund(long now, long cost) {
    moveOn(now);
    tail = Ratio.of(now).max(tail.minus(nanos(cost)));
    moveOn(now);
  }

  /** The ticket is the place, in whole nanoseconds, at which the take was to run. */
  @Override
  public void cancel(long now, long cost, long ticket) {
    moveOn(now);
    if (ticket < now) {
      return;
    }
    Ratio place = Ratio.of(ticket);
    if (place.plus(nanos(cost)).compareTo(tail) >= 0) {
      refund(now, cost);
      return;
    }
    gaps.add(new Gap(place, cost));
    gaps.sort(Comparator.comparing(Gap::first));
  }

  @Override
  public Ratio used(long now) {
    moveOn(now);
    return tail.minus(Ratio.of(now)).dividedBy(Oracle.unitNanos(limit));
  }

  @Override
  public void carry(long now, Ratio used) {
    gaps.clear();
    setTail(now, used);
  }

  @Override
  public void change(long now, Limit to) {
    Ratio used = used(now);
    limit = to;
    carry(now, used);
  }
}

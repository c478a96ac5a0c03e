package io.penstock.core.oracle;

import io.penstock.core.Limit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A line of places, one interval apart; who comes takes a free one or the next behind the last. */
final class LeakyQueueOracle implements Oracle {
  /** So many places one after the other, whole intervals before the tail; told rounded up. */
  private record Gap(Ratio end, long places) {}

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

  /** Places that have begun are lost. */
  private void moveOn(long now) {
    tail = tail.max(Ratio.of(now));
    gaps.replaceAll(gap -> new Gap(gap.end, Math.min(gap.places, unitsFrom(now, gap.end))));
    gaps.removeIf(gap -> gap.places <= 0);
  }

  private Ratio nanosToUnits(long nanos) {
    return Ratio.of(nanos).dividedBy(Oracle.unitNanos(limit));
  }

  /** The places before an end that are told at an instant or later. */
  private long unitsFrom(long now, Ratio end) {
    Ratio units = end.minus(Ratio.of(now - 1)).dividedBy(Oracle.unitNanos(limit));
    return Math.max(0, units.ceil() - 1);
  }

  private Ratio start(Gap gap) {
    return gap.end.minus(nanos(gap.places));
  }

  /** Takes places in a row: the first of the earliest gap that has so many, or behind the tail. */
  private Ratio takePlaces(long now, long cost) {
    for (int i = 0; i < gaps.size(); i++) {
      Gap gap = gaps.get(i);
      if (gap.places >= cost) {
        gaps.set(i, new Gap(gap.end, gap.places - cost));
        gaps.removeIf(each -> each.places == 0);
        return start(gap);
      }
    }
    Ratio place = tail;
    Ratio units = tail.minus(Ratio.of(now)).dividedBy(Oracle.unitNanos(limit));
    setTail(now, units.plus(Ratio.of(cost)));
    return place;
  }

  @Override
  public Answer take(long now, long cost) {
    moveOn(now);
    Ratio run = Ratio.of(now);
    long wait = 0;
    if (cost > 0 && cost - 1 > limit.capacity()) {
      wait = NEVER;
    } else if (cost > 0 && !fits(now, cost)) {
      wait = waitFor(now, cost);
    } else if (cost > 0 && gaps.stream().allMatch(gap -> gap.places < cost)) {
      wait = Math.max(0, longer(now, cost).minus(DEBT_NANOS_MAX).ceil());
    }
    if (cost > 0 && wait == 0) {
      run = takePlaces(now, cost);
    }
    long reset = tail.minus(Ratio.of(now)).ceil();
    long until = run.minus(Ratio.of(now)).ceil();
    long left = Math.max(0, limit.capacity() + 1 - held(now).ceil());
    return new Answer(wait == 0, Math.min(limit.capacity(), left), wait, reset, until, now + until);
  }

  /** How far ahead the tail is with so many places more; no further than the longest debt. */
  private Ratio longer(long now, long cost) {
    return tail.minus(Ratio.of(now)).plus(nanos(cost));
  }

  /** One runs, and at most so many wait as the capacity says. */
  private boolean fits(long now, long cost) {
    return held(now).plus(Ratio.of(cost)).compareTo(Ratio.of(limit.capacity() + 1)) <= 0;
  }

  /** The places from now to the tail, without those of gaps that can still be taken. */
  private Ratio held(long now) {
    long free = 0;
    for (Gap gap : gaps) {
      free += Math.min(gap.places, unitsFrom(now, gap.end));
    }
    Ratio ahead = Ratio.ZERO.max(tail.minus(Ratio.of(now)));
    return Ratio.ZERO.max(ahead.dividedBy(Oracle.unitNanos(limit)).minus(Ratio.of(free)));
  }

  /**
   * Some of the gaps, the earliest ones, will have passed: tries all numbers of them. What fits at
   * one instant only, as a gap begins to pass, is no answer.
   */
  private long waitFor(long now, long cost) {
    long best = NEVER;
    for (int passed = 0; passed <= gaps.size(); passed++) {
      long free = gaps.stream().skip(passed).mapToLong(Gap::places).sum();
      Ratio enough = tail.minus(nanos(limit.capacity() + 1 - cost + free));
      long at = enough.minus(Ratio.of(now)).ceil();
      if (at > 0 && fits(now + at, cost) && (isDense() || fits(now + at + 1, cost))) {
        best = Math.min(best, at);
      }
    }
    return best;
  }

  /** Places begin at nearly every instant, so that there is always one. */
  private boolean isDense() {
    return Oracle.unitNanos(limit).compareTo(Ratio.of(2)) < 0;
  }

  @Override
  public void charge(long now, long cost) {
    moveOn(now);
    takePlaces(now, cost);
  }

  private void setTail(long now, Ratio units) {
    Ratio debt = Oracle.held(limit, units).times(Oracle.unitNanos(limit));
    tail = Ratio.of(now).plus(debt).reduced();
  }

  /**
   * The last places that are taken and have not begun become free, and the tail moves to the last
   * that is left.
   */
  @Override
  public void refund(long now, long cost) {
    moveOn(now);
    moveOverGap();
    long left = cost;
    while (left > 0) {
      Ratio before = gaps.isEmpty() ? Ratio.of(now) : gaps.get(gaps.size() - 1).end;
      long taken =
          gaps.isEmpty()
              ? unitsFrom(now, tail)
              : tail.minus(before).dividedBy(Oracle.unitNanos(limit)).ceil();
      if (taken == 0) {
        return;
      }
      long part = Math.min(left, taken);
      tail = before.max(tail.minus(nanos(part)));
      left -= part;
      moveOverGap();
    }
  }

  private void moveOverGap() {
    int last = gaps.size() - 1;
    if (last >= 0 && gaps.get(last).end.compareTo(tail) >= 0) {
      tail = start(gaps.remove(last));
    }
  }

  /** The ticket is the place, in whole nanoseconds, at which the take was to run. */
  @Override
  public void cancel(long now, long taken, long ticket) {
    moveOn(now);
    long passed = ticket < now ? nanosToUnits(now - ticket - 1).floor() + 1 : 0;
    long cost = taken - passed;
    if (cost <= 0) {
      return;
    }
    Ratio place = Ratio.of(ticket + nanos(passed).ceil());
    if (place.plus(nanos(cost)).compareTo(tail) >= 0) {
      refund(now, cost);
      return;
    }
    gaps.add(new Gap(place.plus(nanos(cost)), cost));
    gaps.sort(Comparator.comparing(Gap::end));
    for (int i = gaps.size() - 2; i >= 0; i--) {
      Gap both = new Gap(gaps.get(i + 1).end, gaps.get(i).places + gaps.get(i + 1).places);
      if (start(both).compareTo(start(gaps.get(i))) == 0) {
        gaps.set(i, both);
        gaps.remove(i + 1);
      }
    }
  }

  @Override
  public Ratio used(long now) {
    moveOn(now);
    return held(now);
  }

  @Override
  public Ratio aheadWith(long now, long cost) {
    moveOn(now);
    boolean fitsAGap = cost > 0 && gaps.stream().anyMatch(gap -> gap.places >= cost);
    return longer(now, fitsAGap ? 0 : cost).dividedBy(Oracle.unitNanos(limit));
  }

  @Override
  public void carry(long now, Ratio used) {
    gaps.clear();
    setTail(now, used);
  }

  /** Tail and gaps lie as many places ahead as before. */
  @Override
  public void change(long now, Limit to) {
    moveOn(now);
    Ratio unit = Oracle.unitNanos(limit);
    Ratio newUnit = Oracle.unitNanos(to);
    limit = to;
    if (unit.compareTo(newUnit) == 0) {
      return;
    }
    Ratio before = tail;
    setTail(now, tail.minus(Ratio.of(now)).dividedBy(unit));
    gaps.replaceAll(
        gap -> {
          Ratio behind = before.minus(gap.end).dividedBy(unit);
          return new Gap(tail.minus(behind.times(newUnit)).reduced(), gap.places);
        });
    moveOn(now);
  }
}

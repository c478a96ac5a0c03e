package io.penstock.core.oracle;

import io.penstock.core.Limit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A list of what is held, and when each lease ends. */
final class ConcurrencyOracle implements Oracle {
  private record Lease(long ticket, long end, long units) {}

  private Limit limit;
  private final List<Lease> leases = new ArrayList<>();
  private long tickets;

  ConcurrencyOracle(Limit limit) {
    this.limit = limit;
  }

  private long held(long now) {
    leases.removeIf(lease -> lease.end <= now);
    return leases.stream().mapToLong(Lease::units).sum();
  }

  @Override
  public Answer take(long now, long cost) {
    long held = held(now);
    long left = Math.max(0, limit.count() - held);
    long wait = 0;
    if (cost > limit.count()) {
      wait = NEVER;
    } else if (cost > left) {
      wait = waitFor(now, held + cost - limit.count());
    } else if (cost > 0) {
      charge(now, cost);
      left -= cost;
    }
    long last = leases.stream().mapToLong(Lease::end).max().orElse(now);
    return new Answer(wait == 0, left, wait, last - now, 0, tickets);
  }

  private long waitFor(long now, long units) {
    List<Lease> byEnd = new ArrayList<>(leases);
    byEnd.sort(Comparator.comparingLong(Lease::end));
    long freed = 0;
    for (Lease lease : byEnd) {
      freed += lease.units;
      if (freed >= units) {
        return lease.end - now;
      }
    }
    throw new AssertionError("more to wait for than is held");
  }

  @Override
  public void charge(long now, long cost) {
    held(now);
    leases.add(new Lease(++tickets, now + limit.periodNanos(), cost));
  }

  @Override
  public void refund(long now, long cost) {
    held(now);
    long left = cost;
    for (int i = leases.size() - 1; i >= 0 && left > 0; i--) {
      left -= release(i, left);
    }
  }

  private long release(int index, long most) {
    Lease lease = leases.get(index);
    long part = Math.min(most, lease.units);
    if (part == lease.units) {
      leases.remove(index);
    } else {
      leases.set(index, new Lease(lease.ticket, lease.end, lease.units - part));
    }
    return part;
  }

  /** Only what this take holds comes back; a lease that has ended gives nothing. */
  @Override
  public void cancel(long now, long cost, long ticket) {
    held(now);
    for (int i = 0; i < leases.size(); i++) {
      if (leases.get(i).ticket == ticket) {
        release(i, cost);
        return;
      }
    }
  }

  @Override
  public Ratio used(long now) {
    return Ratio.of(held(now));
  }

  /** What was used under another algorithm belongs to nobody, and ends with a lease. */
  @Override
  public void carry(long now, Ratio used) {
    leases.clear();
    if (used.ceil() > 0) {
      leases.add(new Lease(-1, now + limit.periodNanos(), used.ceil()));
    }
  }

  @Override
  public void change(long now, Limit to) {
    limit = to;
  }
}

package io.penstock.server.node;

import java.util.List;

/** Which costs descriptors may have, alone and beside each other. Stateless. */
final class Costs {
  private Costs() {}

  /** Throws unless everything that is given back may be, and beside what is taken. */
  static void require(CheckRequest request, List<Subject> subjects) {
    for (int i = 0; i < subjects.size(); i++) {
      long cost = subjects.get(i).asked().cost();
      if (cost < 0 && !subjects.get(i).mayRefund(request)) {
        throw new RefundRefusedException(cost);
      }
      for (int j = 0; j < i; j++) {
        requireOneWay(subjects.get(i), subjects.get(j));
      }
    }
  }

  /* All are decided at one instant, so one counter cannot take and give back: which comes first? */
  private static void requireOneWay(Subject subject, Subject earlier) {
    long cost = subject.asked().cost();
    long other = earlier.asked().cost();
    if (Long.signum(cost) * Long.signum(other) < 0 && isOneCounter(subject, earlier)) {
      throw new IllegalArgumentException(
          "cost: " + cost + " (expected: the sign of " + other + ", of the same descriptor)");
    }
  }

  private static boolean isOneCounter(Subject one, Subject other) {
    if (one.hash() != other.hash() || !one.isCounted() || !other.isCounted()) {
      return false;
    }
    for (int i = 0; i < limits(one); i++) {
      for (int j = 0; j < limits(other); j++) {
        if (one.counter(i) == other.counter(j)) {
          return true;
        }
      }
    }
    return false;
  }

  private static int limits(Subject subject) {
    Grant grant = subject.grant();
    return subject.asked().given() != null ? 1 : grant == null ? 0 : grant.size();
  }
}

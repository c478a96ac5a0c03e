package io.penstock.server.resp;

import io.penstock.core.Limit;
import io.penstock.server.fields.Whole;
import io.penstock.server.node.Node;
import io.penstock.server.node.Throttled;
import io.penstock.server.ops.Decisions;

/** {@code CL.THROTTLE}, as redis-cell answers it, and {@code DEL} of its keys. Thread-safe. */
final class ThrottleCommand {
  private final Node node;
  private final Decisions decisions;
  private final int keyBytesMax;

  /** Made once, not per command. */
  private final Slot.Writing<Throttled> counting = this::count;

  ThrottleCommand(Node node, Decisions decisions, int keyBytesMax) {
    this.node = node;
    this.decisions = decisions;
    this.keyBytesMax = keyBytesMax;
  }

  /** {@code CL.THROTTLE key max_burst count period [quantity]}. */
  void throttle(Session session, Request request, Output out) {
    int count = request.count();
    if (count != 5 && count != 6) {
      throw Command.wrongArity("cl.throttle");
    }
    Limit limit =
        session
            .limits()
            .of(
                request.number(2, "max_burst"),
                request.number(3, "count"),
                request.number(4, "period"));
    long cost = count == 6 ? request.number(5, "quantity") : 1;
    if (!session.mayThrottle() || (cost < 0 && !session.mayReset())) {
      throw Command.notAllowed("cl.throttle");
    }
    checkKey(request, 1);
    Throttled answer =
        node.throttle(
            request.hash(), limit, cost, request.nowNanos(), session.replies().throttled(counting));
    if (answer != null) {
      count(answer, out);
    }
  }

  private void count(Throttled answer, Output out) {
    decisions.countThrottled(answer.allowed());
    write(answer, out);
  }

  /** Writes what redis-cell would. */
  static void write(Throttled answer, Output out) {
    out.five(
        answer.allowed() ? 0 : 1,
        answer.limit(),
        answer.remaining(),
        retryAfterSeconds(answer.allowed(), answer.retryAfterNanos()),
        Whole.secondsUntilFull(answer.resetAfterNanos(), answer.limit()));
  }

  /** {@code DEL key …}: how many of them had anything to forget. */
  void forget(Session session, Request request, Output out) {
    if (!session.mayReset()) {
      throw Command.notAllowed("del");
    }
    for (int i = 1; i < request.count(); i++) {
      checkKey(request, i);
    }
    Slot<Integer> slot = session.replies().slot((forgotten, to) -> to.integer(forgotten));
    Forgetting forgetting = new Forgetting(request.count() - 1, slot);
    for (int i = 1; i < request.count(); i++) {
      node.forget(node.hash(request.bytes(), request.from(i), request.length(i)), forgetting);
    }
    session.replies().settle(slot);
  }

  private void checkKey(Request request, int index) {
    if (request.length(index) > keyBytesMax) {
      throw RefusedException.value(
          "key", request.length(index) + " bytes", "<= " + keyBytesMax + " bytes");
    }
  }

  /** -1 if there is nothing to wait for, or if waiting does not help; else at least 1. */
  static long retryAfterSeconds(boolean allowed, long nanos) {
    return allowed || nanos == Long.MAX_VALUE ? -1 : Math.max(1, Whole.seconds(nanos));
  }
}

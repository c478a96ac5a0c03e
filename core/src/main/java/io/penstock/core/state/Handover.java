package io.penstock.core.state;

import io.penstock.core.Step;

/**
 * What becomes of a state on its way from the rule it was written under to another. Confined to the
 * thread that decides.
 */
final class Handover {
  /*
   * What was used stays used, in units, converted at the instant of the change and not when
   * somebody looks: a key left alone drains at the rates that were in force. So a state walks
   * through every rule that followed the one it was written under, each from its own
   * beginning.
   */
  private Handover() {}

  /** Brings a state to a rule, through all that were in force since its way began. */
  static void convert(Step step, Way way, Rule to, long nowNanos) {
    while (way.at() != to && step.until > way.nanos()) {
      Rule left = way.at();
      way.goOn(to, nowNanos);
      hand(step, left, way.at(), way.nanos());
    }
    if (step.until <= way.nanos()) {
      step.clear();
    }
  }

  /** Brings a state of a key that alone left a rule, at an instant, to where it went then. */
  static Rule leave(Step step, Rule from, Rule to, long nanos) {
    Rule next = to.inForceAt(nanos);
    if (next != from) {
      hand(step, from, next, Math.max(nanos, next.sinceNanos()));
    }
    return next;
  }

  private static void hand(Step step, Rule from, Rule to, long nowNanos) {
    if (step.until <= nowNanos) {
      step.clear();
    } else if (to.algorithm() == from.algorithm() && !to.limit().equals(from.limit())) {
      from.algorithm().change(step, from.limit(), to.limit(), nowNanos);
    } else if (to.algorithm() != from.algorithm()) {
      from.algorithm().used(step, from.limit(), nowNanos);
      step.clear();
      to.algorithm().carry(step, to.limit(), nowNanos);
    }
    if (to.forgives(from, nowNanos)) {
      forgive(step, to, nowNanos);
    }
  }

  private static void forgive(Step step, Rule rule, long nowNanos) {
    rule.algorithm().used(step, rule.limit(), nowNanos);
    if (step.usedCeil() > rule.capacity()) {
      step.used(rule.capacity(), /* part= */ 0, /* of= */ 1);
      step.clear();
      rule.algorithm().carry(step, rule.limit(), nowNanos);
    }
  }
}

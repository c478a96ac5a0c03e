package io.penstock.core.state;

import org.jspecify.annotations.Nullable;

/**
 * Rules of one policy that follow each other: which of them a key was under, and from when to when.
 * Thread-safe; one at a time lengthens it, or forgets its beginning.
 */
final class Line {
  /*
   * A line tells from which rule keys came to it, and when: they left for it then, whatever becomes
   * of the rule they left. What follows a rule is there for those of its keys that are under it
   * until its end. So the way of a key from one rule to another is found from both ends.
   */
  private volatile Rule first;

  Line(Rule first) {
    this.first = first;
  }

  Rule first() {
    return first;
  }

  /*
   * A rule leads to all that follow it. If a line kept its first one for good, a policy that is put
   * again and again would keep all its rules. Keys that come from elsewhere join what is left.
   */
  /** Lets go of rules at the beginning that no state names. */
  void shorten() {
    Rule left = first;
    Rule next = left.next();
    while (left.isForgotten() && next != null && next.line() == this) {
      left = next;
      next = left.next();
    }
    Rule before = first.predecessor();
    if (before != null && left.predecessor() == null) {
      left.after(before);
    }
    first = left;
  }

  /** The rule after one on the way of a key to another. */
  static Rule after(Rule rule, Rule to, long nowNanos) {
    Rule first = entry(rule, to);
    Rule next = rule.next();
    if (rule.isOver(nowNanos) && next != null && !isLeftFor(rule, first, nowNanos)) {
      return next;
    }
    return rule.line() == first.line() ? to : first;
  }

  /** When a key left a rule for the one after it. */
  static long leftAt(Rule rule, Rule after, long nowNanos) {
    if (rule.isOver(nowNanos) && !isLeftFor(rule, after, nowNanos)) {
      return rule.endNanos();
    }
    /*
     * By another's clock a rule of one key, or one that led back here, was over: it is left now. So
     * is a shared one that the other has not begun with: its key may have come there long after
     * that had begun, and would owe once more what has drained since.
     */
    boolean back = rule.isShared() && after.latest(Long.MAX_VALUE) == rule;
    boolean strange = rule.isShared() && after.origin().predecessor() != rule;
    boolean alone = rule.isOfOneKey() || after.isOfOneKey() || after.isShared();
    return back || strange || alone ? nowNanos : after.begunNanos();
  }

  /** The first rule of the line for which keys leave that of a rule, on the way to another. */
  private static Rule entry(Rule rule, Rule to) {
    Rule line = to.origin();
    Rule before = line.predecessor();
    while (before != null && before.line() != rule.line()) {
      line = before.origin();
      before = line.predecessor();
    }
    return before == null ? to.origin() : line;
  }

  /**
   * Whether keys left a rule for a line before it was over. Those that the line says it began with
   * did. So did the others, unless the line of the rule is over by now and they left it then.
   */
  private static boolean isLeftFor(Rule rule, Rule first, long nowNanos) {
    Rule before = first.predecessor();
    if (before == rule) {
      return true;
    }
    if (first.isShared() || first.line() == rule.line()) {
      return false;
    }
    boolean known = before != null && before.line() == rule.line();
    return first.begunNanos() < rule.endNanos() && (known || !isLineOver(rule, nowNanos));
  }

  private static boolean isLineOver(Rule rule, long nowNanos) {
    Rule at = rule;
    for (Rule next = next(at, nowNanos); next != null; next = next(at, nowNanos)) {
      at = next;
    }
    return at.isOver(nowNanos);
  }

  private static @Nullable Rule next(Rule rule, long nowNanos) {
    Rule next = rule.isOver(nowNanos) ? rule.next() : null;
    return next != null && next.line() == rule.line() ? next : null;
  }
}

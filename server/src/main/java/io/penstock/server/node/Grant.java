package io.penstock.server.node;

import io.penstock.core.Limit;
import io.penstock.core.Policy;
import io.penstock.core.policy.Terms;
import io.penstock.core.state.Rule;
import io.penstock.core.state.Rules;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Terms made ready for deciding: one rule and one counter per limit. Immutable. */
final class Grant {
  private final Terms terms;
  private final Counters counters;
  private final Rule[] rules;

  private Grant(Terms terms, Counters counters, Rule[] rules) {
    this.terms = terms;
    this.counters = counters;
    this.rules = rules;
  }

  /** A grant whose rules are those of everybody with the same limits. */
  static Grant shared(Terms terms, Counters counters, Rules registry) {
    List<Limit> limits = limits(terms);
    Rule[] rules = new Rule[limits.size()];
    for (int i = 0; i < rules.length; i++) {
      rules[i] = registry.shared(limits.get(i), policy(terms).algorithmOf(limits.get(i)));
    }
    return new Grant(terms, counters, rules);
  }

  /** A grant that nothing is decided by any more: its rules tell what it was. */
  static Grant past(Terms terms, Counters counters) {
    List<Limit> limits = limits(terms);
    Rule[] rules = new Rule[limits.size()];
    for (int i = 0; i < rules.length; i++) {
      rules[i] = Rules.given(limits.get(i), policy(terms).algorithmOf(limits.get(i)));
    }
    return new Grant(terms, counters, rules);
  }

  /*
   * What is used is converted at the instant of the change, whoever looks and when: so the new
   * rules begin now, and those of this grant end, unless others share them. They end before the new
   * grant is published; whoever decides meanwhile finds them outdated and asks again.
   */
  /** The grant that follows this one for all its keys at once. */
  Grant replacedBy(Terms next, Counters nextCounters, Followers followers) {
    List<Limit> limits = limits(next);
    Rule[] following = new Rule[limits.size()];
    for (int i = 0; i < following.length; i++) {
      Limit limit = limits.get(i);
      Rule old = withCounter(nextCounters.of(limit));
      boolean same =
          old != null
              && old.limit().equals(limit)
              && old.algorithm().equals(policy(next).algorithmOf(limit));
      following[i] =
          same && old != null ? old : followers.of(old, limit, policy(next).algorithmOf(limit));
    }
    Grant grant = new Grant(next, nextCounters, following);
    for (int i = 0; i < rules.length; i++) {
      Rule successor = grant.withCounter(counter(i));
      if (rules[i] != successor) {
        followers.end(rules[i], successor);
      }
    }
    return grant;
  }

  /** A grant that keys come under at an instant, from grants that others keep. */
  static Grant begun(@Nullable Grant from, Terms terms, Counters counters, Followers followers) {
    Grant none = new Grant(terms, counters, new Rule[0]);
    Grant grant = none.replacedBy(terms, counters, followers);
    for (int i = 0; from != null && i < from.rules.length; i++) {
      followers.leave(from.rules[i], grant.withCounter(from.counter(i)));
    }
    return grant;
  }

  /** The limits of a grant that follows which fit less than their counters may have here. */
  List<Limit> lowered(Grant next) {
    List<Limit> lowered = new ArrayList<>();
    for (int i = 0; i < next.size(); i++) {
      Rule old = withCounter(next.counter(i));
      Limit limit = next.rule(i).limit();
      if (old != null && old.limit().capacity() > limit.capacity()) {
        lowered.add(limit);
      }
    }
    return lowered;
  }

  /**
   * This grant again, under which nobody owes more than fits; its keys come under it now.
   *
   * @param isLeft whether nobody goes on under a rule: one that ends under somebody decides nothing
   */
  Grant forgiven(Followers followers, Predicate<Rule> isLeft) {
    Rule[] following = new Rule[rules.length];
    for (int i = 0; i < rules.length; i++) {
      following[i] = followers.forgiving(rules[i]);
      if (isLeft.test(rules[i]) || rules[i].isShared()) {
        followers.end(rules[i], following[i]);
      } else {
        followers.leave(rules[i], following[i]);
      }
    }
    return new Grant(terms, counters, following);
  }

  Terms terms() {
    return terms;
  }

  Counters counters() {
    return counters;
  }

  List<Limit> limits() {
    return limits(terms);
  }

  static List<Limit> limits(Terms terms) {
    Policy policy = terms.policy();
    return policy == null ? List.of() : policy.limits();
  }

  private static Policy policy(Terms terms) {
    Policy policy = terms.policy();
    if (policy == null) {
      throw new IllegalStateException("no policy has limits to count");
    }
    return policy;
  }

  int size() {
    return rules.length;
  }

  Rule rule(int index) {
    return rules[index];
  }

  /** The counter that a limit reads. */
  int counter(int index) {
    return counters.of(rules[index].limit());
  }

  /** The rule that reads a counter, or null if none does. */
  @Nullable Rule withCounter(int counter) {
    for (int i = 0; i < rules.length; i++) {
      if (counter(i) == counter) {
        return rules[i];
      }
    }
    return null;
  }
}

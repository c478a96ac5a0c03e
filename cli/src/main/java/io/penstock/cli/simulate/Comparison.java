package io.penstock.cli.simulate;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import java.util.ArrayList;
import java.util.List;

/**
 * A scenario and what every algorithm made of it. Immutable.
 *
 * @param requests how many requests came
 * @param offered what they asked for
 * @param horizonNanos where the time axis of all algorithms ends
 * @param notes what a reader must know to compare
 */
record Comparison(
    Scenario scenario,
    long requests,
    Flow offered,
    long horizonNanos,
    List<Trial> trials,
    List<String> notes) {

  /** Leaves out algorithms that cannot count these limits, if others can. */
  static Comparison of(Scenario scenario) {
    List<Arrival> arrivals = scenario.traffic().arrivals(scenario.seed());
    List<Trial> trials = new ArrayList<>();
    List<String> leftOut = new ArrayList<>();
    for (Algorithm algorithm : scenario.algorithms()) {
      try {
        trials.add(Trial.run(scenario.policyFor(algorithm), arrivals, scenario.startNanos()));
      } catch (IllegalArgumentException | IllegalStateException e) {
        leftOut.add(algorithm.name() + " cannot: " + e.getMessage());
      }
    }
    if (trials.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", leftOut));
    }
    List<String> notes = new ArrayList<>(scenario.notes());
    notes.addAll(leftOut);
    Flow offered = Flow.of(arrivals);
    long horizon = horizon(scenario, offered, trials);
    return new Comparison(scenario, arrivals.size(), offered, horizon, trials, notes);
  }

  /** The end of the traffic, or later: when a queue lets its last request run. */
  private static long horizon(Scenario scenario, Flow offered, List<Trial> trials) {
    long last = offered.lastNanos();
    for (Trial trial : trials) {
      last = Math.max(last, trial.admitted().lastNanos());
    }
    long length = scenario.traffic().lengthNanos();
    long period = scenario.policy().limits().get(0).periodNanos();
    // What comes last needs some room behind it to be seen as a bar among others.
    return last < length ? length : last + period / 10;
  }

  Limit firstLimit() {
    return scenario.policy().limits().get(0);
  }

  /** What was offered at most in any window as long as the first limit's period. */
  Peak offeredPeak() {
    return offered.peak(firstLimit().periodNanos());
  }

  /** How unevenly an algorithm let through: until the traffic ends, or what it let through. */
  double fano(Trial trial) {
    return trial.admitted().fano(trial.tenthNanos(), scenario.traffic().lengthNanos());
  }

  Timeline timeline(int binsMax) {
    return Timeline.of(horizonNanos, binsMax);
  }
}

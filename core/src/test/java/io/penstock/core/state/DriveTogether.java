package io.penstock.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Step;
import io.penstock.core.state.Turn.Ask;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Several keys of a {@link Drive} decided together, and by its model. Not thread-safe. */
final class DriveTogether {
  private final Drive drive;
  private final SplittableRandom random;
  private final States states;
  private final Together together = new Together();
  private final List<Long> asked = new ArrayList<>();
  private final Map<Long, Long> costs = new LinkedHashMap<>();
  private final Map<Long, Step> expected = new LinkedHashMap<>();

  DriveTogether(Drive drive, SplittableRandom random, States states) {
    this.drive = drive;
    this.random = random;
    this.states = states;
  }

  /** Takes from two to five keys, some of them twice, or resets or charges all of them. */
  void play() {
    int which = random.nextInt(10);
    Ask ask = which == 0 ? Ask.RESET : which == 1 ? Ask.CHARGE : Ask.TAKE;
    boolean open = random.nextBoolean();
    int turns = 2 + random.nextInt(4);
    for (int i = 0; i < turns; i++) {
      long key = i > 0 && random.nextInt(8) == 0 ? asked.get(i - 1) : drive.anyKey();
      long cost = Math.max(0, drive.anyCost(key) / 2);
      asked.add(key);
      costs.merge(key, cost, Long::sum);
      together
          .add(states)
          .of(key, drive.rule(), drive.now())
          .asks(ask, cost, /* ticket= */ 0)
          .failsOpen(open);
    }
    boolean fits = true;
    for (Map.Entry<Long, Long> cost : costs.entrySet()) {
      Step step = drive.model().play(cost.getKey(), ask, drive.now(), cost.getValue(), 0);
      expected.put(cost.getKey(), step);
      fits &= step.allowed();
    }
    assertThat(together.isPlayed()).as("the rule is in force").isTrue();
    boolean played = together.allowed();
    boolean full = IntStream.range(0, together.size()).anyMatch(i -> together.turn(i).isFull());
    assertThat(played).as("%s of %s", ask, costs).isEqualTo(fits && (open || !full));
    assertThat(fits || !full).as("only a check that fits asks for room").isTrue();
    compareAll(ask, played);
  }

  private void compareAll(Ask ask, boolean played) {
    for (int i = 0; i < asked.size(); i++) {
      long key = asked.get(i);
      Step step = expected.get(key);
      if (step != null && !together.turn(i).isFull()) {
        boolean untaken = !played && step.allowed();
        Step shown = untaken ? drive.model().play(key, Ask.TAKE, drive.now(), 0, 0) : step;
        drive.compare(together.turn(i).step(), shown, key, ask, costs.getOrDefault(key, 0L));
      }
    }
    for (int i = 0; i < asked.size(); i++) {
      Step step = expected.remove(asked.get(i));
      if (played && step != null && !together.turn(i).isFull()) {
        drive.keep(asked.get(i), step, /* cost= */ 0);
      }
    }
    for (int i = 0; i < asked.size(); i++) {
      if (together.turn(i).isFull()) {
        drive.countFull(asked.get(i), costs.keySet());
      }
    }
    asked.forEach(drive::checkAbsence);
  }
}

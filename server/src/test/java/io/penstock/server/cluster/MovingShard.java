package io.penstock.server.cluster;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.cluster.Town.Told;
import io.penstock.server.node.Cargo;
import io.penstock.server.node.Removals;
import io.penstock.server.policy.MoveStep;
import io.penstock.server.policy.Placement;
import io.penstock.server.policy.VersionConflictException;
import java.util.function.Supplier;

/** Three owners, and a shard of the first that moves step by step. */
abstract class MovingShard extends ThreeOwners {
  static final int STEPS = 3;

  final int shard = town.policies.shard("api", bank);

  /** Whoever did it is gone. */
  static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** The ways of a mover that dies at one of its steps: before it has its effect, or after. */
  final class Steps implements Haul.Ways {
    private int left;
    private final boolean isDone;

    Steps(int left, boolean isDone) {
      this.left = left;
      this.isDone = isDone;
    }

    private <T> T step(Supplier<T> effect) {
      boolean dies = left-- == 0;
      T answer = dies && !isDone ? null : effect.get();
      if (dies || answer == null) {
        throw new Crash();
      }
      return answer;
    }

    @Override
    public Cargo.Landing bring(int group, Cargo cargo) {
      return step(
          () -> {
            Told<Cargo.Landing> told = new Told<>();
            removals(group).take(cargo, told);
            return told.answer();
          });
    }

    @Override
    public void propose(MoveStep step) {
      Placement agreed =
          step(
              () -> {
                Placement next = town.map.get(shard).after(step);
                if (next == null) {
                  throw new VersionConflictException("" + step);
                }
                town.map.put(next);
                return next;
              });
      assertThat(agreed.last()).isEqualTo(step.number());
    }
  }

  final Steps alive = new Steps(/* left= */ -1, /* isDone= */ true);

  Removals removals(int group) {
    return requireNonNull(town.local(group)).removals();
  }

  int group() {
    return town.map.group(shard);
  }

  void begin(int to) {
    alive.propose(MoveStep.begin(shard, town.map.get(shard).last() + 1, to));
  }

  void settle() {
    for (int group = 0; group < 3; group++) {
      removals(group).settle(town.map.get(shard), group() == group);
    }
  }

  void haul(Haul.Ways ways) {
    new Haul(removals(group()), town.map.get(shard), ways).run();
  }

  /** What the owners that there are by now make of it. */
  void goOn() {
    settle();
    if (town.map.get(shard).isMoving()) {
      haul(alive);
      settle();
    }
    assertThat(town.map.get(shard).isMoving()).isFalse();
    for (int group = 0; group < 3; group++) {
      assertThat(removals(group).isUnsettled(shard)).as("group " + group).isFalse();
    }
  }

  void move(int to) {
    begin(to);
    goOn();
    assertThat(group()).isEqualTo(to);
  }
}

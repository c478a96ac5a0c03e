package io.penstock.server.policy;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** R23: of all that is proposed about the move of a shard, only what follows counts. */
class PlacementTest {
  private static final Placement FIRST = Placement.first(17);

  private static Placement after(MoveStep... steps) {
    Placement placement = FIRST;
    for (MoveStep step : steps) {
      placement = requireNonNull(placement.after(step), () -> step + " does not follow");
    }
    return placement;
  }

  @Test
  void r23_commit_isTheOnlyWayToAnotherGroup() {
    Placement begun = after(MoveStep.begin(17, 1, 2));
    assertThat(begun.group()).isEqualTo(Placement.NONE);
    assertThat(begun.isMoving()).isTrue();
    Placement moved = after(MoveStep.begin(17, 1, 2), MoveStep.commit(17, 1));
    assertThat(moved).isEqualTo(new Placement(17, 2, 1, 1, Placement.NONE));
    assertThat(moved.after(MoveStep.commit(17, 1))).as("once more").isEqualTo(moved);
    assertThat(moved.after(MoveStep.abort(17, 1))).as("too late").isNull();
    assertThat(moved.isAborted(1)).isFalse();
  }

  @Test
  void r23_abort_usesTheNumberUp() {
    Placement stayed = after(MoveStep.begin(17, 1, 2), MoveStep.abort(17, 1));
    assertThat(stayed).isEqualTo(new Placement(17, Placement.NONE, 0, 1, Placement.NONE));
    assertThat(stayed.isAborted(1)).isTrue();
    assertThat(stayed.after(MoveStep.abort(17, 1))).as("once more").isEqualTo(stayed);
    assertThat(stayed.after(MoveStep.commit(17, 1))).as("too late").isNull();
    assertThat(stayed.after(MoveStep.begin(17, 1, 2))).as("the same number").isNull();
    assertThat(stayed.after(MoveStep.begin(17, 2, 2))).isNotNull();
  }

  @Test
  void r23_begin_onlyWhenNothingMoves() {
    Placement begun = after(MoveStep.begin(17, 1, 2));
    assertThat(begun.after(MoveStep.begin(17, 2, 1))).isNull();
    assertThat(begun.after(MoveStep.commit(17, 2))).isNull();
    assertThat(begun.isAborted(1)).isFalse();
    assertThat(FIRST.after(MoveStep.begin(17, 2, 1))).as("a number left out").isNull();
    assertThat(FIRST.isAborted(1)).as("nobody has heard of it yet").isFalse();
  }

  /** In the log, on disk, and in the copy that a node gets that has fallen behind. */
  @Test
  void r23_steps_areTheSameOnEveryNodeAndStayWithARestart(@TempDir Path folder) {
    AtomicLong index = new AtomicLong();
    List<Member> members = new ArrayList<>();
    Proposer all =
        entry -> {
          long at = index.incrementAndGet();
          byte[] answer = {};
          for (Member member : members) {
            answer = member.store().apply(at, entry);
          }
          return answer;
        };
    try (Member first = new Member(sub(folder, "1"), InstantSource.system(), all);
        Member late = new Member(sub(folder, "2"), InstantSource.system(), all)) {
      members.add(first);
      List<Placement> heard = new ArrayList<>();
      late.store().moves().follow(heard::add);
      Moves moves = first.store().moves();
      moves.propose(MoveStep.begin(17, 1, 2));
      moves.propose(MoveStep.commit(17, 1));
      moves.propose(MoveStep.begin(3, 1, 0));
      assertThatThrownBy(() -> moves.propose(MoveStep.begin(3, 2, 1)))
          .isInstanceOf(VersionConflictException.class)
          .hasMessageContaining("shard=3");
      Path copy = folder.resolve("copy");
      first.store().save(copy);
      assertThat(late.store().load(copy)).isTrue();
      List<Placement> expected =
          List.of(
              new Placement(3, Placement.NONE, 0, 1, 0),
              new Placement(17, 2, 1, 1, Placement.NONE));
      assertThat(heard).isEqualTo(expected);
      first.restart();
      List<Placement> again = new ArrayList<>();
      first.store().moves().follow(again::add);
      assertThat(again).isEqualTo(expected);
    }
  }

  private static Path sub(Path folder, String name) {
    Path made = folder.resolve(name);
    assertThat(made.toFile().mkdir()).isTrue();
    return made;
  }
}

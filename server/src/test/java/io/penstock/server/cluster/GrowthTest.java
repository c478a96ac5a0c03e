package io.penstock.server.cluster;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.node.Extent;
import io.penstock.server.node.Signature;
import io.penstock.server.policy.LateGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** R19: a node that joins gets a group, and that its share of the shards. */
class GrowthTest {
  /** A cluster in which every step is carried out. */
  private static final class Toy {
    private final int[] groupOf;
    private final List<LateGroup> late = new ArrayList<>();
    private int groups;
    private int moves;

    Toy(int founded) {
      groups = founded;
      groupOf =
          IntStream.range(0, Signature.SHARDS).map(shard -> Extent.group(shard, founded)).toArray();
    }

    private Growth.@Nullable Step next(int nodes) {
      return Growth.next(nodes, groups, late, shard -> groupOf[shard]);
    }

    private void carryOut(Growth.Step step) {
      if (step instanceof Growth.Create create) {
        assertThat(create.group()).isEqualTo(groups);
        note(groups++);
      } else if (step instanceof Growth.Retire retire) {
        assertThat(retire.group()).isLessThan(groups);
        int at = numbers().indexOf(retire.group());
        if (at < 0) {
          note(retire.group());
        } else {
          agree(late.get(at).spare());
        }
      } else if (step instanceof Growth.Move move) {
        assertThat(groupOf[move.shard()]).isNotEqualTo(move.group());
        groupOf[move.shard()] = move.group();
        moves++;
      } else if (step instanceof Growth.Full full) {
        assertThat(full.group().filled()).isTrue();
        agree(full.group());
      }
    }

    private void agree(LateGroup group) {
      LateGroup before = late.set(numbers().indexOf(group.number()), group);
      assertThat(before.filled()).isNotEqualTo(group.filled());
    }

    private void note(int group) {
      assertThat(numbers()).doesNotContain(group);
      late.add(new LateGroup(group, "n1.a=h:1", /* filled= */ false));
      late.sort(Comparator.comparingInt(LateGroup::number));
    }

    private List<Integer> numbers() {
      return late.stream().map(LateGroup::number).toList();
    }

    private void settle(int nodes) {
      for (int i = 0; i <= 10 * Signature.SHARDS; i++) {
        Growth.Step step = next(nodes);
        if (step == null) {
          return;
        }
        carryOut(step);
      }
      throw new AssertionError("no end: " + next(nodes));
    }

    private List<Integer> sizes() {
      return IntStream.range(0, groups)
          .mapToObj(group -> (int) IntStream.of(groupOf).filter(each -> each == group).count())
          .toList();
    }
  }

  @Test
  void r19_asManyNodesAsGroups_needNothing() {
    assertThat(new Toy(3).next(3)).isNull();
    assertThat(new Toy(1).next(1)).isNull();
  }

  @Test
  void r19_founderRemoved_whatItHadIsSharedUntilAnotherIsAdded() {
    Toy toy = new Toy(5);
    toy.settle(4);
    assertThat(toy.sizes()).containsExactly(64, 64, 64, 64, 0);
    assertThat(toy.moves).as("its share").isEqualTo(51);
    toy.settle(2);
    assertThat(toy.sizes()).containsExactly(128, 128, 0, 0, 0);
    toy.settle(5);
    assertThat(toy.sizes()).containsExactlyInAnyOrder(51, 51, 51, 51, 52);
    toy.settle(6);
    assertThat(toy.sizes()).hasSize(6).allMatch(size -> size == 42 || size == 43);
  }

  @Test
  void r19_fourthNode_getsAGroupOfItsShareAndNoMoreIsMoved() {
    Toy toy = new Toy(3);
    assertThat(toy.next(4)).isEqualTo(new Growth.Create(3));
    toy.settle(4);
    assertThat(toy.sizes()).containsExactly(64, 64, 64, 64);
    assertThat(toy.moves).isEqualTo(64);
    assertThat(toy.late).allMatch(LateGroup::filled);
  }

  @Test
  void r19_oneNodeToSeven_isEvenAfterEach() {
    Toy toy = new Toy(1);
    for (int nodes = 2; nodes <= 7; nodes++) {
      int before = toy.moves;
      toy.settle(nodes);
      assertThat(toy.moves - before).isEqualTo(Signature.SHARDS / nodes);
      int share = Signature.SHARDS / nodes;
      assertThat(toy.sizes()).hasSize(nodes).allMatch(size -> size == share || size == share + 1);
    }
  }

  @Test
  void r19_removed_whatItHadIsSharedUntilAnotherIsAdded() {
    Toy toy = new Toy(3);
    toy.settle(4);
    toy.settle(3);
    assertThat(toy.sizes()).as("spread evenly").containsExactly(86, 85, 85, 0);
    assertThat(toy.moves).isEqualTo(128);
    toy.settle(4);
    assertThat(toy.sizes()).containsExactly(64, 64, 64, 64);
    assertThat(toy.moves).isEqualTo(192);
  }

  @Test
  void r19_removedBeforeItsGroupIsFull_whatItHasGoesBack() {
    Toy toy = new Toy(3);
    for (int i = 0; i < 20; i++) {
      toy.carryOut(requireNonNull(toy.next(4)));
    }
    toy.settle(3);
    assertThat(toy.sizes()).containsExactly(86, 85, 85, 0);
  }

  @Test
  void r19_shardsThatAnOperatorMoved_stayWhereTheyAre() {
    Toy toy = new Toy(3);
    toy.groupOf[0] = 2;
    assertThat(toy.next(3)).isNull();
    toy.settle(4);
    for (int shard = 0; shard < 40; shard++) {
      toy.groupOf[shard] = 1;
    }
    assertThat(toy.next(4)).as("however uneven it is").isNull();
  }

  /** Nodes come, go and die, and whoever leads may decide on what is no longer so. */
  @Test
  void r19_anyHistory_endsEven() {
    for (int founded : new int[] {1, 3, 5, 7}) {
      for (long seed = 0; seed < 250; seed++) {
        anyHistory(founded, seed);
      }
    }
  }

  private static void anyHistory(int founded, long seed) {
    Random random = new Random(seed);
    Toy toy = new Toy(founded);
    int nodes = founded;
    int most = founded;
    for (int i = 0; i < 12; i++) {
      nodes = Math.max(1, Math.min(9, nodes + random.nextInt(3) - 1));
      most = Math.max(most, nodes);
      for (int steps = random.nextInt(100); steps > 0; steps--) {
        Growth.Step step = toy.next(nodes);
        if (step != null) {
          toy.carryOut(step);
        }
      }
    }
    toy.settle(nodes);
    String history = "founded " + founded + ", seed " + seed;
    assertThat(toy.groups).as(history).isBetween(founded, most);
    int share = Signature.SHARDS / nodes;
    assertThat(toy.sizes().subList(0, nodes))
        .as(history)
        .allMatch(size -> size == share || size == share + 1);
  }

  /** Each change is waited for: what a group gets or gives up moves once, and nothing else. */
  @Test
  void r19_anyHistoryOfSettledChanges_movesNoMoreThanSharesThatComeAndGo() {
    for (int founded : new int[] {1, 3, 5, 7}) {
      for (long seed = 0; seed < 25; seed++) {
        Random random = new Random(seed);
        Toy toy = new Toy(founded);
        int nodes = founded;
        for (int i = 0; i < 12; i++) {
          List<Integer> before = toy.sizes();
          int moves = toy.moves;
          int changed = Math.max(1, Math.min(9, nodes + random.nextInt(5) - 2));
          toy.settle(changed);
          List<Integer> larger = changed < nodes ? before : toy.sizes();
          int between =
              larger.subList(Math.min(nodes, changed), Math.max(nodes, changed)).stream()
                  .mapToInt(Integer::intValue)
                  .sum();
          assertThat(toy.moves - moves).as("founded %d, seed %d", founded, seed).isEqualTo(between);
          nodes = changed;
        }
      }
    }
  }
}

package io.penstock.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.cluster.Balance.Move;
import io.penstock.server.policy.Placement;
import io.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who lets whom own, so that all own alike. */
class BalanceTest {
  private static final Set<String> ALL = Set.of("n1", "n2", "n3");

  /** The leaders of the groups, in their order. */
  private static List<NodeState> nodes(long appliedByThird, String... leaders) {
    return Stream.of("n1", "n2", "n3")
        .map(
            node -> {
              List<Standing> groups = new ArrayList<>();
              groups.add(new Standing("meta", "n1", 1, 0, List.copyOf(ALL)));
              for (int i = 0; i < leaders.length; i++) {
                long applied = node.equals("n3") ? appliedByThird : 5_000;
                groups.add(new Standing("shards-" + i, leaders[i], 1, applied, List.copyOf(ALL)));
              }
              return new NodeState(node, true, false, /* clockOffsetMillis= */ 0L, groups);
            })
        .toList();
  }

  private static @Nullable Move move(String node, Set<String> heirs, String... leaders) {
    return Balance.move(node, nodes(/* appliedByThird= */ 5_000, leaders), heirs, Set.of());
  }

  @Test
  void even_orNearly_movesNothing() {
    assertThat(move("n1", ALL, "n1", "n2", "n3")).isNull();
    assertThat(move("n1", ALL, "n1", "n1", "n2", "n3")).isNull();
    assertThat(move("n2", ALL, "n1", "n1", "n2", "n2", "n3")).isNull();
  }

  @Test
  void oneOwnsAll_givesToWhoOwnsLeast_oneAtATime() {
    assertThat(move("n1", Set.of("n2", "n3"), "n1", "n1", "n1"))
        .isEqualTo(new Move("shards-0", "n2"));
    assertThat(move("n1", Set.of("n2", "n3"), "n2", "n1", "n1"))
        .isEqualTo(new Move("shards-1", "n3"));
  }

  @Test
  void r19_groupThatCameJustNow_isGivenRatherThanOneThatDecides() {
    List<Standing> groups =
        List.of(
            new Standing("shards-0", "n1", 1, 900, List.copyOf(ALL)),
            new Standing("shards-3", "n1", 1, 3, List.copyOf(ALL)));
    List<NodeState> nodes =
        Stream.of("n1", "n2")
            .map(node -> new NodeState(node, true, false, /* clockOffsetMillis= */ 0L, groups))
            .toList();
    Set<String> heirs = Set.of("n2");
    assertThat(Balance.move("n1", nodes, heirs, Set.of())).isEqualTo(new Move("shards-3", "n2"));
    assertThat(Balance.move("n1", nodes, heirs, Set.of("shards-3")))
        .isEqualTo(new Move("shards-0", "n2"));
    assertThat(Balance.isEven(nodes, node -> heirs)).isFalse();
    assertThat(Balance.isEven(nodes, node -> Set.of())).isTrue();
  }

  @Test
  void r19_spareGroup_countsForNobodyUntilItHasShards() {
    ShardMap map = new ShardMap();
    map.begin(3);
    List<NodeState> nodes = nodes(/* appliedByThird= */ 5_000, "n1", "n1", "n2", "n3");
    assertThat(Balance.move("n1", OwnSeats.sharing(nodes, map), ALL, Set.of()))
        .isEqualTo(new Move("shards-0", "n3"));
    map.put(new Placement(17, 3, 1, 1, Placement.NONE));
    assertThat(Balance.move("n1", OwnSeats.sharing(nodes, map), ALL, Set.of())).isNull();
  }

  @Test
  void twoOwnTooMuch_onlyOneOfThemActs() {
    String[] leaders = {"n1", "n1", "n2", "n2"};
    assertThat(move("n1", Set.of("n2", "n3"), leaders)).isNull();
    assertThat(move("n2", Set.of("n1", "n3"), leaders)).isEqualTo(new Move("shards-2", "n3"));
  }

  @Test
  void whoMayNotOwn_getsNothing() {
    assertThat(move("n1", Set.of("n2"), "n1", "n1", "n2")).isNull();
    assertThat(move("n1", Set.of(), "n1", "n1", "n1")).isNull();
  }

  @Test
  void whatAnOperatorMoved_isGivenAwayLast() {
    List<NodeState> nodes = nodes(/* appliedByThird= */ 5_000, "n1", "n1", "n2");
    assertThat(Balance.move("n1", nodes, ALL, Set.of("shards-0")))
        .isEqualTo(new Move("shards-1", "n3"));
    assertThat(Balance.move("n1", nodes, ALL, Set.of("shards-0", "shards-1")))
        .isEqualTo(new Move("shards-0", "n3"));
  }

  @Test
  void whoIsFarBehind_getsNothingYet() {
    List<NodeState> behind = nodes(/* appliedByThird= */ 3_000, "n1", "n1", "n2");
    assertThat(Balance.move("n1", behind, ALL, Set.of())).isNull();
    List<NodeState> near = nodes(/* appliedByThird= */ 4_000, "n1", "n1", "n2");
    assertThat(Balance.move("n1", near, ALL, Set.of())).isEqualTo(new Move("shards-0", "n3"));
  }

  @Test
  void uneven_isMendedWhenSeenTwice_andLeftAloneThen() {
    ManualClock clock = new ManualClock();
    List<Move> moves = new ArrayList<>();
    List<String> leaders = new ArrayList<>(List.of("n1", "n1", "n2"));
    Balance.Seats seats =
        new Balance.Seats() {
          @Override
          public NodeState own() {
            return now().get(0);
          }

          private List<NodeState> now() {
            return BalanceTest.nodes(5_000, leaders.toArray(String[]::new));
          }

          @Override
          public CompletionStage<List<NodeState>> nodes() {
            return CompletableFuture.completedFuture(now());
          }

          @Override
          public Set<String> heirs(List<NodeState> nodes) {
            return Set.of("n2", "n3");
          }

          @Override
          public CompletionStage<?> giveAway(String group, String heir) {
            moves.add(new Move(group, heir));
            leaders.set(Integer.parseInt(group.substring("shards-".length())), heir);
            return CompletableFuture.completedFuture(null);
          }
        };
    Balance balance = new Balance(seats, clock);
    balance.begin();
    clock.advance(Duration.ofSeconds(2));
    assertThat(moves).isEmpty();
    clock.advance(Duration.ofSeconds(2));
    assertThat(moves).containsExactly(new Move("shards-0", "n3"));
    for (int i = 0; i < 10; i++) {
      clock.advance(Duration.ofSeconds(2));
    }
    assertThat(moves).hasSize(1);
    balance.end();
    leaders.replaceAll(all -> "n1");
    for (int i = 0; i < 10; i++) {
      clock.advance(Duration.ofSeconds(2));
    }
    assertThat(moves).hasSize(1);
  }
}

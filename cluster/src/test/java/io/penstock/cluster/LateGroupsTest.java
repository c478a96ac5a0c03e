package io.penstock.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** R19: a group comes into being after its cluster, on whichever nodes are there by then. */
@Timeout(120)
class LateGroupsTest {
  private static final String LATE = "shards-3";

  @TempDir Path folder;
  private Trio trio;

  @BeforeEach
  void start() throws IOException {
    trio = new Trio(folder);
    trio.start();
    trio.nodes.forEach(node -> Trio.await(node::isWell));
  }

  @AfterEach
  void end() {
    trio.close();
  }

  private String founders() {
    LateGroups late = trio.nodes.get(0).raft().late();
    Trio.await(() -> late.founders() != null);
    return Objects.requireNonNull(late.founders());
  }

  private static void tell(List<Trio.Node> nodes, String founders) {
    nodes.forEach(node -> node.raft().late().add(3, founders));
  }

  private static void propose(Trio.Node node, String entry) {
    Trio.await(
        () -> {
          try {
            node.raft()
                .propose(LATE, entry.getBytes(UTF_8), Duration.ofSeconds(2))
                .toCompletableFuture()
                .get(3, TimeUnit.SECONDS);
            return true;
          } catch (Exception e) {
            return false;
          }
        });
  }

  private static void awaitIn(List<Trio.Node> nodes, String entry, String... names) {
    for (Trio.Node node : nodes) {
      Trio.await(() -> node.raft().groups().contains(LATE));
      Trio.await(() -> node.raft().group(LATE).replicas().equals(List.of(names)));
      Trio.await(() -> node.late.get(0).entries.contains(entry));
      Trio.await(node::isWell);
    }
  }

  @Test
  void r19_groupThatCame_isThereAfterARestartOfAll() throws Exception {
    tell(trio.nodes, founders());
    Trio.await(() -> trio.nodes.get(0).raft().groups().contains(LATE));
    propose(trio.nodes.get(0), "a");
    awaitIn(trio.nodes, "a", "n1", "n2", "n3");
    trio.close();
    trio.start();
    awaitIn(trio.nodes, "a", "n1", "n2", "n3");
    propose(trio.nodes.get(1), "b");
    awaitIn(trio.nodes, "b", "n1", "n2", "n3");
    assertThat(trio.nodes.get(0).late.get(0).entries).startsWith("a");
  }

  @Test
  void r19_founderThatEndedBeforeItOpenedIt_beginsWithTheSameFounders() throws Exception {
    Trio.Node last = trio.nodes.get(2);
    String founders = founders();
    Identity known = Identity.open(last.folder(), last.name);
    last.stop();
    known.joined(known.known().grown(4)).write(last.folder());
    last.start();
    assertThat(last.raft().groups()).contains(LATE);
    assertThat(last.raft().group(LATE).replicas()).isEmpty();
    tell(trio.without(trio.nodes.get(1)), founders);
    propose(last, "a");
    tell(List.of(trio.nodes.get(1)), founders);
    awaitIn(trio.nodes, "a", "n1", "n2", "n3");
  }

  @Test
  void r19_founderWiped_isLetInAsAnotherMember() throws Exception {
    Trio.Node wiped = trio.nodes.get(2);
    String founders = founders();
    wiped.wipe();
    tell(trio.without(wiped), founders);
    Trio.await(() -> trio.nodes.get(0).raft().groups().contains(LATE));
    propose(trio.nodes.get(0), "a");
    wiped.start();
    tell(List.of(wiped), founders);
    awaitIn(trio.nodes, "a", "n1", "n2", "n3");
    String own = Files.readAllLines(wiped.folder().resolve(Identity.FILE)).get(2);
    assertThat(trio.nodes.get(0).raft().group(LATE).roster().members())
        .anyMatch(member -> member.incarnation().equals(own));
  }

  @Test
  void r19_nodeThatIsNoFounder_asksToBeLetIn() throws Exception {
    String founders = founders();
    assertThat(founders.split(" ", -1)).hasSize(3);
    Trio.Node fourth = trio.another("n4");
    fourth.start();
    assertThat(fourth.raft().late().founders()).as("of a node that is not in").isNull();
    add(fourth);
    Trio.await(() -> founders().split(" ", -1).length == 4);
    tell(trio.nodes, founders);
    Trio.await(() -> trio.nodes.get(0).raft().groups().contains(LATE));
    propose(trio.nodes.get(0), "a");
    awaitIn(trio.nodes, "a", "n1", "n2", "n3", "n4");
  }

  @Test
  void r19_nodeThatIsAddedAfterwards_isInAllGroups() throws Exception {
    tell(trio.nodes, founders());
    Trio.await(() -> trio.nodes.get(0).raft().groups().contains(LATE));
    propose(trio.nodes.get(0), "a");
    awaitIn(trio.nodes, "a", "n1", "n2", "n3");
    Trio.Node fourth = trio.another("n4");
    fourth.start();
    add(fourth);
    awaitIn(trio.nodes, "a", "n1", "n2", "n3", "n4");
    assertThat(Files.readAllLines(fourth.folder().resolve(Identity.FILE)).get(0))
        .isEqualTo("penstock-node " + Identity.GROWN);
  }

  private void add(Trio.Node node) throws Exception {
    trio.nodes.get(0).raft().add(trio.peer(node)).toCompletableFuture().get(30, TimeUnit.SECONDS);
    Trio.await(node::isWell);
  }
}

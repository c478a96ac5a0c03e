package io.penstock.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.testkit.ManualClock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What time it is elsewhere, and what follows for a node whose own clock is off. */
class NeighboursTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final UUID CLUSTER = new UUID(0, 1);
  private static final Membership OTHER =
      new Membership(new UUID(0, 2), 3, 0, List.of(Member.parse("n2.9=h:1")));
  private static final byte[] NEWER = "9\nwhatever".getBytes(UTF_8);

  private final ManualClock clock = new ManualClock();
  private final Set<String> foreign = new HashSet<>();
  private Duration wallAhead = Duration.ZERO;
  private final Map<String, Duration> ahead = new HashMap<>();
  private final Map<String, Membership> told = new HashMap<>();
  private final Set<String> members = new HashSet<>(Set.of("n2.1", "n3.1"));
  private final Neighbours neighbours =
      new Neighbours(
          () -> Peer.parseAll("n2=h:1,n3=h:2"),
          this::own,
          new NodeClock(clock, () -> Instant.ofEpochSecond(0, clock.nanos()).plus(wallAhead)),
          this::hello,
          this::off);
  private int off;

  private Membership own() {
    List<Member> all =
        members.stream().map(id -> Member.parse(id + "=h:1")).collect(Collectors.toList());
    return new Membership(CLUSTER, 3, 0, List.copyOf(all));
  }

  private CompletionStage<Hello> hello(Peer peer) {
    Duration by = ahead.get(peer.name());
    CompletionStage<byte[]> answer =
        by == null
            ? CompletableFuture.failedFuture(new IOException("away"))
            : CompletableFuture.completedFuture(
                new Hello(
                        new Member(peer, "1"), clock.nanos() + by.toNanos(), told.get(peer.name()))
                    .write());
    return answer.thenApply(bytes -> Hello.read(foreign.contains(peer.name()) ? NEWER : bytes));
  }

  private void off() {
    off++;
  }

  @Test
  void r15_ownClockOff_isSaidAndGivesAwayToNodesOnTime() {
    for (Duration by : List.of(HOUR, HOUR.negated())) {
      off = 0;
      ahead.put("n2", by.negated());
      ahead.put("n3", by.negated().plusMillis(900));
      neighbours.round();
      assertThat(off).isEqualTo(1);
      assertThat(neighbours.clockTrouble())
          .startsWith("clock: " + (by.isNegative() ? "-3600" : "3599"))
          .endsWith(" ms ahead of the others (expected: within 1 s)");
      assertThat(neighbours.isOnTime("n2")).isTrue();
      assertThat(neighbours.isOnTime("n3")).isTrue();
    }
  }

  @Test
  void r15_wrongAtTheStartAndSetRightLater_isOnTimeAgain() {
    for (Duration by : List.of(HOUR, HOUR.negated())) {
      off = 0;
      ahead.put("n2", by);
      ahead.put("n3", by.plusMillis(300));
      wallAhead = by.minusMillis(1_001);
      neighbours.round();
      assertThat(off).as("set, but not right").isEqualTo(1);
      wallAhead = by.plusMillis(700);
      neighbours.round();
      assertThat(off).isEqualTo(1);
      assertThat(neighbours.clockTrouble()).isNull();
      assertThat(neighbours.isOnTime("n2")).isTrue();
      assertThat(neighbours.aheadNanos("n3")).isEqualTo(Duration.ofMillis(-400).toNanos());
      assertThat(neighbours.othersNanos())
          .as("what the others say is as it was")
          .containsExactlyInAnyOrder(
              clock.nanos() + by.toNanos(), clock.nanos() + by.plusMillis(300).toNanos());
    }
  }

  @Test
  void r15_ownClockSteppedWhileItIsOnTime_changesNothing() {
    ahead.put("n2", Duration.ZERO);
    ahead.put("n3", Duration.ZERO);
    wallAhead = HOUR;
    neighbours.round();
    assertThat(off).isZero();
    assertThat(neighbours.clockTrouble()).isNull();
    assertThat(neighbours.aheadNanos("n2")).isZero();
  }

  @Test
  void r15_clockOfAnotherOff_isNeitherSaidHereNorAnHeir() {
    ahead.put("n2", HOUR);
    ahead.put("n3", Duration.ofMillis(300));
    neighbours.round();
    assertThat(off).isZero();
    assertThat(neighbours.clockTrouble()).isNull();
    assertThat(neighbours.isOnTime("n2")).isFalse();
    assertThat(neighbours.isOnTime("n3")).isTrue();
  }

  @Test
  void r15_onlyOneOtherAnswers_nobodyKnowsWhoseClockIsOff() {
    ahead.put("n2", HOUR);
    neighbours.round();
    assertThat(off).isZero();
    assertThat(neighbours.absence()).isEqualTo("nodes that do not answer: n3 (expected: all)");
  }

  @Test
  void r15_answersThatAreOld_doNotCount() {
    ahead.put("n2", HOUR);
    ahead.put("n3", HOUR);
    neighbours.round();
    assertThat(off).isEqualTo(1);
    ahead.clear();
    clock.advance(Duration.ofSeconds(3));
    neighbours.round();
    assertThat(off).isEqualTo(1);
    assertThat(neighbours.isOnTime("n2")).isFalse();
  }

  @Test
  void absence_nodeOfAnotherFormat_saysSoUntilItIsUnderstood() {
    ahead.put("n2", Duration.ZERO);
    ahead.put("n3", Duration.ZERO);
    foreign.add("n2");
    neighbours.round();
    assertThat(neighbours.absence())
        .isEqualTo(
            "nodes that do not answer: n2 [hello: format 9 (expected: 1; another version wrote"
                + " it)] (expected: all)");
    ahead.remove("n2");
    neighbours.round();
    assertThat(neighbours.absence()).isEqualTo("nodes that do not answer: n2 (expected: all)");
    ahead.put("n2", Duration.ZERO);
    foreign.clear();
    neighbours.round();
    assertThat(neighbours.absence()).isNull();
  }

  @Test
  void r24_answersOfWhoHasLostItsDisk_doNotMakeAMajority() {
    ahead.put("n2", Duration.ZERO);
    ahead.put("n3", Duration.ZERO);
    members.remove("n2.1");
    neighbours.round();
    assertThat(neighbours.absence())
        .isEqualTo("nodes whose data is gone: n2 (expected: all with it; they are let in again)");
    members.remove("n3.1");
    assertThat(neighbours.absence())
        .startsWith("nodes whose data is gone: n2, n3 (expected: most with it; without them");
  }

  @Test
  void r24_nodeOfAnotherCluster_isNotOneWhoseDataIsGone() {
    ahead.put("n2", Duration.ZERO);
    ahead.put("n3", Duration.ZERO);
    members.remove("n3.1");
    told.put("n3", OTHER);
    neighbours.round();
    assertThat(neighbours.absence())
        .isEqualTo(
            "nodes of another cluster: n3 (expected: all of this one: start them on the data they"
                + " had, or on an empty folder)");
  }

  @Test
  void r24_estrangement_isSaidIfNobodyOfTheOwnClusterHasAnswered() {
    assertThat(Estrangement.of(own(), neighbours.clusters())).as("nobody").isNull();
    ahead.put("n2", Duration.ZERO);
    ahead.put("n3", Duration.ZERO);
    neighbours.round();
    assertThat(Estrangement.of(own(), neighbours.clusters())).as("empty").isNull();
    told.put("n2", OTHER);
    told.put("n3", OTHER);
    neighbours.round();
    ahead.clear();
    clock.advance(Duration.ofMinutes(1));
    neighbours.round();
    assertThat(Estrangement.of(own(), neighbours.clusters()))
        .as("also when they are away by now")
        .isEqualTo(
            "data: of cluster %s (expected: that of cluster %s, as the nodes that answer;"
                    .formatted(CLUSTER, OTHER.cluster())
                + " start with an empty data folder, or with the peers of cluster %s)"
                    .formatted(CLUSTER));
    ahead.put("n2", Duration.ZERO);
    told.put("n2", own());
    neighbours.round();
    assertThat(Estrangement.of(own(), neighbours.clusters())).as("one of ours").isNull();
  }
}

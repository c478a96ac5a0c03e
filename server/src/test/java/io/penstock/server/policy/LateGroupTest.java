package io.penstock.server.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** R19: the nodes agree on each group that comes into being, once. */
class LateGroupTest {
  private static final LateGroup THIRD = new LateGroup(3, "n1.a=h:1 n2.b=h:2", false);
  private static final LateGroup FOURTH = new LateGroup(4, "n1.a=h:1", false);

  @TempDir Path folder;
  private final AtomicLong index = new AtomicLong();
  private final List<Member> members = new ArrayList<>();

  private byte[] apply(byte[] entry) {
    long at = index.incrementAndGet();
    byte[] answer = {};
    for (Member member : members) {
      answer = member.store().apply(at, entry);
    }
    return answer;
  }

  private Member member(String name) {
    Path made = folder.resolve(name);
    assertThat(made.toFile().mkdir()).isTrue();
    return new Member(made, InstantSource.system(), this::apply);
  }

  @Test
  void r19_group_isMadeOnceAndInOrder() {
    assertThat(THIRD.after(List.of())).isEqualTo(THIRD);
    assertThat(THIRD.after(List.of(THIRD))).as("again").isNull();
    assertThat(new LateGroup(3, "n9.a=h:1", false).after(List.of(THIRD))).isNull();
    assertThat(FOURTH.after(List.of(THIRD))).isEqualTo(FOURTH);
    assertThat(new LateGroup(5, "n1.a=h:1", false).after(List.of(THIRD))).isNull();
    assertThat(THIRD.after(List.of(FOURTH))).as("one of the first, now spare").isEqualTo(THIRD);
    assertThat(THIRD.full().after(List.of())).as("of none").isNull();
    assertThat(THIRD.full().after(List.of(FOURTH))).as("never spare").isNull();
    assertThat(THIRD.full().after(List.of(THIRD))).isEqualTo(THIRD.full());
    assertThat(THIRD.full().after(List.of(THIRD.full()))).isEqualTo(THIRD.full());
    assertThat(THIRD.full().spare().after(List.of(THIRD.full()))).isEqualTo(THIRD);
    assertThat(THIRD.spare().after(List.of(THIRD))).as("again").isNull();
  }

  @Test
  void r19_groups_areTheSameOnEveryNodeAndStayWithARestart() {
    try (Member first = member("1");
        Member late = member("2")) {
      members.add(first);
      List<Object> heard = new ArrayList<>();
      late.store().moves().followGroups(heard::add);
      late.store().moves().follow(heard::add);
      Moves moves = first.store().moves();
      moves.propose(THIRD);
      assertThatThrownBy(() -> moves.propose(THIRD))
          .isInstanceOf(VersionConflictException.class)
          .hasMessageContaining("number=3");
      moves.propose(FOURTH);
      moves.propose(MoveStep.begin(17, 1, 3));
      moves.propose(THIRD.full());
      Path copy = folder.resolve("copy");
      first.store().save(copy);
      assertThat(late.store().load(copy)).isTrue();
      assertThat(heard)
          .as("groups before what is in them")
          .containsExactly(THIRD.full(), FOURTH, new Placement(17, Placement.NONE, 0, 1, 3));
      first.restart();
      late.restart();
      for (Member member : List.of(first, late)) {
        List<LateGroup> again = new ArrayList<>();
        member.store().moves().followGroups(again::add);
        assertThat(again).containsExactly(THIRD.full(), FOURTH);
      }
    }
  }

  /** Versions before must not take part, and only then. */
  @Test
  void r19_fileOfAClusterThatHasGrown_hasANumberThatVersionsBeforeRefuse() throws SQLException {
    try (Member member = member("1")) {
      members.add(member);
      assertThat(format()).isEqualTo(Database.FORMAT);
      member.store().moves().propose(MoveStep.begin(17, 1, 2));
      assertThat(format()).isEqualTo(Database.FORMAT);
      member.store().moves().propose(THIRD);
      assertThat(format()).isEqualTo(Database.GROWN);
      member.restart();
      assertThat(format()).isEqualTo(Database.GROWN);
    }
  }

  private int format() throws SQLException {
    try (Connection connection =
            new Database(folder.resolve("1").resolve("policies.db")).connect();
        Statement statement = connection.createStatement();
        ResultSet format = statement.executeQuery("PRAGMA user_version")) {
      return format.getInt(1);
    }
  }
}

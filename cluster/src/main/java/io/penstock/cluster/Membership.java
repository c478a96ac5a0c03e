package io.penstock.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which cluster there is, and who is in it, as far as a node knows. Immutable.
 *
 * @param founded how many groups shared its shards when it was created: as many as it had nodes
 * @param grownTo how many there were at least when one was added or became spare (R19); 0 if none
 */
record Membership(UUID cluster, int founded, int grownTo, List<Member> members) {
  private static final String BETWEEN = " ";
  private static final String GROUPS = "/";

  /** How many groups share its shards, or are spare. */
  int shardGroups() {
    return Math.max(founded, grownTo);
  }

  /** The id of one of its groups. */
  UUID group(String name) {
    return UUID.nameUUIDFromBytes((cluster + "/" + name).getBytes(UTF_8));
  }

  boolean has(String memberId) {
    return members.stream().anyMatch(member -> member.id().equals(memberId));
  }

  @Nullable Member named(String name) {
    for (Member member : members) {
      if (member.peer().name().equals(name)) {
        return member;
      }
    }
    return null;
  }

  /** The member of that name; throws if there is none. */
  Member member(String name) {
    Member member = named(name);
    if (member == null) {
      throw new IllegalArgumentException("node: " + name + " (expected: one of the cluster)");
    }
    return member;
  }

  /** The names of all, in order. */
  List<String> names() {
    return members.stream().map(member -> member.peer().name()).distinct().sorted().toList();
  }

  Membership with(List<Member> others) {
    return new Membership(cluster, founded, grownTo, List.copyOf(others));
  }

  /** The same with at least so many groups, of which one was added or is spare; 0 if none. */
  Membership grown(int groups) {
    return new Membership(cluster, founded, Math.max(grownTo, groups), members);
  }

  /** Whether it has groups, or spare ones, that versions before do not expect. */
  boolean isGrown() {
    return grownTo > 0;
  }

  static Membership parse(String text) {
    String[] parts = text.split(BETWEEN, -1);
    List<Member> members =
        Arrays.stream(parts).skip(1).map(Member::parse).collect(Collectors.toList());
    String[] head = parts[0].split(GROUPS, -1);
    return new Membership(
        UUID.fromString(head[0]),
        Integer.parseInt(head[1]),
        head.length > 2 ? Integer.parseInt(head[2]) : 0,
        List.copyOf(members));
  }

  @Override
  public String toString() {
    return cluster
        + GROUPS
        + founded
        + (isGrown() ? GROUPS + grownTo : "")
        + BETWEEN
        + members.stream().map(Member::toString).collect(Collectors.joining(BETWEEN));
  }
}

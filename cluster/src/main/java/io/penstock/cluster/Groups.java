package io.penstock.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.jspecify.annotations.Nullable;

/** The groups of a node, and what each of them replicates. Thread-safe. */
final class Groups implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Groups.class.getName());

  private final Map<String, Replicated> replicated = new ConcurrentHashMap<>();
  private final Map<String, Group> byName = new ConcurrentSkipListMap<>();
  private final Divisions divisions = new Divisions();
  private final ShardGroups shardGroups;
  private final Map<RaftGroupId, Machine> machines = new ConcurrentHashMap<>();
  private final Map<RaftGroupId, RaftServer.Division> shut = new HashMap<>();
  private final ExecutorService background =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "penstock-raft-snapshot");
            thread.setDaemon(true);
            return thread;
          });
  private final Runnable membersChanged;
  private final BiConsumer<RaftGroupId, Throwable> logFailed;
  private volatile @Nullable RaftServer server;
  private boolean left;
  private int known;

  /**
   * Groups that are not open yet.
   *
   * @param always what the groups replicate that every cluster has, by name
   * @param shardGroups makes the others, once it is known how many there are
   * @param membersChanged called when somebody came or went; must not block
   * @param logFailed told when this node cannot store what a log says; must not block
   */
  Groups(
      Map<String, Replicated> always,
      ShardGroups shardGroups,
      Runnable membersChanged,
      BiConsumer<RaftGroupId, Throwable> logFailed) {
    this.shardGroups = shardGroups;
    this.membersChanged = membersChanged;
    this.logFailed = logFailed;
    always.forEach((name, state) -> add(new Group(name), state));
  }

  private void add(Group group, Replicated state) {
    byName.put(group.name(), group);
    replicated.put(group.name(), state);
  }

  Group get(String name) {
    Group group = byName.get(name);
    if (group == null) {
      throw new IllegalArgumentException("group: " + name + " (expected: " + byName.keySet() + ")");
    }
    return group;
  }

  /**
   * Says which cluster it is, so that its groups are all there and can be told from others; again
   * if it has grown (R19).
   */
  synchronized void know(Membership membership) {
    make(membership, membership.founded());
    make(membership, membership.shardGroups());
    for (Group group : byName.values()) {
      machines.computeIfAbsent(
          RaftGroupId.valueOf(membership.group(group.name())), id -> newMachine(group));
    }
  }

  private void make(Membership membership, int count) {
    List<Group> made = new ArrayList<>();
    for (int i = known; i < count; i++) {
      made.add(new Group(ShardGroups.name(i)));
    }
    if (made.isEmpty()) {
      return;
    }
    List<Replicated> states = shardGroups.of(membership.founded(), known, List.copyOf(made));
    for (int i = 0; i < states.size(); i++) {
      add(made.get(i), states.get(i));
    }
    known = count;
  }

  private Machine newMachine(Group group) {
    Replicated state = Objects.requireNonNull(replicated.get(group.name()));
    return new Machine(state, group::leaderChanged, membersChanged, logFailed, background);
  }

  Machine machine(RaftGroupId id) {
    Machine machine = machines.get(id);
    if (machine == null) {
      throw new IllegalStateException("group " + id + ": not of this cluster");
    }
    return machine;
  }

  Collection<Group> all() {
    return List.copyOf(byName.values());
  }

  Set<String> names() {
    return byName.keySet();
  }

  /**
   * Opens all groups. Those that are not on disk begin now: with the members that found them, or
   * with none, if this node waits for whoever leads to send it all. But one that came into being
   * later has founders of its own, and begins when they are known (R19).
   */
  void open(RaftServer raft, Membership membership, List<RaftPeer> founders) throws IOException {
    server = raft;
    Set<String> late = late(membership);
    for (Group group : byName.values()) {
      RaftGroupId id = RaftGroupId.valueOf(membership.group(group.name()));
      if (Divisions.isThere(raft, id) || founders.isEmpty() || !late.contains(group.name())) {
        open(raft, group, id, founders);
      }
    }
  }

  private static Set<String> late(Membership membership) {
    return IntStream.range(membership.founded(), membership.shardGroups())
        .mapToObj(ShardGroups::name)
        .collect(Collectors.toSet());
  }

  private void open(RaftServer raft, Group group, RaftGroupId id, List<RaftPeer> founders)
      throws IOException {
    if (!Divisions.isThere(raft, id)) {
      divisions.add(raft, RaftGroup.valueOf(id, founders), /* isNew= */ true);
    }
    opened(raft, group, id);
  }

  /** Opens a group that came into being later, unless it is open. */
  synchronized void openLate(Membership membership, String name, List<RaftPeer> founders)
      throws IOException {
    RaftServer raft = server;
    Group group = get(name);
    if (raft != null && !left && group.id() == null) {
      open(raft, group, RaftGroupId.valueOf(membership.group(name)), founders);
    }
  }

  private void opened(RaftServer raft, Group group, RaftGroupId id) throws IOException {
    TermIndex last = raft.getDivision(id).getRaftLog().getLastEntryTermIndex();
    machine(id).liveAfter(last == null ? -1 : last.getIndex());
    group.open(raft, id);
  }

  /** Takes no part in a group for a while; what it holds stays where it is. */
  synchronized void shut(RaftGroupId id) throws IOException {
    RaftServer raft = server;
    if (raft != null && !left && Divisions.isThere(raft, id)) {
      shut.put(id, raft.getDivision(id));
      divisions.remove(raft, id, /* isForGood= */ false);
    }
  }

  /** Takes part again in a group that was shut, from what is on the disk. */
  synchronized void reopen(RaftGroupId id) throws IOException {
    RaftServer raft = server;
    if (raft == null || left) {
      return;
    }
    Group group = named(id);
    Divisions.forgoVote(Objects.requireNonNull(shut.get(id)));
    machines.put(id, newMachine(group));
    divisions.add(raft, RaftGroup.valueOf(id, List.of()), /* isNew= */ false);
    opened(raft, group, id);
    shut.remove(id);
  }

  /** The group that Raft knows by an id. */
  Group named(RaftGroupId id) {
    return byName.values().stream()
        .filter(group -> id.equals(group.id()))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("group " + id + ": not of this cluster"));
  }

  /** A group that nobody leads, as far as this node knows; null if there is none. */
  @Nullable String leaderless() {
    for (Group group : byName.values()) {
      if (group.leader() == null) {
        return group.name();
      }
    }
    return null;
  }

  /** Lets one of some nodes lead what this one leads. */
  void giveAway(Predicate<String> heirs) {
    byName.values().stream().filter(Group::isLeader).forEach(group -> group.giveAway(heirs));
  }

  /** Lets others lead what this node leads, all at once, and waits for that a little. */
  void handOver() {
    CompletableFuture<?>[] given =
        byName.values().stream()
            .filter(Group::isLeader)
            .map(group -> group.giveAway().toCompletableFuture())
            .toArray(CompletableFuture<?>[]::new);
    try {
      CompletableFuture.allOf(given).get(Group.TRANSFER_MILLIS_MAX, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.log(System.Logger.Level.DEBUG, "nobody else leads yet", e);
    }
  }

  /** Everybody who is in a group, as far as this node knows. */
  List<Member> members() {
    Map<String, Member> members = new TreeMap<>();
    for (Group group : byName.values()) {
      group.roster().members().forEach(member -> members.put(member.id(), member));
    }
    return List.copyOf(members.values());
  }

  /** Whether a member is in all of them, for good. */
  boolean areSettledWith(String memberId) {
    return byName.values().stream().allMatch(group -> group.roster().hasSettled(memberId));
  }

  /** Says where this node reaches a member, before the log says where others do. */
  void meet(Member member) {
    RaftServer raft = server;
    if (raft != null) {
      raft.getServerRpc().addRaftPeers(List.of(member.raftPeer()));
    }
  }

  /** Takes no part in them any more; what they hold is put aside. */
  synchronized void leave(RaftServer raft, Membership membership) throws IOException {
    left = true;
    for (Group group : byName.values()) {
      RaftGroupId id = RaftGroupId.valueOf(membership.group(group.name()));
      if (Divisions.isThere(raft, id)) {
        divisions.remove(raft, id, /* isForGood= */ true);
      }
      group.leaderChanged();
    }
  }

  /** The members as Raft knows them, where this node reaches them. */
  static List<RaftPeer> peers(Membership membership, RaftOptions options) {
    return membership.members().stream()
        .map(member -> member.at(options.reached(member)).raftPeer())
        .toList();
  }

  @Override
  public void close() {
    background.shutdownNow();
  }
}

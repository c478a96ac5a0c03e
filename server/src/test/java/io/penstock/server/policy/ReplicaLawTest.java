package io.penstock.server.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Law L7: one log makes one store, whatever happens to each node meanwhile (R16). */
class ReplicaLawTest {
  private static final int NODES = 3;
  private static final int STEPS = 80;
  private static final List<String> SCOPES =
      List.of("a/k", "a/k=1", "a/k=1*", "a/k=*2", "a/k=12", "b/t", "b/u");
  private static final List<String> TIERS = List.of("t", "u");
  private static final List<String> ALONE =
      List.of(
          "{\"limits\":[\"10/s\"]}",
          "{\"limits\":[\"10/hour\"]}",
          "{\"limits\":[\"10/day\",\"5/min\"]}",
          "{\"limits\":[\"5/min\",\"20/hour\",\"30/day\"]}",
          "{\"limits\":[\"7/week burst 9\"]}",
          "{\"unlimited\":true}");
  private static final List<String> REFERRING =
      List.of(
          "{\"tier\":\"t\"}",
          "{\"tier\":\"u\"}",
          "{\"tier\":\"t\",\"override\":{\"algorithm\":\"fixed-window\"}}",
          "{\"tier\":\"u\",\"override\":{\"limits\":[\"3/week\"]}}");

  @TempDir Path folder;

  private final List<Member> members = new ArrayList<>();
  private final List<byte[]> log = new ArrayList<>();
  private final Map<Long, byte[]> settlements = new HashMap<>();

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 8);
  }

  @AfterEach
  void close() {
    members.forEach(Member::close);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void apply_anyHistoryOfANode_makesEqualStoresAndEqualAnswers(long seed) throws Exception {
    Random random = new Random(seed);
    for (int i = 0; i < NODES; i++) {
      int number = i;
      Path own = Files.createDirectory(folder.resolve("n" + i));
      long offset = random.nextInt(1_000_000) - 500_000L;
      members.add(
          new Member(
              own,
              () -> Instant.ofEpochSecond(1_700_000_000L + offset, log.size()),
              write -> propose(number, write)));
    }
    for (String tier : TIERS) {
      PolicyStore first = members.get(0).store();
      first.put(Kind.TIER, tier, ALONE.get(0), new Expected.Absent(), "anna");
      String referring = "{\"tier\":\"" + tier + "\"}";
      first.put(Kind.POLICY, "b/" + tier, referring, new Expected.Absent(), "anna");
    }
    for (int i = 0; i < STEPS; i++) {
      step(random);
    }
    for (int i = 0; i < NODES; i++) {
      follow(i, log.size());
    }
    List<String> content = members.get(0).content(SCOPES, ALONE);
    content.addAll(members.get(0).content(TIERS, List.of()));
    for (Member member : members) {
      List<String> other = member.content(SCOPES, ALONE);
      other.addAll(member.content(TIERS, List.of()));
      assertThat(other).isEqualTo(content);
    }
  }

  private void step(Random random) {
    int node = random.nextInt(NODES);
    Member member = members.get(node);
    switch (random.nextInt(12)) {
      case 0 -> member.restart();
      case 1 -> replay(member, random);
      case 2 -> copy(member, members.get(random.nextInt(NODES)));
      case 3, 4 -> follow(node, Math.min(log.size(), member.store().appliedIndex() + 3));
      case 5 -> member.store().proposeSecret(secret(random));
      default -> write(member.store(), random);
    }
  }

  private static byte[] secret(Random random) {
    byte[] secret = new byte[LogEntry.SECRET_BYTES];
    random.nextBytes(secret);
    return secret;
  }

  private void write(PolicyStore store, Random random) {
    boolean ofTier = random.nextInt(3) == 0;
    Kind kind = ofTier ? Kind.TIER : Kind.POLICY;
    String name = any(ofTier ? TIERS : SCOPES, random);
    boolean alone = ofTier || random.nextInt(3) == 0;
    Expected expected =
        switch (random.nextInt(4)) {
          case 0 -> new Expected.Absent();
          case 1 -> new Expected.Version(1 + random.nextInt(6));
          default -> store.get(kind, name) == null ? new Expected.Absent() : new Expected.Any();
        };
    try {
      if (random.nextInt(6) == 0) {
        store.delete(kind, name, expected, "anna");
      } else {
        store.put(kind, name, any(alone ? ALONE : REFERRING, random), expected, "bert");
      }
    } catch (VersionConflictException | InvalidPolicyException | ReadOnlyException refused) {
      assertThat(refused).hasMessageContaining("expected: ");
    }
  }

  private static String any(List<String> choices, Random random) {
    return choices.get(random.nextInt(choices.size()));
  }

  /** An entry that is committed and applied where it was proposed, and later elsewhere. */
  private byte[] propose(int node, byte[] write) {
    log.add(write);
    follow(node, log.size());
    return Objects.requireNonNull(settlements.get((long) log.size()));
  }

  private void follow(int node, long until) {
    PolicyStore store = members.get(node).store();
    for (long index = store.appliedIndex() + 1; index <= until; index++) {
      byte[] settlement = store.apply(index, log.get((int) index - 1));
      byte[] known = settlements.putIfAbsent(index, settlement);
      assertThat(settlement).isNotEmpty().isEqualTo(known == null ? settlement : known);
    }
  }

  private void replay(Member member, Random random) {
    member.restart();
    long applied = member.store().appliedIndex();
    for (long index = Math.max(1, applied - random.nextInt(5)); index <= applied; index++) {
      assertThat(member.store().apply(index, log.get((int) index - 1))).isEmpty();
    }
  }

  private void copy(Member from, Member to) {
    Path file = folder.resolve("copy");
    long index = from.store().save(file);
    assertThat(index).isEqualTo(from.store().appliedIndex());
    long before = to.store().appliedIndex();
    assertThat(to.store().load(file)).isEqualTo(before < index);
    assertThat(to.store().appliedIndex()).isEqualTo(Math.max(before, index));
  }
}

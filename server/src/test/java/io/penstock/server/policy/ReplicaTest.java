package io.penstock.server.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store that writes what a log says. */
class ReplicaTest {
  private static final Expected ABSENT = new Expected.Absent();
  private static final Expected ANY = new Expected.Any();
  private static final Instant NOW = Instant.ofEpochMilli(1_700_000_000_123L);
  private static final String TEN = "{\"limits\":[\"10/s\"]}";
  private static final String NEVER_READ = "{\"limits\":[\"10/x\"]}";

  @TempDir Path folder;

  private final List<byte[]> log = new ArrayList<>();
  private final List<Change> heard = new ArrayList<>();
  private PolicyStore store;

  @BeforeEach
  void open() {
    store = open("policies.db");
  }

  private PolicyStore open(String name) {
    PolicyStore opened = PolicyStore.replica(folder.resolve(name), () -> NOW, this::propose);
    opened.planBy((kind, document, json) -> "");
    opened.onChange(heard::add);
    return opened;
  }

  private byte[] propose(byte[] write) {
    log.add(write);
    return store.apply(log.size(), write);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void reopen() {
    store.close();
    open();
  }

  private Written put(String scope, String json, Expected expected) {
    return store.put(Kind.POLICY, scope, json, expected, "anna");
  }

  private void run(String command) throws SQLException {
    try (Connection connection = new Database(folder.resolve("policies.db")).connect();
        Statement statement = connection.createStatement()) {
      statement.execute(command);
    }
  }

  @Test
  void r16_put_isWrittenByApplyAlone() {
    Path other = folder.resolve("other.db");
    List<byte[]> proposed = new ArrayList<>();
    Proposer noAnswer =
        write -> {
          proposed.add(write);
          throw StoreUnavailableException.unanswered(/* cause= */ null);
        };
    try (PolicyStore alone = PolicyStore.replica(other, () -> NOW, noAnswer)) {
      assertThatThrownBy(() -> alone.put(Kind.POLICY, "api/user", TEN, ABSENT, "anna"))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("it may be written or not");
      assertThat(alone.revision()).isZero();
    }
    assertThat(store.apply(7, proposed.get(0))).isNotEmpty();
    assertThat(heard)
        .containsExactly(new Change(Kind.POLICY, "api/user", 1, 1, NOW, "anna", TEN, ""));
    assertThat(store.history(Kind.POLICY, "api/user", Change.NEVER, 9).items()).isEqualTo(heard);
    assertThat(store.appliedIndex()).isEqualTo(7);
  }

  @Test
  void put_invalid_isNotProposed() {
    assertThatThrownBy(() -> put("api/user", NEVER_READ, ABSENT))
        .isInstanceOf(InvalidPolicyException.class);
    assertThatThrownBy(() -> put("", TEN, ABSENT)).isInstanceOf(InvalidPolicyException.class);
    assertThat(log).isEmpty();
  }

  @Test
  void propose_answers_areThoseOfASingleServer() throws Exception {
    try (PolicyStore single = PolicyStore.open(folder.resolve("single.db"), () -> NOW)) {
      List<String> answers = answers(store);
      assertThat(answers).isEqualTo(answers(single)).hasSize(10);
      assertThat(store.history(Kind.POLICY, "api/a", Change.NEVER, 9).items())
          .isEqualTo(single.history(Kind.POLICY, "api/a", Change.NEVER, 9).items());
      assertThat(store.appliedIndex()).as("refusals too").isEqualTo(10);
    }
  }

  private static List<String> answers(PolicyStore store) {
    String strict = "{\"limits\":[\"1/s\"],\"consistency\":\"strict\",\"failMode\":\"open\"}";
    String window = "{\"tier\":\"gold\",\"override\":{\"algorithm\":\"fixed-window\"}}";
    List<String> answers = new ArrayList<>();
    answers.add(answer(() -> store.put(Kind.POLICY, "api/a", strict, ABSENT, "anna")));
    answers.add(answer(() -> store.put(Kind.POLICY, "api/a", TEN, ABSENT, "anna")));
    answers.add(answer(() -> store.put(Kind.POLICY, "api/a", TEN, new Expected.Version(1), "b")));
    answers.add(answer(() -> store.put(Kind.POLICY, "api/b", window, ABSENT, "anna")));
    answers.add(answer(() -> store.put(Kind.TIER, "gold", TEN, ABSENT, "anna")));
    answers.add(answer(() -> store.put(Kind.POLICY, "api/b", window, ABSENT, "anna")));
    answers.add(answer(() -> store.put(Kind.POLICY, "api/c", window, ABSENT, "anna")));
    String burst = "{\"limits\":[\"1/s burst 2\",\"1/min burst 3\"]}";
    answers.add(answer(() -> store.put(Kind.TIER, "gold", burst, ANY, "anna")));
    answers.add(answer(() -> store.delete(Kind.TIER, "gold", ANY, "anna")));
    answers.add(answer(() -> store.delete(Kind.POLICY, "api/a", ANY, "anna")));
    return answers;
  }

  private static String answer(Supplier<Written> write) {
    try {
      return write.get().toString();
    } catch (InvalidPolicyException e) {
      return e + " " + e.problems();
    } catch (VersionConflictException | ReadOnlyException e) {
      return e.toString();
    }
  }

  @Test
  void r16_doneBefore_doesNothingAlsoAfterARestart() {
    put("api/user", TEN, ABSENT);
    put("api/user", TEN, ANY);
    reopen();
    heard.clear();
    assertThat(store.apply(1, log.get(0))).isEmpty();
    assertThat(store.apply(2, log.get(1))).isEmpty();
    assertThat(heard).isEmpty();
    assertThat(put("api/user", TEN, new Expected.Version(2)).version()).isEqualTo(3);
    assertThatThrownBy(() -> Settlement.read(store.apply(1, log.get(0))))
        .isInstanceOf(StoreUnavailableException.class);
  }

  @Test
  void r16_diskFails_isNotSkippedAndNothingOfItStays() throws SQLException {
    put("api/user", TEN, ABSENT);
    run("CREATE TRIGGER full BEFORE INSERT ON change BEGIN SELECT RAISE(ABORT, 'full'); END");
    assertThatThrownBy(() -> put("api/user", TEN, ANY))
        .isInstanceOf(StoreUnavailableException.class);
    assertThat(store.trouble()).startsWith("policies: this node cannot follow the others");
    run("DROP TRIGGER full");
    assertThatThrownBy(() -> put("api/user", TEN, ANY))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("entry: 3 (expected: 2, which has failed)");
    assertThat(store.apply(1, log.get(0))).as("a replay heals nothing").isEmpty();
    assertThatThrownBy(() -> store.apply(3, log.get(2))).isInstanceOf(IllegalStateException.class);
    assertThat(store.appliedIndex()).isEqualTo(1);
    assertThat(store.apply(2, log.get(1))).isNotEmpty();
    assertThat(store.trouble()).isNull();
    assertThat(Settlement.read(store.apply(3, log.get(2))).version()).isEqualTo(3);
    assertThat(heard).extracting(Change::version).containsExactly(1L, 2L, 3L);
  }

  @Test
  void apply_whatThisVersionCannotRead_stopsTheNode() {
    put("api/user", TEN, ABSENT);
    byte[] newer = log.get(0).clone();
    newer[0]++;
    assertThatThrownBy(() -> store.apply(2, newer))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("format: 2 (expected: 1; another version wrote it)");
    assertThat(store.trouble()).contains("format: 2");
    reopen();
    String text = new String(log.get(0), StandardCharsets.ISO_8859_1).replace("10/s", "10/x");
    assertThatThrownBy(() -> store.apply(2, text.getBytes(StandardCharsets.ISO_8859_1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("api/user: a document this version cannot read");
    assertThat(store.appliedIndex()).isEqualTo(1);
    assertThatThrownBy(() -> store.apply(2, new byte[LogEntry.BYTES_MAX + 1]))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void apply_withoutAPlan_isRefused() {
    put("api/user", TEN, ABSENT);
    Path other = folder.resolve("other.db");
    try (PolicyStore unplanned = PolicyStore.replica(other, () -> NOW, write -> write)) {
      assertThatThrownBy(() -> unplanned.apply(1, log.get(0)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("plan: none");
    }
  }

  @Test
  void encode_longestDocument_fitsIntoAnEntry() {
    String json = TEN + " ".repeat(TreeReader.JSON_CHARS_MAX - TEN.length());
    String scope = "a/b=" + "€".repeat(2_040);
    store.put(Kind.POLICY, scope, json, ABSENT, "€".repeat(1_000));
    assertThat(log.get(0)).hasSizeBetween(TreeReader.JSON_CHARS_MAX, LogEntry.BYTES_MAX);
  }

  @Test
  void secret_proposedTwice_isTheFirst() {
    assertThat(store.secret()).isNull();
    store.proposeSecret("0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
    store.proposeSecret("fedcba9876543210".getBytes(StandardCharsets.US_ASCII));
    reopen();
    assertThat(store.secret()).asString(StandardCharsets.US_ASCII).isEqualTo("0123456789abcdef");
    assertThat(store.appliedIndex()).isEqualTo(2);
    assertThat(store.revision()).isZero();
    assertThatThrownBy(() -> store.proposeSecret(new byte[15]))
        .hasMessage("secret: 15 bytes (expected: 16)");
  }

  @Test
  void replica_damagedFile_beginsEmptyAndFollowsAgain() throws Exception {
    put("api/user", TEN, ABSENT);
    store.close();
    Path file = folder.resolve("policies.db");
    String changed = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    Files.write(file, changed.replace("anna", "anne").getBytes(StandardCharsets.ISO_8859_1));
    open();
    assertThat(store.appliedIndex()).isZero();
    assertThat(store.revision()).isZero();
    assertThat(store.apply(1, log.get(0))).isNotEmpty();
    assertThat(store.get(Kind.POLICY, "api/user")).isNotNull();
  }

  @Test
  void replica_overPoliciesOfASingleServer_isRefused() {
    Path file = folder.resolve("single.db");
    try (PolicyStore single = PolicyStore.open(file, () -> NOW)) {
      single.put(Kind.POLICY, "api/user", TEN, ABSENT, "anna");
      assertThatThrownBy(() -> single.apply(1, new byte[0]))
          .isInstanceOf(IllegalStateException.class);
    }
    assertThatThrownBy(() -> PolicyStore.replica(file, () -> NOW, write -> write))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("policies of a single server (expected: an empty folder");
  }

  @Test
  void r16_watchedFileInACluster_isRefused() {
    Path file = folder.resolve("policies.yaml");
    assertThatThrownBy(() -> new PolicyFile(file, store, () -> Instant.EPOCH))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "policies: %s (expected: none in a cluster; use penstock policy apply -f %s)"
                .formatted(file, file));
  }
}

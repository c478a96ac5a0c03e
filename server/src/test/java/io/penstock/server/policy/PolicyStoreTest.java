package io.penstock.server.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicyStoreTest {
  private static final Expected ABSENT = new Expected.Absent();
  private static final Expected ANY = new Expected.Any();
  private static final String TEN = "{\"limits\": [\"10/s\"]}";
  private static final String TWENTY = "{ \"limits\" : [ \"20/s\" ] }";

  private final AtomicLong now = new AtomicLong(1_700_000_000_123L);
  private final InstantSource clock = () -> Instant.ofEpochMilli(now.get());

  @TempDir Path folder;
  private PolicyStore store;

  @BeforeEach
  void open() {
    store = PolicyStore.open(folder.resolve("policies.db"), clock);
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

  private Written tier(String name, String json, Expected expected) {
    return store.put(Kind.TIER, name, json, expected, "anna");
  }

  private Stored stored() {
    return Objects.requireNonNull(store.get(Kind.POLICY, "api/user"));
  }

  private static Expected version(long version) {
    return new Expected.Version(version);
  }

  @Test
  void put_new_isThereAsItWasPutAlsoAfterARestart() {
    assertThat(put("api/user", TWENTY, ABSENT)).isEqualTo(new Written(1, List.of()));
    assertThat(store.get(Kind.POLICY, "api/user"))
        .isEqualTo(new Stored(Kind.POLICY, "api/user", 1, TWENTY));
    assertThat(store.get(Kind.TIER, "api/user")).isNull();
    reopen();
    assertThat(store.get(Kind.POLICY, "api/user"))
        .isEqualTo(new Stored(Kind.POLICY, "api/user", 1, TWENTY));
  }

  @Test
  void put_sharedKeyThatTheScopeDoesNotHave_isRefused() {
    assertThatThrownBy(() -> put("api/x", "{\"limits\":[\"1/s\"],\"share\":[\"nokey\"]}", ABSENT))
        .isInstanceOf(InvalidPolicyException.class)
        .hasMessage("share[0]: nokey (expected: keys of the scope: x)");
    String shared = "{\"limits\":[\"1/s\"],\"share\":[\"x\",\"y\"]}";
    tier("free", shared, ABSENT);
    assertThat(put("api/x", "{\"tier\":\"free\"}", ABSENT).version()).isEqualTo(1);
    assertThat(put("api/x/y", shared, ABSENT).version()).isEqualTo(1);
    String over = "{\"tier\":\"free\",\"override\":{\"share\":[\"x\",\"z\"]}}";
    assertThatThrownBy(() -> put("api/x/y", over, ANY))
        .hasMessage("override.share[1]: z (expected: keys of the scope: x, y)");
  }

  @Test
  void put_everyDomain_isRefused() {
    assertThatThrownBy(() -> put("*/user", TEN, ABSENT))
        .isInstanceOf(InvalidPolicyException.class)
        .hasMessage("scope: */user (expected: the name of a domain; only values have wildcards)");
    assertThat(put("a*/user", TEN, ABSENT).version()).isEqualTo(1);
  }

  @Test
  void put_versionThatDoesNotFit_isRefusedAndChangesNothing() {
    assertThatThrownBy(() -> put("api/user", TEN, version(1)))
        .isInstanceOf(VersionConflictException.class)
        .hasMessage("api/user: not there (expected: version 1)");
    assertThatThrownBy(() -> put("api/user", TEN, ANY))
        .isInstanceOf(VersionConflictException.class)
        .hasMessage("api/user: not there (expected: any version)");
    put("api/user", TEN, ABSENT);
    assertThatThrownBy(() -> put("api/user", TWENTY, ABSENT))
        .isInstanceOf(VersionConflictException.class)
        .hasMessage("api/user: version 1 (expected: not there)");
    assertThatThrownBy(() -> put("api/user", TWENTY, version(2)))
        .isInstanceOf(VersionConflictException.class)
        .hasMessage("api/user: version 1 (expected: version 2)");
    assertThat(stored().document()).isEqualTo(TEN);
    assertThat(put("api/user", TWENTY, version(1)).version()).isEqualTo(2);
    assertThat(put("api/user", TEN, ANY).version()).isEqualTo(3);
  }

  @Test
  void delete_andCreateAgain_versionsGoOn() {
    assertThatThrownBy(() -> store.delete(Kind.POLICY, "api/user", ANY, "bert"))
        .isInstanceOf(VersionConflictException.class);
    assertThatThrownBy(() -> store.delete(Kind.POLICY, "api/user", ABSENT, "bert"))
        .isInstanceOf(VersionConflictException.class);
    put("api/user", TEN, ABSENT);
    now.addAndGet(1_000);
    assertThat(store.delete(Kind.POLICY, "api/user", version(1), "bert").version()).isEqualTo(2);
    assertThat(store.get(Kind.POLICY, "api/user")).isNull();
    assertThat(store.list(Kind.POLICY, null, 10).items()).isEmpty();
    reopen();
    assertThatThrownBy(() -> put("api/user", TEN, version(2)))
        .isInstanceOf(VersionConflictException.class);
    assertThat(put("api/user", TWENTY, ABSENT).version()).isEqualTo(3);
    assertThat(store.history(Kind.POLICY, "api/user", Change.NEVER, 10).items())
        .containsExactly(
            new Change(Kind.POLICY, "api/user", 3, 3, clock.instant(), "anna", TWENTY, ""),
            new Change(Kind.POLICY, "api/user", 2, 2, clock.instant(), "bert", null, ""),
            new Change(
                Kind.POLICY, "api/user", 1, 1, clock.instant().minusSeconds(1), "anna", TEN, ""));
    assertThat(store.history(Kind.POLICY, "api/user", Change.NEVER, 1).items()).hasSize(1);
    assertThat(store.history(Kind.POLICY, "api/user", /* before= */ 3, 1).items())
        .extracting(Change::version)
        .containsExactly(2L);
    assertThat(store.history(Kind.POLICY, "api/other", Change.NEVER, 10).items()).isEmpty();
    assertThat(store.revision()).isEqualTo(3);
  }

  @Test
  void list_pages_areInOrderOfNames() {
    for (String scope : List.of("b/k", "a/k=ü", "a/k", "c/k\0x", "a/k=z")) {
      put(scope, TEN, ABSENT);
    }
    tier("free", TEN, ABSENT);
    assertThat(store.list(Kind.POLICY, null, 2).items())
        .extracting(Stored::name)
        .containsExactly("a/k", "a/k=z");
    assertThat(store.list(Kind.POLICY, "a/k=z", 10).items())
        .extracting(Stored::name)
        .containsExactly("a/k=ü", "b/k", "c/k\0x");
    assertThat(store.get(Kind.POLICY, "c/k\0x")).isNotNull();
    assertThat(store.get(Kind.POLICY, "c/k")).isNull();
    assertThat(store.list(Kind.POLICY, "c/k\0x", 10).items()).isEmpty();
    assertThat(store.list(Kind.POLICY, null, 4).hasMore()).isTrue();
    assertThat(store.list(Kind.POLICY, null, 5).hasMore()).isFalse();
    assertThat(store.list(Kind.POLICY, null, 5, /* bytesMax= */ 1))
        .isEqualTo(store.list(Kind.POLICY, null, 1));
  }

  @Test
  void put_invalidDocumentOrName_isRefused() {
    assertThatThrownBy(() -> put("api/user", "{}", ABSENT))
        .isInstanceOf(InvalidPolicyException.class);
    assertThatThrownBy(() -> put("", TEN, ABSENT)).isInstanceOf(InvalidPolicyException.class);
    assertThatThrownBy(() -> put("a/" + "k".repeat(5_000), TEN, ABSENT))
        .isInstanceOf(InvalidPolicyException.class);
    assertThat(store.revision()).isZero();
  }

  @Test
  void delete_nameThatCannotBe_isNotThere() {
    assertThatThrownBy(() -> store.delete(Kind.POLICY, "", ANY, "anna"))
        .isInstanceOf(VersionConflictException.class);
    assertThatThrownBy(() -> store.delete(Kind.TIER, "", ANY, "anna"))
        .isInstanceOf(VersionConflictException.class);
  }

  @Test
  void put_warnings_areTold() {
    String json = "{\"limits\":[\"1/s\"],\"consistency\":\"strict\",\"failMode\":\"open\"}";
    assertThat(put("api/user", json, ABSENT).warnings()).hasSize(1);
    tier("free", "{\"limits\":[\"1/s\"],\"consistency\":\"strict\"}", ABSENT);
    String moved = "{\"tier\":\"free\",\"override\":{\"failMode\":\"local\"}}";
    assertThat(put("api/user=a", moved, ABSENT).warnings()).hasSize(1);
  }

  @Test
  void put_unknownTier_isRefusedByItsName() {
    String json = "{\"tier\":\"gold\"}";
    assertThatThrownBy(() -> put("api/user", json, ABSENT))
        .isInstanceOf(InvalidPolicyException.class)
        .hasMessage("tier: gold (expected: a tier that exists)");
    tier("gold", TEN, ABSENT);
    assertThat(put("api/user", json, ABSENT).version()).isEqualTo(1);
  }

  @Test
  void delete_tierInUse_isRefusedWithWhoUsesIt() {
    tier("gold", TEN, ABSENT);
    put("api/user", "{\"tier\":\"gold\"}", ABSENT);
    assertThatThrownBy(() -> store.delete(Kind.TIER, "gold", ANY, "anna"))
        .isInstanceOf(ReadOnlyException.class)
        .hasMessageContaining("gold: the tier of api/user");
    put("api/user", TEN, ANY);
    assertThat(store.delete(Kind.TIER, "gold", ANY, "anna").version()).isEqualTo(2);
  }

  @Test
  void put_tierThatDoesNotFitAnOverride_isRefusedWithThePolicy() {
    tier("gold", TEN, ABSENT);
    put("api/user", "{\"tier\":\"gold\"}", ABSENT);
    put("api/user=a", "{\"tier\":\"gold\",\"override\":{\"algorithm\":\"fixed-window\"}}", ABSENT);
    assertThatThrownBy(() -> tier("gold", "{\"limits\":[\"1/s burst 2\"]}", ANY))
        .isInstanceOf(InvalidPolicyException.class)
        .hasMessageContaining("policy api/user=a: tier gold: limits[0]: 1/s burst 2");
    assertThat(tier("gold", TWENTY, ANY).version()).isEqualTo(2);
  }

  @Test
  void onChange_listenerThatFails_isNotTheWritersTrouble() {
    List<Change> heard = new ArrayList<>();
    store.onChange(
        change -> {
          throw new IllegalStateException("listener");
        });
    store.onChange(heard::add);
    put("api/user", TEN, ABSENT);
    assertThat(heard)
        .containsExactlyElementsOf(store.history(Kind.POLICY, "api/user", Change.NEVER, 1).items());
  }

  @Test
  void forEachCurrent_afterChanges_readsEveryChangeOfATierAndThenWhatIsInForce() {
    put("api/a", TEN, ABSENT);
    tier("gold", TEN, ABSENT);
    put("api/b", "{\"tier\":\"gold\"}", ABSENT);
    tier("a", TEN, ABSENT);
    tier("gold", TWENTY, ANY);
    put("api/a", TWENTY, ANY);
    put("api/c", TEN, ABSENT);
    store.delete(Kind.POLICY, "api/c", ANY, "anna");
    reopen();
    List<String> read = new ArrayList<>();
    store.forEachCurrent(change -> read.add(change.name() + " " + change.version()));
    assertThat(read).containsExactly("gold 1", "a 1", "gold 2", "api/b 1", "api/a 2");
  }

  @Test
  void forEachPast_afterChanges_readsThePoliciesThatWereReplacedOrDeletedTheNewestFirst() {
    put("api/a", TEN, ABSENT);
    tier("gold", TEN, ABSENT);
    tier("gold", TWENTY, ANY);
    put("api/b", TEN, ABSENT);
    put("api/c", TEN, ABSENT);
    store.delete(Kind.POLICY, "api/c", ANY, "anna");
    put("api/a", TWENTY, ANY);
    reopen();
    List<String> read = new ArrayList<>();
    store.forEachPast(change -> read.add(change.name() + " " + change.document()));
    assertThat(read).containsExactly("api/c " + TEN, "api/a " + TEN);
  }

  @Test
  void put_fileMovedAway_failsUntilItIsBackAndMakesNoOther() throws IOException {
    put("api/user", TEN, ABSENT);
    assertThat(stored().version()).isEqualTo(1);
    Path data = Files.createDirectory(folder.resolve("data"));
    move(folder, data);
    assertThatThrownBy(() -> put("api/user", TWENTY, ANY))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageStartingWith("policies: the data folder is not where it was");
    assertThat(store.trouble()).startsWith("policies: the data folder is not where it was");
    assertThat(stored().version()).isEqualTo(1);
    assertThat(folder.resolve("policies.db")).doesNotExist();
    move(data, folder);
    assertThat(put("api/user", TWENTY, ANY).version()).isEqualTo(2);
    assertThat(store.trouble()).isNull();
    reopen();
    assertThat(stored().version()).isEqualTo(2);
  }

  private static void move(Path from, Path to) throws IOException {
    for (String name : List.of("policies.db", "policies.db-wal", "policies.db-shm")) {
      Files.move(from.resolve(name), to.resolve(name));
    }
  }
}

package io.penstock.server.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.testkit.LogLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class PolicyFileTest {
  private static final Expected ANY = new Expected.Any();
  private static final Expected ABSENT = new Expected.Absent();
  private static final String TEN = "{\"limits\":[\"10/s\"]}";

  @TempDir Path folder;
  private PolicyStore store;
  private Path yaml;
  private PolicyFile file;

  @BeforeEach
  void open() {
    store = PolicyStore.open(folder.resolve("policies.db"), () -> Instant.EPOCH);
    yaml = folder.resolve("policies.yaml");
    file = new PolicyFile(yaml, store, () -> Instant.EPOCH);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void write(String text) throws IOException {
    Files.writeString(yaml, text);
  }

  private void load(String text) throws IOException {
    write(text);
    file.load();
  }

  private List<String> stored() {
    List<String> names = new ArrayList<>();
    for (Kind kind : List.of(Kind.TIER, Kind.POLICY)) {
      store
          .list(kind, null, 100)
          .items()
          .forEach(each -> names.add(each.name() + " " + each.version()));
    }
    return names;
  }

  @Test
  void load_newAndChangedAndRemoved_areWritten() throws IOException {
    load("tiers: {t: {limits: [1/s]}}\npolicies: {a/b: {tier: t}, a/c: {limits: [1/s]}}");
    assertThat(file.trouble()).isNull();
    assertThat(stored()).containsExactly("t 1", "a/b 1", "a/c 1");
    load("# again\npolicies: {a/c: {limits: [2/s]}, a/d: {limits: [1/s]}}");
    assertThat(file.trouble()).isNull();
    assertThat(stored()).containsExactly("a/c 2", "a/d 1");
    assertThat(store.history(Kind.POLICY, "a/b", Change.NEVER, 9).items())
        .extracting(Change::by)
        .contains("file");
    load("# nothing\n");
    assertThat(stored()).isEmpty();
  }

  @Test
  void load_sameAgain_changesNothing() throws IOException {
    load("policies: {a/b: {limits: [1/s]}}");
    long revision = store.revision();
    load("# other letters\npolicies:\n  a/b:\n    limits: ['1/s']\n");
    assertThat(store.revision()).isEqualTo(revision);
  }

  @Test
  void load_mistake_changesNothingAndIsTold() throws IOException {
    load("policies: {a/b: {limits: [1/s]}}");
    load("policies: {a/b: {limits: [2/s]}, a/c: {limits: [1/x]}, a/d: {tier: gold}}");
    assertThat(stored()).containsExactly("a/b 1");
    assertThat(file.trouble())
        .startsWith("policies.a/c.limits[0] (line 1, column ")
        .endsWith("gold (expected: a tier that exists)");
    load("policies: {a/b: {limits: [2/s]}, a/d: {tier: gold}, a/e: {tier: none}}");
    assertThat(stored()).containsExactly("a/b 1");
    assertThat(file.trouble())
        .contains("policies.a/d.tier (line 1, column ")
        .contains("none (expected: a tier that exists)");
    load("policies: {a/b: {limits: [2/s]}}");
    assertThat(file.trouble()).isNull();
    assertThat(stored()).containsExactly("a/b 2");
  }

  @Test
  void load_whatTheApiRefuses_isRefusedWithItsPlace() {
    String yaml = "policies: {a/b: {limits: [1/s], share: [c]}, '*/b': {limits: [1/s]}}";
    assertThat(PolicyFile.problems(yaml))
        .extracting(Problem::toString)
        .containsExactly(
            "policies.a/b.share[0] (line 1, column 41): c (expected: keys of the scope: b)",
            "policies.*/b (line 1, column 53): */b (expected: the name of a domain; only values"
                + " have wildcards)");
  }

  @Test
  @Timeout(20)
  void load_aLineOfManyMegabytes_isRefusedAtOnce() throws IOException {
    load("policies: {a/b: {limits: [1/s]}}\n\n# " + "x".repeat(30 << 20) + "\n");
    assertThat(file.trouble())
        .isEqualTo("line 3: 31457282 characters (expected: lines of at most 1048576)");
  }

  @Test
  void load_configurationOfRatelimit_isRead() throws IOException {
    load(
        """
        domain: web
        descriptors:
          - key: path
            rate_limit: {unit: minute, requests_per_unit: 30}
        """);
    assertThat(file.trouble()).isNull();
    assertThat(stored()).containsExactly("web/path 1");
    String wrong = "domain: web\ndescriptors:\n  - key: path\n    rate_limit: {unit: moon}\n";
    assertThat(PolicyFile.problems(wrong)).isNotEmpty();
    assertThat(PolicyFile.problems("domain: web\ndescriptors: [{key: path}]\n")).isEmpty();
    load(wrong);
    assertThat(file.trouble()).contains("moon").contains("line 4");
    assertThat(stored()).containsExactly("web/path 1");
  }

  @Test
  void load_byteOrderMarkFirst_isSkipped() throws IOException {
    String rate = "{unit: day, requests_per_unit: 1}";
    load("\uFEFFdomain: web\ndescriptors: [{key: a, rate_limit: " + rate + "}]");
    assertThat(file.trouble()).isNull();
    assertThat(stored()).containsExactly("web/a 1");
    load("\uFEFFpolicies: {a/b: {limits: [1/x]}}");
    assertThat(file.trouble()).contains("line 1, column 27");
    load("\uFEFFpolicies: {a/b: {limits: [1/s]}}");
    assertThat(stored()).containsExactly("a/b 1");
    load("\uFEFF\n");
    assertThat(file.trouble()).contains("empty");
    assertThat(stored()).containsExactly("a/b 1");
  }

  @Test
  void load_tierThatApiPoliciesReferTo_cannotGo() throws IOException {
    load("tiers: {t: {limits: [1/s]}}");
    store.put(Kind.POLICY, "a/b", "{\"tier\":\"t\"}", ABSENT, "anna");
    load("# nothing\n");
    assertThat(file.trouble())
        .isEqualTo("tiers.t: missing (expected: a tier, as long as policies refer to it: a/b)");
    assertThat(stored()).containsExactly("t 1", "a/b 1");
  }

  @Test
  void load_emptyOrBlankOrMissingOrOtherBytes_changesNothing() throws IOException {
    file.load();
    assertThat(file.trouble()).contains("not there").doesNotContain("/");
    load("policies: {a/b: {limits: [1/s]}}");
    assertThat(file.trouble()).isNull();
    load("");
    assertThat(file.trouble()).contains("empty");
    load(" \t\n\n");
    assertThat(file.trouble()).contains("empty");
    Files.write(yaml, new byte[] {(byte) 0xff, (byte) 0xfe, 'x'});
    file.load();
    assertThat(file.trouble()).contains("UTF-8");
    Files.delete(yaml);
    file.load();
    assertThat(file.trouble()).contains("not there").doesNotContain("/");
    assertThat(stored()).containsExactly("a/b 1");
    load("policies: {a/b: {limits: [1/s]}}");
    assertThat(file.trouble()).isNull();
  }

  @Test
  void r16_documentOfTheFile_isReadOnlyToOthers() throws IOException {
    load("policies: {a/b: {limits: [1/s]}}");
    assertThatThrownBy(() -> store.put(Kind.POLICY, "a/b", TEN, ANY, "anna"))
        .isInstanceOf(ReadOnlyException.class)
        .hasMessageContaining("a/b: comes from the policy file");
    assertThatThrownBy(() -> store.delete(Kind.POLICY, "a/b", ANY, "anna"))
        .isInstanceOf(ReadOnlyException.class);
    assertThat(store.put(Kind.POLICY, "a/c", TEN, ABSENT, "anna").version()).isEqualTo(1);
    load("# gone\n");
    assertThat(stored()).containsExactly("a/c 1");
    assertThat(store.put(Kind.POLICY, "a/b", TEN, ABSENT, "anna").version()).isEqualTo(3);
  }

  @Test
  void put_serverWithoutAFileNow_mayChangeWhatCameFromOne() throws IOException {
    load("policies: {a/b: {limits: [1/s]}}");
    store.close();
    store = PolicyStore.open(folder.resolve("policies.db"), () -> Instant.EPOCH);
    assertThat(store.put(Kind.POLICY, "a/b", TEN, ANY, "anna").version()).isEqualTo(2);
  }

  @Test
  void load_documentOfTheApi_isTakenOver() throws IOException {
    store.put(Kind.POLICY, "a/b", TEN, ABSENT, "anna");
    load("policies: {a/b: {limits: [10/s]}}");
    assertThat(stored()).containsExactly("a/b 2");
    assertThatThrownBy(() -> store.put(Kind.POLICY, "a/b", TEN, ANY, "anna"))
        .isInstanceOf(ReadOnlyException.class);
  }

  @Test
  void load_documentsOfTheApi_saysWhichItTakesOverAndThenDeletes() throws IOException {
    store.put(Kind.TIER, "t", TEN, ABSENT, "anna");
    store.put(Kind.POLICY, "a/b", TEN, ABSENT, "anna");
    store.put(Kind.POLICY, "a/other", TEN, ABSENT, "anna");
    try (LogLines log = new LogLines(PolicyFile.class.getName(), Level.INFO)) {
      load("tiers: {t: {limits: [1/s]}}\npolicies: {a/b: {limits: [10/s]}, a/c: {tier: t}}");
      load("policies: {a/b: {limits: [20/s]}}");
      load("# nothing\n");
      assertThat(log.lines())
          .containsExactly(
              yaml + ": 3 documents, 3 changed; taken over from the API: tier t, a/b",
              yaml + ": 1 documents, 3 changed; deleted: a/c, tier t",
              yaml + ": 0 documents, 1 changed; deleted: a/b");
    }
    assertThat(stored()).containsExactly("a/other 1");
  }

  @Test
  void load_veryManyDocumentsOfTheApi_namesTheFirstOfThem() throws IOException {
    StringBuilder text = new StringBuilder("policies:\n");
    for (int i = 10; i < 24; i++) {
      store.put(Kind.POLICY, "a/b=" + i, TEN, ABSENT, "anna");
      text.append("  a/b=" + i + ": {limits: [10/s]}\n");
    }
    try (LogLines log = new LogLines(PolicyFile.class.getName(), Level.INFO)) {
      load(text.toString());
      assertThat(log.lines())
          .containsExactly(
              yaml
                  + ": 14 documents, 14 changed; taken over from the API: a/b=10, a/b=11, a/b=12,"
                  + " a/b=13, a/b=14, a/b=15, a/b=16, a/b=17, a/b=18, a/b=19 and 4 more");
    }
  }

  @Test
  void check_fileStillBeingWritten_waitsUntilItIsTheSameTwice() throws IOException {
    load("policies: {a/b: {limits: [1/s]}, a/c: {limits: [1/s]}}");
    write("policies: {a/b: {limits: [2/s]}}");
    file.check();
    assertThat(stored()).containsExactly("a/b 1", "a/c 1");
    write("policies: {a/b: {limits: [2/s]}, a/c: {limits: [2/s]}}");
    file.check();
    assertThat(stored()).containsExactly("a/b 1", "a/c 1");
    file.check();
    assertThat(stored()).containsExactly("a/b 2", "a/c 2");
  }

  @Test
  void check_replacedByAnotherFileOfTheSameSizeAndTime_isSeen() throws IOException {
    load("policies: {a/b: {limits: [1/s]}}");
    FileTime time = Files.getLastModifiedTime(yaml);
    Path other = folder.resolve("other.yaml");
    Files.writeString(other, "policies: {a/b: {limits: [2/s]}}");
    Files.setLastModifiedTime(other, time);
    Files.move(other, yaml, StandardCopyOption.ATOMIC_MOVE);
    file.check();
    file.check();
    assertThat(stored()).containsExactly("a/b 2");
  }

  @Test
  void check_linkThatIsSwapped_isSeen() throws IOException {
    Path first = Files.createDirectory(folder.resolve("first"));
    Path second = Files.createDirectory(folder.resolve("second"));
    Files.writeString(first.resolve("p.yaml"), "policies: {a/b: {limits: [1/s]}}");
    Files.writeString(second.resolve("p.yaml"), "policies: {a/b: {limits: [2/s]}}");
    Path data = folder.resolve("..data");
    Files.createSymbolicLink(data, first);
    Files.createSymbolicLink(yaml, data.resolve("p.yaml"));
    file.load();
    assertThat(stored()).containsExactly("a/b 1");
    Files.createSymbolicLink(folder.resolve("..data_tmp"), second);
    Files.move(folder.resolve("..data_tmp"), data, StandardCopyOption.ATOMIC_MOVE);
    file.check();
    file.check();
    assertThat(stored()).containsExactly("a/b 2");
  }
}

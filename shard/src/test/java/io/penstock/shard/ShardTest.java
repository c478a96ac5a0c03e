package io.penstock.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Algorithm;
import io.penstock.core.Clock;
import io.penstock.core.Limit;
import io.penstock.core.state.Rule;
import io.penstock.core.state.Rules;
import io.penstock.core.state.Turn;
import io.penstock.core.state.Turn.Ask;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a shard holds is there again when it is opened again. */
@Timeout(60)
class ShardTest {
  @TempDir Path folder;

  @Test
  void open_afterClose_holdsStatesIdsAndNotes() {
    try (Shard shard = Shard.open(Ledger.options(folder))) {
      Ledger ledger = new Ledger(shard);
      for (int deed = 0; deed < 1_000; deed++) {
        ledger.decide(deed, deed % 7, 100 + deed % 11);
      }
    }
    try (Shard shard = Shard.open(Ledger.options(folder))) {
      Ledger ledger = new Ledger(shard);
      for (int deed = 0; deed < 1_000; deed++) {
        assertThat(ledger.hasId(deed)).isTrue();
        assertThat(ledger.hasNote(deed)).isTrue();
      }
      assertThat(ledger.used(3)).isEqualTo(143);
      assertThat(ledger.used(110)).isEqualTo(90);
      assertThat(shard.clock().nanos()).isGreaterThanOrEqualTo(Ledger.NOW);
      assertThat(shard.ids().size()).isEqualTo(1_000);
      assertThat(shard.notes().size()).isEqualTo(1_000);
    }
  }

  @Test
  void open_afterClose_everyAlgorithmGoesOn() {
    List<String> limits = new ArrayList<>();
    Turn turn = new Turn();
    try (Shard shard = Shard.open(Ledger.options(folder))) {
      for (Algorithm algorithm : Algorithm.all()) {
        Rule rule = shard.rules().shared(limit(algorithm), algorithm);
        shard.table().play(turn.of(key(algorithm), rule, Ledger.NOW).asks(Ask.TAKE, 3, 0));
        limits.add(algorithm.name() + turn.step().remaining());
      }
    }
    try (Shard shard = Shard.open(Ledger.options(folder))) {
      for (Algorithm algorithm : Algorithm.all()) {
        Rule rule = shard.rules().shared(limit(algorithm), algorithm);
        shard.table().play(turn.of(key(algorithm), rule, Ledger.NOW).asks(Ask.TAKE, 0, 0));
        assertThat(limits).contains(algorithm.name() + turn.step().remaining());
      }
    }
    assertThat(limits).contains("gcra7");
  }

  private static Limit limit(Algorithm algorithm) {
    return Limit.parse(algorithm == Algorithm.CONCURRENCY ? "10 concurrent lease day" : "10/year");
  }

  private static long key(Algorithm algorithm) {
    return Ledger.key(algorithm.name().hashCode());
  }

  @Test
  void open_limitOfARequest_isReadAsItStands() {
    Turn turn = new Turn();
    Rule given = Rules.given(Limit.parse("10/year"), Algorithm.GCRA);
    try (Shard shard = Ledger.open(folder)) {
      shard.table().play(turn.of(Ledger.key(1), given, Ledger.NOW).asks(4));
    }
    try (Shard shard = Ledger.open(folder)) {
      shard.table().play(turn.of(Ledger.key(1), given, Ledger.NOW).asks(0));
    }
    assertThat(turn.step().remaining()).isEqualTo(6);
  }

  @Test
  void r9_strictDecision_isInTheFileWhenTold() throws Exception {
    try (Shard shard = Shard.open(Ledger.options(folder))) {
      Ledger ledger = new Ledger(shard);
      for (int deed = 0; deed < 20; deed++) {
        ledger.decide(deed, deed, deed + 1);
        assertThat(Ledger.isDurable(shard)).isTrue();
        Path copy = Files.createDirectory(folder.resolve("copy" + deed));
        copy(folder, copy);
        try (Shard crashed = Ledger.open(copy)) {
          assertThat(crashed.ids().size()).isEqualTo(deed + 1);
        }
      }
    }
  }

  static void copy(Path from, Path to) throws Exception {
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        Files.copy(file, to.resolve(file.getFileName().toString()));
      }
    }
  }

  /** A denial changes nothing, but may rest on what is not yet durable (R5). */
  @Test
  void whenDurable_nothingChanged_isToldWithoutAFrame() throws Exception {
    try (Shard shard = Ledger.open(folder)) {
      assertThat(Ledger.isDurable(shard)).isTrue();
      assertThat(shard.stats().frames()).isZero();
    }
  }

  @Test
  void whenDurable_afterClose_isToldFalse() throws Exception {
    Shard shard = Ledger.open(folder);
    shard.close();
    assertThat(Ledger.isDurable(shard)).isFalse();
  }

  @Test
  void whenDurable_waiterThrows_othersAreToldStill() throws Exception {
    try (Shard shard = Ledger.open(folder)) {
      CompletableFuture<Boolean> told = new CompletableFuture<>();
      shard.whenDurable(
          Long.MAX_VALUE,
          durable -> {
            throw new IllegalArgumentException("as expected by this test");
          });
      shard.whenDurable(Long.MAX_VALUE, told::complete);
      assertThat(told.get(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void open_withoutFolder_decidesAndSaysThatNothingIsDurable() throws Exception {
    try (Shard shard = Shard.open(ShardOptions.of(null, Clock.system(), 8 << 20))) {
      Ledger ledger = new Ledger(shard);
      ledger.decide(1, 2, 3);
      assertThat(ledger.hasId(1)).isTrue();
      assertThat(Ledger.isDurable(shard)).isFalse();
      assertThat(shard.isDurable()).isFalse();
      assertThat(shard.trouble()).contains("memory only");
    }
  }

  @Test
  void open_folderInUse_throwsAndNamesIt() {
    Shard shard = Ledger.open(folder);
    assertThatThrownBy(() -> Ledger.open(folder))
        .isInstanceOf(FolderException.class)
        .hasMessageContaining(folder.toString())
        .hasMessageContaining("no other server");
    shard.close();
    Ledger.open(folder).close();
  }

  @Test
  void open_folderCannotBeWritten_throwsAndNamesIt() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));
    Path inside = file.resolve("data");
    assertThatThrownBy(() -> Ledger.open(inside))
        .isInstanceOf(FolderException.class)
        .hasMessageContaining(inside.toString());
  }

  @Test
  void open_moreStripesThanTheFileKnows_throws() {
    Ledger.open(folder).close();
    ShardOptions more = Ledger.options(folder).small(2 * Ledger.STRIPES, 64 << 20);
    assertThatThrownBy(() -> Shard.open(more))
        .isInstanceOf(FolderException.class)
        .hasMessageContaining("16 stripes (expected: at least 32)");
  }

  @Test
  void open_tooLittleMemoryForWhatIsStored_throws() {
    try (Shard shard = Shard.open(Ledger.options(folder))) {
      Ledger ledger = new Ledger(shard);
      for (int deed = 0; deed < 2_000; deed++) {
        ledger.decide(deed, 2L * deed, 2L * deed + 1);
      }
    }
    ShardOptions less =
        ShardOptions.of(folder, Clock.system(), /* tableBytes= */ 32 << 10)
            .small(Ledger.STRIPES, 64 << 20);
    assertThatThrownBy(() -> Shard.open(less))
        .isInstanceOf(FolderException.class)
        .hasMessageContaining("memory: 32768 bytes");
  }
}

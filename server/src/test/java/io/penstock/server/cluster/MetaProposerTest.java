package io.penstock.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.server.policy.StoreUnavailableException;
import io.penstock.testkit.ManualClock;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How long policies are waited for that only most nodes together can tell. */
class MetaProposerTest {
  private static final byte[] WRITE = {1};

  private final ManualClock clock = new ManualClock();
  private final FakeLog log = new FakeLog();
  private final MetaProposer proposer = new MetaProposer(log, clock);

  private final class FakeLog implements MetaProposer.Log {
    private @Nullable String leader;
    private long comesAtNanos = Long.MAX_VALUE;
    private CompletableFuture<Void> barrier = CompletableFuture.completedFuture(null);
    private int proposed;

    @Override
    public @Nullable String leader() {
      return clock.nanos() >= comesAtNanos ? "n2" : leader;
    }

    @Override
    public CompletionStage<byte[]> propose(byte[] entry, Duration timeout) {
      proposed++;
      return CompletableFuture.completedFuture(entry);
    }

    @Override
    public CompletionStage<Void> barrier() {
      return barrier;
    }
  }

  /** How long something that fails takes, and in which words it does. */
  private Duration failing(Runnable what, String words) {
    long before = clock.nanos();
    assertThatThrownBy(what::run)
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining(words);
    return Duration.ofNanos(clock.nanos() - before);
  }

  private Duration failingRead() {
    return failing(proposer::catchUp, "policies: not read");
  }

  private Duration failingWrite() {
    return failing(() -> proposer.propose(WRITE), "it may be written or not");
  }

  @Test
  void read_nobodyLeads_failsAfterASecondAndThenAtOnce() {
    assertThat(failingRead()).isEqualTo(Duration.ofSeconds(1));
    assertThat(failingRead()).isZero();
    clock.advance(Duration.ofMinutes(1));
    assertThat(failingRead()).isZero();
  }

  @Test
  void read_leaderElectedMeanwhile_isAnswered() {
    log.comesAtNanos = clock.nanos() + Duration.ofMillis(600).toNanos();
    proposer.catchUp();
    assertThat(clock.nanos()).isEqualTo(log.comesAtNanos);
  }

  @Test
  void read_nextLeaderGone_isWaitedForAnew() {
    assertThat(failingRead()).isEqualTo(Duration.ofSeconds(1));
    log.leader = "n1";
    proposer.leaderChanged();
    log.leader = null;
    proposer.leaderChanged();
    assertThat(failingRead()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void read_leaderWithoutAMajority_failsInTheWordsOfARead() {
    log.leader = "n1";
    log.barrier = CompletableFuture.failedFuture(new IOException("not the leader"));
    assertThat(failingRead()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void read_leaderHasJustDied_isAnsweredByTheNext() {
    log.leader = "n1";
    log.barrier = CompletableFuture.failedFuture(new IOException("connection refused"));
    clock
        .after(Duration.ofMillis(300).toNanos())
        .execute(() -> log.barrier = CompletableFuture.completedFuture(null));
    long before = clock.nanos();
    proposer.catchUp();
    assertThat(Duration.ofNanos(clock.nanos() - before)).isEqualTo(Duration.ofMillis(300));
  }

  @Test
  void write_nobodyLeads_failsAfterFiveSecondsAndThenAtOnce() {
    assertThat(failingWrite()).isEqualTo(Duration.ofSeconds(5));
    assertThat(failingWrite()).isZero();
    assertThat(failingRead()).isZero();
    assertThat(log.proposed).isZero();
  }

  @Test
  void write_notCarriedOutHereInTime_mayBeWritten() {
    log.leader = "n1";
    log.barrier = CompletableFuture.failedFuture(new IOException("not the leader"));
    assertThat(failingWrite()).isZero();
    assertThat(log.proposed).isEqualTo(1);
  }
}

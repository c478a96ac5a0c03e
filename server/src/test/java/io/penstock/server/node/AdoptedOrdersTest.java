package io.penstock.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import io.penstock.core.state.Rules;
import io.penstock.shard.FakeLog;
import io.penstock.shard.FakeReplica;
import io.penstock.shard.Shard;
import io.penstock.shard.ShardOptions;
import io.penstock.testkit.ManualClock;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** R19, R23: orders that come with a shard into a group that has not heard of them. */
class AdoptedOrdersTest {
  private static final int ROOM = 64;
  private static final int LATE = 1;
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration DAYS = Duration.ofDays(3);

  private final ManualClock clock = new ManualClock();
  private final Rules rules = new Rules();
  private final LocalNode from = node(new Rules(), new Extent(0, LATE));
  private final LocalNode late = node(rules, new Extent(LATE, LATE));

  private LocalNode node(Rules own, Extent extent) {
    ShardOptions small = Bench.options(clock, ROOM);
    PolicyDesk desk = new PolicyDesk(own, new Node.Secret(1, 2), clock);
    Shard shard = desk.build(() -> new FakeReplica(own, small).with(new FakeLog()));
    return new LocalNode(Signature.alone("n1"), shard, desk, extent);
  }

  private long millisIn(Duration duration) {
    return (clock.nanos() + duration.toNanos()) / 1_000_000;
  }

  private void block(LocalNode node, String user, Duration duration) {
    List<Descriptor> keys = List.of(Descriptor.of("user", user));
    Durability unused = Bench.now(done -> node.block("api", keys, millisIn(duration), done));
  }

  private void override(LocalNode node, String limit, String user, Duration duration) {
    List<Descriptor> keys = List.of(Descriptor.of("user", user));
    List<Limit> limits = List.of(Limit.parse(limit));
    Durability unused =
        Bench.now(done -> node.override("api", keys, limits, millisIn(duration), done));
  }

  private byte[] packed() {
    List<byte[]> pieces = from.removals().pack(/* number= */ 0, LATE);
    assertThat(pieces).hasSize(1);
    return pieces.get(0);
  }

  private Cargo.Landing bring(byte[] piece) {
    assertThat(take(/* index= */ 0, new byte[0])).isCompletedWithValue(Cargo.Landing.NEXT);
    CompletableFuture<Cargo.Landing> landing = take(/* index= */ 1, piece);
    assertThat(landing).isCompleted();
    return landing.join();
  }

  private CompletableFuture<Cargo.Landing> take(int index, byte[] piece) {
    CompletableFuture<Cargo.Landing> landing = new CompletableFuture<>();
    late.removals()
        .take(
            new Cargo(
                /* shard= */ 0,
                /* number= */ 1,
                /* attempt= */ 1,
                index,
                /* last= */ index == 1,
                index == 0 ? 0 : Removals.checksum(/* before= */ 0, piece),
                clock.nanos(),
                ByteBuffer.wrap(piece)),
            Asker.of(landing::complete, landing::completeExceptionally));
    return landing;
  }

  @Test
  void r23_noRoomForAnOrder_refusesTheShardAtOnce() {
    block(from, "42", DAYS);
    for (int i = 0; i < ROOM; i++) {
      block(late, "x" + i, DAYS);
    }
    assertThat(bring(packed())).isEqualTo(Cargo.Landing.REFUSED);
  }

  @Test
  void r12_blockComesForAKeyWhoseOverrideIsOver_itsRulesAreLetGoOnce() {
    override(late, "20/month", "42", SECOND);
    override(late, "20/month", "43", Duration.ofDays(90));
    clock.advance(SECOND.plus(DAYS));
    block(from, "42", SECOND);
    assertThat(bring(packed())).isEqualTo(Cargo.Landing.READY);
    clock.advance(DAYS);
    block(late, "44", SECOND);
    assertThat(rules.sharedCount()).as("that of the other key is in force").isEqualTo(1);
  }

  @Test
  void r12_orderIsOverWhenItComes_leavesNoRuleBehind() {
    override(from, "20/day", "42", SECOND);
    byte[] piece = packed();
    clock.advance(SECOND.plus(DAYS));
    assertThat(bring(piece)).isEqualTo(Cargo.Landing.READY);
    assertThat(rules.sharedCount()).isZero();
  }
}

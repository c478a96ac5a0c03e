package io.penstock.server.node;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.policy.Descriptor;
import io.penstock.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is known of leases and reservations after they were settled, and what room that takes. */
class SettledTest {
  private static final String TWO_AT_ONCE = "{\"limits\":[\"2 concurrent lease 30s\"]}";
  private static final int ROOM = 64;
  private static final int MANY = 100 * ROOM;

  private static Settled commit(Bench bench, String id) {
    return Bench.now(done -> bench.node.commit(id, 0, done));
  }

  @Test
  void release_farMoreThanThereIsRoomFor_keepsNobodyFromTheNext() {
    Bench bench = Bench.ofNotes(ROOM).policy("api/job", TWO_AT_ONCE);
    CheckRequest one = CheckRequest.of("api", List.of(Descriptor.of("job", "x")), /* cost= */ 1);
    for (int i = 0; i < MANY; i++) {
      Held held = Bench.now(done -> bench.node.acquire(one, 60_000, done));
      assertThat(held.answer().why()).isEqualTo(Why.OK);
      String id = requireNonNull(held.id());
      assertThat(bench.release(id)).isEqualTo(Settled.DONE);
      assertThat(bench.release(id)).as("again").isEqualTo(Settled.DONE);
    }
  }

  @Test
  void commit_farMoreThanThereIsRoomFor_keepsNobodyFromTheNext() {
    Bench bench = Bench.ofNotes(ROOM).policy("api/user", "{\"limits\":[\"1000000/day\"]}");
    for (int i = 0; i < MANY; i++) {
      bench.commit(bench.reserve(5, "user", "42"), 1);
    }
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(1_000_000 - MANY);
  }

  @Test
  void release_nothingIsCounted_keepsNobodyFromTheNext() {
    Bench bench = Bench.ofNotes(ROOM);
    for (int i = 0; i < MANY; i++) {
      assertThat(bench.release(bench.acquire(60_000, "nobody", "x"))).isEqualTo(Settled.DONE);
    }
  }

  @Test
  void release_again_isAnsweredAsTheFirstForTenMinutes() {
    Bench bench = new Bench().policy("api/job", TWO_AT_ONCE);
    String id = bench.acquire(Node.LEASE_OF_POLICY, "job", "x");
    String other = bench.acquire(Node.LEASE_OF_POLICY, "job", "x");
    assertThat(bench.release(id)).isEqualTo(Settled.DONE);
    assertThat(bench.renew(id)).isEqualTo(Settled.OVER);
    assertThat(bench.release(id)).isEqualTo(Settled.DONE);
    assertThat(bench.check(0, "job", "x").remaining()).as("the slot of %s", other).isEqualTo(1);
    bench.clock.advance(Duration.ofMinutes(10));
    assertThat(bench.release(id)).isEqualTo(Settled.DONE);
    bench.clock.advanceNanos(1);
    assertThat(bench.release(id)).isEqualTo(Settled.UNKNOWN);
  }

  @Test
  void release_againAfterARestart_isAnsweredAsTheFirst(@TempDir Path folder) {
    Bench first = new Bench(folder, new ManualClock()).policy("api/job", TWO_AT_ONCE);
    String id = first.acquire(Node.LEASE_OF_POLICY, "job", "x");
    String other = first.acquire(Node.LEASE_OF_POLICY, "job", "x");
    assertThat(first.release(id)).isEqualTo(Settled.DONE);
    Bench second = first.restarted();
    assertThat(second.release(id)).isEqualTo(Settled.DONE);
    assertThat(second.check(0, "job", "x").remaining()).isEqualTo(1);
    assertThat(second.release(other)).isEqualTo(Settled.DONE);
  }

  @Test
  void settle_idOfTheOtherSort_isUnknownBeforeAndAfterItIsSettled() {
    Bench bench = new Bench().policy("api/job", TWO_AT_ONCE);
    for (String key : List.of("job", "nobody")) {
      String lease = bench.acquire(Node.LEASE_OF_POLICY, key, "x");
      assertThat(commit(bench, lease)).as(key).isEqualTo(Settled.UNKNOWN);
      assertThat(bench.release(lease)).as(key).isEqualTo(Settled.DONE);
      assertThat(commit(bench, lease)).as(key).isEqualTo(Settled.UNKNOWN);
      String reservation = bench.reserve(1, key, "x");
      assertThat(bench.release(reservation)).as(key).isEqualTo(Settled.UNKNOWN);
      assertThat(bench.renew(reservation)).as(key).isEqualTo(Settled.UNKNOWN);
      assertThat(commit(bench, reservation)).as(key).isEqualTo(Settled.DONE);
      assertThat(bench.release(reservation)).as(key).isEqualTo(Settled.UNKNOWN);
      assertThat(bench.renew(reservation)).as(key).isEqualTo(Settled.UNKNOWN);
    }
    assertThat(bench.check(0, "job", "x").remaining()).isEqualTo(2);
  }

  @Test
  void commit_ofOneThatWasOver_saysSoForAsLongAsItLasted() {
    Bench bench = new Bench().policy("api/user", "{\"limits\":[\"10/day\"]}");
    CheckRequest one = CheckRequest.of("api", List.of(Descriptor.of("user", "42")), /* cost= */ 1);
    Held held = Bench.now(done -> bench.node.reserve(one, 60_000, done));
    String brief = requireNonNull(held.id());
    bench.clock.advance(Duration.ofMinutes(1));
    assertThat(commit(bench, brief)).isEqualTo(Settled.OVER);
    bench.clock.advance(Duration.ofMinutes(1).minusNanos(1));
    assertThat(commit(bench, brief)).isEqualTo(Settled.OVER);
    bench.clock.advanceNanos(1);
    assertThat(commit(bench, brief)).isEqualTo(Settled.UNKNOWN);
  }

  /** Where there is no policy, an unlimited one, and one that holds no slots. */
  @ParameterizedTest
  @ValueSource(strings = {"nobody", "vip", "user"})
  void settle_holdsNoSlotAndItsTimeIsOver_saysSo(String key) {
    Bench bench =
        new Bench()
            .policy("api/vip", "{\"unlimited\":true}")
            .policy("api/user", "{\"limits\":[\"10/day\"]}");
    String lease = bench.acquire(1, key, "x");
    String reservation = briefly(bench, key);
    bench.clock.advance(Duration.ofMillis(1));
    assertThat(bench.renew(lease)).isEqualTo(Settled.OVER);
    assertThat(bench.release(lease)).isEqualTo(Settled.OVER);
    assertThat(commit(bench, reservation)).isEqualTo(Settled.OVER);
    assertThat(Bench.<Settled>now(done -> bench.node.cancel(reservation, done)))
        .isEqualTo(Settled.OVER);
    assertThat(bench.check(0, "user", "x").remaining()).isEqualTo(key.equals("user") ? 8 : 10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"nobody", "vip"})
  void settle_nothingIsCountedAndSettledInTime_isAnsweredAsTheFirstLater(String key) {
    Bench bench = new Bench().policy("api/vip", "{\"unlimited\":true}");
    String lease = bench.acquire(1, key, "x");
    String reservation = briefly(bench, key);
    assertThat(bench.renew(lease)).isEqualTo(Settled.DONE);
    assertThat(bench.release(lease)).isEqualTo(Settled.DONE);
    assertThat(commit(bench, reservation)).isEqualTo(Settled.DONE);
    bench.clock.advance(Duration.ofMillis(1));
    assertThat(bench.release(lease)).isEqualTo(Settled.DONE);
    assertThat(bench.renew(lease)).isEqualTo(Settled.OVER);
    assertThat(commit(bench, reservation)).isEqualTo(Settled.DONE);
  }

  private static String briefly(Bench bench, String key) {
    CheckRequest one = CheckRequest.of("api", List.of(Descriptor.of(key, "x")), /* cost= */ 1);
    Held held = Bench.now(done -> bench.node.reserve(one, /* ttlMillis= */ 1, done));
    return requireNonNull(held.id());
  }

  @Test
  void acquire_fullOfThoseThatNobodyReleased_hasRoomAgainWhenTheyAreForgotten() {
    Bench bench = Bench.ofNotes(ROOM);
    bench.policy("api/job", "{\"limits\":[\"1000 concurrent lease 30s\"]}");
    CheckRequest one = CheckRequest.of("api", List.of(Descriptor.of("job", "x")), /* cost= */ 1);
    while (Bench.<Held>now(done -> bench.node.acquire(one, 1_000, done)).id() != null) {
      bench.clock.advanceNanos(1);
    }
    bench.clock.advance(Duration.ofSeconds(61));
    assertThat(bench.acquire(1_000, "job", "x")).isNotNull();
  }
}

package io.penstock.server.cluster;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.policy.Descriptor;
import io.penstock.server.cluster.Town.Told;
import io.penstock.server.node.Cargo;
import io.penstock.server.node.Durability;
import io.penstock.server.node.Held;
import io.penstock.server.node.Settled;
import io.penstock.server.policy.MoveStep;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** R23: time goes on while a shard moves, and is the same for all that moves with it. */
class MoveTimeTest extends MovingShard {
  /** So many request ids fill more than a piece: notes come in a later one than states. */
  private static final int IDS = 9_000;

  /** Pieces take their time, each as much as the other. */
  private final class Slow implements Haul.Ways {
    private final List<Integer> brought = new ArrayList<>();
    private final long millis;
    private final boolean tellsTimeFirst;

    Slow(long millis, boolean tellsTimeFirst) {
      this.millis = millis;
      this.tellsTimeFirst = tellsTimeFirst;
    }

    @Override
    public Cargo.Landing bring(int group, Cargo cargo) {
      brought.add(cargo.index());
      if (cargo.index() > 0) {
        town.advanceMillis(millis);
      }
      return alive.bring(group, cargo.index() > 0 || tellsTimeFirst ? cargo : untold(cargo));
    }

    private Cargo untold(Cargo first) {
      return new Cargo(
          first.shard(),
          first.number(),
          first.attempt(),
          first.index(),
          first.last(),
          first.checksum(),
          /* atNanos= */ 0,
          first.records());
    }

    @Override
    public void propose(MoveStep step) {
      alive.propose(step);
    }
  }

  private Descriptor inShard(String key) {
    return Stream.iterate(0, i -> i + 1)
        .map(i -> Descriptor.of(key, "v" + i))
        .filter(each -> town.policies.shard("api", each) == shard)
        .findFirst()
        .orElseThrow();
  }

  private Descriptor limited(String key, String algorithm) {
    town.policy(
        "api/" + key, "{\"limits\":[\"10/min\"],\"algorithm\":\"%s\"}".formatted(algorithm));
    return inShard(key);
  }

  private String reserve(Descriptor key, long cost) {
    Told<Held> held = new Told<>();
    town.node("n3").reserve(request(/* id= */ null, cost, key), 600_000, held);
    return requireNonNull(held.answer().id());
  }

  private void cancel(String id) {
    Told<Settled> settled = new Told<>();
    town.node("n3").cancel(id, settled);
    assertThat(settled.answer()).isEqualTo(Settled.DONE);
  }

  private Slow moveSlowly(long millis, boolean tellsTimeFirst) {
    Slow slow = new Slow(millis, tellsTimeFirst);
    begin(1);
    haul(slow);
    settle();
    assertThat(group()).isEqualTo(1);
    return slow;
  }

  /** R21, L10: of what has drained nothing is given back. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void r23_piecesComeOneByOne_cancelGivesBackWhatItWould(boolean tellsTimeFirst) {
    Descriptor bucket = limited("bucket", "gcra");
    Descriptor log = limited("log", "sliding-window-log");
    town.policy("api/many", "{\"limits\":[\"1000000/day\"]}");
    Descriptor many = inShard("many");
    for (int i = 0; i < IDS; i++) {
      check("n1", "id" + i, many);
    }
    String ofBucket = reserve(bucket, 5);
    String ofLog = reserve(log, 5);
    town.check("n1", request(/* id= */ null, 4, bucket));
    town.check("n1", request(/* id= */ null, 4, log));
    Slow slow = moveSlowly(10_000, tellsTimeFirst);
    int pieces = slow.brought.size() - 1;
    assertThat(pieces).as("states, and notes later").isEqualTo(2);
    long drained = tellsTimeFirst ? 20 : 10;
    assertThat(left(bucket)).isEqualTo(10 - 9 + drained / 6);
    cancel(ofBucket);
    assertThat(left(bucket)).as("what has drained was that of the reservation").isEqualTo(10 - 4);
    assertThat(left(log)).isEqualTo(1);
    cancel(ofLog);
    assertThat(left(log)).isEqualTo(6);
  }

  @Test
  void r23_threeSecondsBetweenFreezeAndArrival_countAsTime() {
    town.policy("api/second", "{\"limits\":[\"1/s burst 10\"]}");
    Descriptor key = inShard("second");
    town.check("n1", request(/* id= */ null, 10, key));
    assertThat(left(key)).isZero();
    moveSlowly(3_000, /* tellsTimeFirst= */ true);
    assertThat(left(key)).isEqualTo(3);
  }

  /** To all groups, each at an instant of its own. */
  private void reset(Descriptor key) {
    for (int group = 0; group < 3; group++) {
      Told<Durability> told = new Told<>();
      requireNonNull(town.local(group)).reset("api", List.of(key), told);
      assertThat(told.answer()).isNotNull();
      town.advanceMillis(1);
    }
  }

  @Test
  void r23_reservationAfterAReset_movesToWhereThatCameLater_isGivenBack() {
    Descriptor key = limited("bucket", "gcra");
    reset(key);
    String id = reserve(key, 5);
    move(1);
    move(2);
    cancel(id);
    assertThat(left(key)).isEqualTo(10);
  }

  @Test
  void r23_leaseAfterAReset_movesToWhereThatCameLater_isReleased() {
    town.policy(
        "api/slots", "{\"limits\":[\"10 concurrent lease 30s\"],\"algorithm\":\"concurrency\"}");
    Descriptor key = inShard("slots");
    reset(key);
    Told<Held> held = new Told<>();
    town.node("n3").acquire(request(/* id= */ null, 5, key), 600_000, held);
    move(1);
    Told<Settled> settled = new Told<>();
    town.node("n3").release(requireNonNull(held.answer().id()), settled);
    assertThat(settled.answer()).isEqualTo(Settled.DONE);
    assertThat(left(key)).isEqualTo(10);
  }

  @Test
  void r23_reservationBetweenTwoResets_moves_givesNothingBack() {
    Descriptor key = limited("bucket", "gcra");
    reset(key);
    String id = reserve(key, 5);
    town.advanceMillis(1);
    reset(key);
    town.check("n1", request(/* id= */ null, 4, key));
    move(1);
    cancel(id);
    assertThat(left(key)).isEqualTo(6);
  }
}

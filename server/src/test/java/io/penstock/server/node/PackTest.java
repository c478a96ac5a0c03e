package io.penstock.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.state.Rules;
import io.penstock.shard.FakeLog;
import io.penstock.shard.FakeReplica;
import io.penstock.shard.Shard;
import io.penstock.testkit.ManualClock;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** R23: what goes to a group that came into being later is packed when orders stand still. */
class PackTest {
  private static final int LATE = 1;
  private static final long HASH = 42;

  private final ManualClock clock = new ManualClock();
  private final Rules rules = new Rules();
  private final PolicyDesk policies = new PolicyDesk(rules, new Node.Secret(1, 2), clock);
  private final Shard shard =
      policies.build(() -> new FakeReplica(rules, Bench.options(clock, 9)).with(new FakeLog()));
  private final KeyOrders orders = new KeyOrders();
  private final Estate estate = new Estate(new Extent(0, LATE), shard);
  private final Decider decider =
      new Decider(policies.book(), policies.keys(), orders, shard.table(), estate::has);
  private final KeyDesk desk = new KeyDesk(shard, orders, policies, decider, estate);
  private final Removals removals =
      new Removals(
          shard,
          policies,
          estate,
          new Answering(Signature.alone("n1"), shard, decider, policies),
          desk);

  /** Somebody who had not heard of what is frozen, and is in the middle of ending an order. */
  @Test
  @Timeout(30)
  void r23_orderIsBeingEnded_packWaitsForIt() throws Exception {
    shard.notes().put(HASH, KeyDesk.ORDER, new byte[8], Long.MAX_VALUE);
    FutureTask<List<byte[]>> packed = new FutureTask<>(() -> removals.pack(/* number= */ 0, LATE));
    Thread packer = new Thread(packed);
    synchronized (desk) {
      packer.start();
      while (packer.getState() != Thread.State.BLOCKED && !packed.isDone()) {
        Thread.onSpinWait();
      }
      shard.notes().remove(HASH, KeyDesk.ORDER);
    }
    byte[] without = removals.pack(/* number= */ 0, LATE).get(0);
    assertThat(packed.get()).containsExactly(without);
  }
}

package io.penstock.server.cluster;

import io.penstock.server.node.Asker;
import io.penstock.server.node.Extent;
import io.penstock.server.node.HoldingId;
import io.penstock.server.node.Settled;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Settles what is held, wherever it is held: its id tells. Thread-safe. */
final class Settling {
  private static final Pattern BETWEEN = Pattern.compile(Pattern.quote(Compound.BETWEEN));

  private final Dispatch dispatch;
  private final Orders orders;

  Settling(Dispatch dispatch, Orders orders) {
    this.dispatch = dispatch;
    this.orders = orders;
  }

  /** The same, and nobody waits for what becomes of it. */
  void settle(String id, Function<String, Question<Settled>> asking) {
    settle(id, asking, Asker.of(settled -> {}, failure -> dispatch.tally().failure()));
  }

  void settle(String id, Function<String, Question<Settled>> asking, Asker<Settled> done) {
    int size = dispatch.owners().size();
    String[] several = BETWEEN.split(id, -1);
    String[] ids = several.length > size ? new String[] {id} : several;
    Several<Settled> all = new Several<>(ids.length, Settling::both, done);
    for (String each : ids) {
      orders.send(group(each, size), Orders.STRICT, asking.apply(each), all);
    }
  }

  /** The group that holds it; any can say that an id is none. */
  private static int group(String id, int groups) {
    HoldingId known = HoldingId.parse(id);
    return known == null ? 0 : Extent.group(known.shard(), groups);
  }

  /** The worse of both: it is done if all of it is. */
  private static Settled both(Settled a, Settled b) {
    return a.compareTo(b) > 0 ? a : b;
  }
}

package io.penstock.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.policy.Descriptor;
import io.penstock.server.node.Asker;
import io.penstock.server.node.CheckRequest;
import io.penstock.server.node.Heat;
import io.penstock.server.node.KeyRate;
import io.penstock.server.node.LocalNode;
import io.penstock.server.node.Node;
import io.penstock.server.node.ShardRate;
import io.penstock.shard.Shard;
import io.penstock.shard.ShardOptions;
import io.penstock.testkit.ManualClock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What nodes tell each other of what is hot. */
class SurveyTest {
  private static final Descriptor ODD = Descriptor.of("user", "4\n2", "\ud800", "");
  private static final List<String> NODES = List.of("n1", "n2", "n3");

  private final ManualClock clock = new ManualClock();
  private final Shard shard = Shard.open(ShardOptions.of(/* folder= */ null, clock, 16 << 20));
  private final LocalNode node = new LocalNode("n2", shard, new Node.Secret(1, 2));
  private final Heat heat = node.policies().heat();
  private final Survey asked = new Survey("n2", () -> heat, (to, question, max) -> silence());

  /** Knows nothing itself, and reaches only n2. */
  private final Survey asking =
      new Survey(
          "n1",
          () -> null,
          (to, question, max) ->
              to.equals("n2") ? asked.answer(NodeOrder.read(question).wish()) : silence());

  private static CompletionStage<byte[]> silence() {
    return CompletableFuture.failedFuture(new CompletionException("nobody", null));
  }

  private void hammer() {
    for (int i = 0; i < 10_000; i++) {
      node.check(CheckRequest.of("api", List.of(ODD), 1), Asker.of(told -> {}, cause -> {}));
    }
    heat.read(1_000_000_000, each -> each >= 100 || each == node.policies().shard("api", ODD));
  }

  @Test
  void rates_ofAnotherNode_areThoseItTells() {
    hammer();
    Map<String, List<ShardRate>> rates = asking.rates(NODES).toCompletableFuture().join();
    assertThat(rates).containsOnlyKeys("n1", "n2").containsEntry("n1", List.of());
    assertThat(rates.get("n2")).isEqualTo(heat.shards()).anyMatch(ShardRate::hot);
  }

  @Test
  void keys_ofAnotherNode_areThoseItTellsLetterForLetter() {
    hammer();
    Map<String, List<KeyRate>> keys = asking.keys(NODES).toCompletableFuture().join();
    assertThat(keys).containsOnlyKeys("n1", "n2").containsEntry("n1", List.of());
    assertThat(keys).containsEntry("n2", heat.keys());
    assertThat(heat.keys().stream().map(KeyRate::descriptor)).containsExactly(ODD);
  }
}

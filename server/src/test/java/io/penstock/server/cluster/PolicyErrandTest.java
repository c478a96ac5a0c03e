package io.penstock.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.state.Rules;
import io.penstock.server.node.LateNode;
import io.penstock.server.node.Node;
import io.penstock.server.node.Patience;
import io.penstock.server.node.PolicyDesk;
import io.penstock.server.policy.DryRun;
import io.penstock.server.policy.InvalidPolicyException;
import io.penstock.server.policy.Kind;
import io.penstock.server.policy.Written;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is asked about policies at a node that does not own, and has a desk of its own. */
class PolicyErrandTest {
  private static final String SCOPE = "api/user";
  private static final long FIFTH_NANOS = Duration.ofDays(1).toNanos() / 5;

  private final Town town = new Town().policy(SCOPE, "{\"limits\":[\"10/day\"]}").own("n2");
  private final PolicyDesk known = new PolicyDesk(new Rules(), new Node.Secret(1, 2), town.clock);
  private final Node entry = entry();

  private Node entry() {
    Ownership ownership = new Ownership();
    ownership.change(new Ownership.View(/* local= */ null, "n2", "1"));
    return new ClusterNode("n4", Owners.of(List.of(ownership)), town.network, known, town.clock);
  }

  private static DryRun.Forecast tryOut(Node node, String document) {
    return Patience.answer(done -> node.tryOut(SCOPE, document, done));
  }

  private long retryNanos() {
    return town.check("n2", Town.user(/* id= */ null, 1)).answer().retryAfterNanos();
  }

  private void oweFive() {
    town.check("n2", Town.user(/* id= */ null, 10));
    town.policy(SCOPE, "{\"limits\":[\"5/day\"]}");
    assertThat(retryNanos()).isEqualTo(6 * FIFTH_NANOS);
  }

  @Test
  void dryRun_throughAnotherNode_triesTheChecksOfTheOwner() {
    for (int i = 0; i < 3; i++) {
      town.check("n2", Town.user(/* id= */ null, 1));
    }
    String two = "{\"limits\":[\"2/day\"]}";
    DryRun.Forecast forecast = tryOut(entry, two);
    assertThat(forecast.checks()).isEqualTo(3);
    assertThat(forecast.denied()).isEqualTo(1);
    assertThat(forecast).isEqualTo(tryOut(town.node("n2"), two));
    assertThat(town.network.asked).containsExactly("n2");
  }

  @Test
  void dryRun_ofWhatIsNoPolicy_saysWhatIsWrongAtOnce() {
    assertThatThrownBy(() -> tryOut(entry, "{\"limits\":[\"2/x\"]}"))
        .isInstanceOf(InvalidPolicyException.class);
    assertThat(town.network.asked).isEmpty();
  }

  @Test
  void forgiveness_throughAnotherNode_cutsWhatKeysOweAtTheOwner() {
    oweFive();
    Written put = new Written(2, List.of());
    assertThat(Patience.write(entry, Kind.POLICY, SCOPE, /* forgives= */ true, () -> put))
        .isEqualTo(put);
    assertThat(retryNanos()).isEqualTo(FIFTH_NANOS);
  }

  @Test
  void forgiveness_notAskedFor_cutsNothing() {
    oweFive();
    Written put = new Written(2, List.of());
    Patience.write(entry, Kind.POLICY, SCOPE, /* forgives= */ false, () -> put);
    assertThat(retryNanos()).isEqualTo(6 * FIFTH_NANOS);
    assertThat(town.network.asked).isEmpty();
  }

  @Test
  void forgiveness_nobodyAnswers_isWarnedOfAndTheWriteStands() {
    try (LateNode gone = new LateNode(entry)) {
      gone.goAway();
      Written put = new Written(2, List.of("careful"));
      Written written = Patience.write(gone, Kind.POLICY, SCOPE, /* forgives= */ true, () -> put);
      assertThat(written.version()).isEqualTo(2);
      assertThat(written.warnings())
          .containsExactly("careful", "nothing is forgiven: " + LateNode.GONE);
    }
  }
}

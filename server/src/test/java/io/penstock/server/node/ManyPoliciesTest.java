package io.penstock.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** R12: more policies with limits of their own than there are numbers of rules. */
class ManyPoliciesTest {
  private static final int MANY = 4_300;

  private final Bench bench = new Bench();

  private static String limits(String limit) {
    return "{\"limits\":[\"" + limit + "\"]}";
  }

  private Answer look(int tenant) {
    return bench.check(0, "tenant", "c" + tenant, "user", "1");
  }

  @Test
  void r12_scopesOfManyKeys_areAllInForceAndContinueWhatWasUsed() {
    bench.policy("api/tenant/user", limits("100/day"));
    for (int i = 0; i < MANY; i++) {
      bench.check(3, "tenant", "c" + i, "user", "1");
      bench.policy("api/tenant=c" + i + "/user", limits("7/day"));
    }
    for (int i = 0; i < MANY; i++) {
      assertThat(look(i).part().policy()).isEqualTo("api/tenant=c" + i + "/user");
      assertThat(look(i).remaining()).as("c" + i).isEqualTo(4);
    }
    for (int i = 0; i < MANY; i++) {
      bench.policy("api/tenant=c" + i + "/user", limits("8/day"));
      assertThat(look(i).remaining()).as("c" + i + " again").isEqualTo(5);
    }
    bench.check(10, "tenant", "other", "user", "1");
    bench.policy("api/tenant/user", limits("50/day")).policy("web/a", limits("5/day"));
    assertThat(bench.check(0, "tenant", "other", "user", "1").remaining()).isEqualTo(40);
  }

  @Test
  void r12_tierOfManyOffers_isChangedForAllAtTheSameInstant() {
    bench.tier("free", limits("100/day"));
    for (int i = 0; i < MANY; i++) {
      String document = "{\"tier\":\"free\",\"override\":{\"class\":\"account-" + i + "\"}}";
      bench.policy("api/tenant=c" + i + "/user", document);
      bench.check(80, "tenant", "c" + i, "user", "1");
    }
    bench.tier("free", limits("100/hour"));
    bench.clock.advance(Duration.ofMinutes(30));
    for (int i = 0; i < MANY; i++) {
      assertThat(look(i).remaining()).as("c" + i).isEqualTo(70);
    }
  }

  @Test
  void r12_moreLimitsThanNumbers_aChangeKeepsWhatWasUsed() {
    for (int i = 0; i < MANY; i++) {
      bench.policy("web/tenant=c" + i + "/user", limits(1_000 + i + "/day"));
    }
    bench.policy("api/user", limits("10/day")).policy("api/tenant/user", limits("20/day"));
    bench.check(8, "user", "42");
    bench.check(8, "tenant", "c1", "user", "1");
    bench.policy("api/user", limits("12/day"));
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(4);
    bench.policy("api/user", limits("10/hour"));
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(2);
    bench.policy("api/tenant=c1/user", limits("11/day"));
    assertThat(look(1).remaining()).as("a scope of its own").isEqualTo(3);
  }
}

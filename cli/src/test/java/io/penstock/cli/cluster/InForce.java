package io.penstock.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** Policies that every node has. Stateless. */
final class InForce {
  private InForce() {}

  /** Puts a policy in place of a version, 0 for none, and waits until all that live have it. */
  static void put(Nodes nodes, String scope, String policy, long before) {
    List<Integer> living = nodes.running();
    int node = living.get((int) (before % living.size()));
    String[] condition =
        before == 0
            ? new String[] {"If-None-Match", "*"}
            : new String[] {"If-Match", "\"" + before + "\""};
    Reply put = Nodes.until(() -> nodes.put(node, scope, policy, condition), Reply::isSettled);
    /* 412 if it was put before, although nobody said so. */
    assertThat(put.status()).as(put.body()).isIn(200, 201, 412);
    for (int each : living) {
      String now = "\"version\":" + (before + 1) + ",";
      Nodes.until(
          () -> nodes.get(each, "/v1/policies/" + scope), reply -> reply.body().contains(now));
    }
  }
}

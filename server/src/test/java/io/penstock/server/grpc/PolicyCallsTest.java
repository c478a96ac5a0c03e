package io.penstock.server.grpc;

import static io.penstock.server.grpc.PenstockServiceTest.refused;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.rpc.BadRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.penstock.api.v1.CheckRequest;
import io.penstock.api.v1.CheckResponse;
import io.penstock.api.v1.DeletePolicyRequest;
import io.penstock.api.v1.Expected;
import io.penstock.api.v1.GetPolicyRequest;
import io.penstock.api.v1.ListPoliciesRequest;
import io.penstock.api.v1.ListPoliciesResponse;
import io.penstock.api.v1.PenstockGrpc;
import io.penstock.api.v1.PenstockGrpc.PenstockBlockingStub;
import io.penstock.api.v1.Policy;
import io.penstock.api.v1.PutPolicyRequest;
import io.penstock.server.node.Node;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicyCallsTest {
  @TempDir Path folder;

  private LiveFront live;
  private PenstockBlockingStub penstock;

  @BeforeEach
  void start() throws Exception {
    live = LiveFront.open(folder);
    penstock = PenstockGrpc.newBlockingStub(live.channel());
  }

  @AfterEach
  void stop() {
    live.close();
  }

  private CheckResponse ask(long cost) {
    CheckRequest.Builder check = CheckRequest.newBuilder().setDomain("api").setCost(cost);
    check.addDescriptorsBuilder().addEntriesBuilder().setKey("user").setValue("1");
    return penstock.check(check.build());
  }

  private static PutPolicyRequest.Builder put(String document) {
    return PutPolicyRequest.newBuilder().setScope("api/user").setDocument(document);
  }

  private static Expected.Builder expected(long version) {
    return Expected.newBuilder().setVersion(version);
  }

  @Test
  void policies_versions_areComparedAndGrow() {
    String first = "{\"limits\": [\"5/s\"]}";
    PutPolicyRequest.Builder create = put(first).setExpected(Expected.newBuilder().setAbsent(true));
    assertThat(penstock.putPolicy(create.build()).getVersion()).isEqualTo(1);
    refused(Status.Code.ABORTED, () -> penstock.putPolicy(create.build()));
    GetPolicyRequest get = GetPolicyRequest.newBuilder().setScope("api/user").build();
    assertThat(penstock.getPolicy(get).getDocument()).isEqualTo(first);
    PutPolicyRequest replace = put("{\"limits\":[\"6/s\"]}").setExpected(expected(1)).build();
    assertThat(penstock.putPolicy(replace).getVersion()).isEqualTo(2);
    assertThat(ask(0).getLimit()).isEqualTo(6);
    refused(Status.Code.ABORTED, () -> penstock.putPolicy(replace));
    refused(Status.Code.INVALID_ARGUMENT, () -> penstock.putPolicy(put(first).build()));
    DeletePolicyRequest delete =
        DeletePolicyRequest.newBuilder()
            .setScope("api/user")
            .setExpected(Expected.newBuilder().setAny(true))
            .build();
    assertThat(penstock.deletePolicy(delete).getVersion()).isEqualTo(3);
    refused(Status.Code.NOT_FOUND, () -> penstock.getPolicy(get));
    assertThat(ask(0).getReason()).isEqualTo("no-policy");
  }

  @Test
  void putPolicy_forgives_cutsDebtToTheNewCapacity() {
    live.put("api/user", "{\"limits\":[\"10/day\"]}");
    ask(10);
    PutPolicyRequest.Builder two = put("{\"limits\":[\"2/day\"]}");
    two.setExpected(Expected.newBuilder().setAny(true));
    penstock.putPolicy(two.setForgive(true).build());
    assertThat(ask(1).getRetryAfterMs()).isEqualTo(Duration.ofHours(12).toMillis());
  }

  @Test
  void putPolicy_lessThanWasUsed_warns() {
    live.put("api/user", "{\"limits\":[\"10/day\"]}");
    PutPolicyRequest.Builder two = put("{\"limits\":[\"2/day\"]}");
    two.setExpected(Expected.newBuilder().setAny(true));
    assertThat(penstock.putPolicy(two.build()).getWarningsList())
        .singleElement()
        .asString()
        .startsWith("keys that have used more than 2 wait");
    assertThat(penstock.putPolicy(two.build()).getWarningsList()).isEmpty();
    String strict = "{\"limits\":[\"1/day\"],\"consistency\":\"strict\",\"failMode\":\"open\"}";
    assertThat(penstock.putPolicy(two.setDocument(strict).build()).getWarningsList()).hasSize(2);
    String none = "{\"limits\":[\"1/hour\"]}";
    PutPolicyRequest forgiving = two.setDocument(none).setForgive(true).build();
    assertThat(penstock.putPolicy(forgiving).getWarningsList()).isEmpty();
  }

  @Test
  void putPolicy_severalProblems_areAllTold() throws Exception {
    StatusRuntimeException refused =
        refused(
            Status.Code.INVALID_ARGUMENT,
            () ->
                penstock.putPolicy(
                    put("{\"limits\":[\"5/x\",\"0/s\"]}")
                        .setExpected(Expected.newBuilder().setAbsent(true))
                        .build()));
    BadRequest details =
        requireNonNull(StatusProto.fromThrowable(refused)).getDetails(0).unpack(BadRequest.class);
    assertThat(details.getFieldViolationsList())
        .extracting(BadRequest.FieldViolation::getField)
        .containsExactly("limits[0]", "limits[1]");
    refused(
        Status.Code.NOT_FOUND,
        () -> penstock.getPolicy(GetPolicyRequest.newBuilder().setScope("api/user").build()));
  }

  @Test
  void listPolicies_pages_goOnWhereTheLastEnded() {
    for (String scope : new String[] {"api/a", "api/b", "api/c"}) {
      live.put(scope, "{\"limits\":[\"5/s\"]}");
    }
    ListPoliciesResponse first =
        penstock.listPolicies(ListPoliciesRequest.newBuilder().setLimit(2).build());
    assertThat(first.getPoliciesList())
        .extracting(Policy::getScope)
        .containsExactly("api/a", "api/b");
    ListPoliciesResponse second =
        penstock.listPolicies(
            ListPoliciesRequest.newBuilder().setLimit(2).setAfter(first.getNext()).build());
    assertThat(second.getPoliciesList()).extracting(Policy::getScope).containsExactly("api/c");
    assertThat(second.getNext()).isEmpty();
    refused(
        Status.Code.INVALID_ARGUMENT,
        () -> penstock.listPolicies(ListPoliciesRequest.newBuilder().setLimit(-1).build()));
  }

  /** A client takes messages of 4 MB unless it is told otherwise. */
  @Test
  void listPolicies_ofMoreThanAMessageTakes_goesOnAfterItsLast() {
    String document = "{\"limits\":[\"5/s\"]" + " ".repeat(60_000) + "}";
    for (int i = 0; i < 80; i++) {
      live.put("api/user=" + (100 + i), document);
    }
    ListPoliciesRequest.Builder all = ListPoliciesRequest.newBuilder().setLimit(1_000);
    ListPoliciesResponse first = penstock.listPolicies(all.build());
    ListPoliciesResponse rest = penstock.listPolicies(all.setAfter(first.getNext()).build());
    assertThat(rest.getNext()).isEmpty();
    assertThat(first.getPoliciesCount() + rest.getPoliciesCount()).isEqualTo(80);
    assertThat(rest.getPolicies(0).getScope()).isGreaterThan(first.getNext());
  }

  @Test
  void putPolicy_endsWithAnError_isInternal(@TempDir Path own) throws Exception {
    try (LiveFront ending = LiveFront.behind(own, PolicyCallsTest::ending)) {
      PutPolicyRequest.Builder forgiving = put("{\"limits\":[\"5/s\"]}").setForgive(true);
      forgiving.setExpected(Expected.newBuilder().setAbsent(true));
      PenstockBlockingStub calls =
          PenstockGrpc.newBlockingStub(ending.channel()).withDeadlineAfter(30, TimeUnit.SECONDS);
      refused(Status.Code.INTERNAL, () -> calls.putPolicy(forgiving.build()));
    }
  }

  /** One that ends what is to be forgiven with an error, as if there was no memory left. */
  private static Node ending(Node node) {
    return (Node)
        Proxy.newProxyInstance(
            Node.class.getClassLoader(),
            new Class<?>[] {Node.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("forgive")) {
                throw new OutOfMemoryError("as a test");
              }
              return method.invoke(node, arguments);
            });
  }
}

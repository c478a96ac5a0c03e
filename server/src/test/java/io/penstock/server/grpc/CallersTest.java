package io.penstock.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitRequest;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.penstock.api.v1.CancelRequest;
import io.penstock.api.v1.CheckRequest;
import io.penstock.api.v1.CommitRequest;
import io.penstock.api.v1.Expected;
import io.penstock.api.v1.GetPolicyRequest;
import io.penstock.api.v1.ListPoliciesRequest;
import io.penstock.api.v1.PenstockGrpc;
import io.penstock.api.v1.Policy;
import io.penstock.api.v1.PutPolicyRequest;
import io.penstock.api.v1.ReleaseRequest;
import io.penstock.api.v1.RenewRequest;
import io.penstock.api.v1.ReserveRequest;
import io.penstock.api.v1.ResetRequest;
import io.penstock.server.config.ServerConfig.Access;
import io.penstock.server.security.FileWatch;
import io.penstock.server.security.Gatekeeper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CallersTest {
  private static final String ADMIN = "admin-0123456789abcdef";
  private static final String GATEWAY = "gateway-0123456789abcdef";
  private static final String READER = "reader-0123456789abcdef";
  private static final String SLASH = "slash-0123456789abcdef";
  private static final String OTHER = "other-0123456789abcdef";

  @TempDir Path folder;

  private final FileWatch watch = new FileWatch();
  private LiveFront live;

  @BeforeEach
  void start() throws Exception {
    Path keys =
        Files.writeString(
            folder.resolve("keys.yaml"),
            """
            - {name: admin, key: %s, roles: {api: [admin]}}
            - {name: gateway, key: %s, roles: {api: [check]}}
            - {name: reader, key: %s, roles: {api: [read]}}
            - {name: slash, key: %s, roles: {api/v1: [admin]}}
            - {name: other, key: %s, roles: {'api\\': [admin]}}
            """
                .formatted(ADMIN, GATEWAY, READER, SLASH, OTHER));
    Access access = new Access(keys, null, null, null, null);
    live = LiveFront.guarded(folder, Gatekeeper.of(access, Clock.systemUTC(), watch));
    live.put("api/user", "{\"limits\":[\"5/day\"]}");
    live.put("other/user", "{\"limits\":[\"5/day\"]}");
  }

  @AfterEach
  void stop() {
    live.close();
    watch.close();
  }

  private Channel by(String key) {
    return live.channel("authorization", "Bearer " + key);
  }

  private static Status.Code refused(ThrowingCallable call) {
    Status.Code[] code = new Status.Code[1];
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StatusRuntimeException.class, e -> code[0] = e.getStatus().getCode());
    return code[0];
  }

  private static CheckRequest check(String domain, long cost) {
    CheckRequest.Builder check = CheckRequest.newBuilder().setDomain(domain).setCost(cost);
    check.addDescriptorsBuilder().addEntriesBuilder().setKey("user").setValue("1");
    return check.build();
  }

  private static boolean isAllowed(Channel channel, String domain, long cost) {
    return PenstockGrpc.newBlockingStub(channel).check(check(domain, cost)).getAllowed();
  }

  private static RateLimitRequest rls(String domain) {
    RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain(domain);
    request.addDescriptorsBuilder().addEntriesBuilder().setKey("user").setValue("1");
    return request.build();
  }

  @Test
  void call_withoutKnownKey_isUnauthenticated() {
    assertThat(refused(() -> isAllowed(live.channel(), "api", 1)))
        .isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(refused(() -> isAllowed(by("nobody"), "api", 1)))
        .isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(
            refused(
                () ->
                    RateLimitServiceGrpc.newBlockingStub(live.channel())
                        .shouldRateLimit(rls("api"))))
        .isEqualTo(Status.Code.UNAUTHENTICATED);
  }

  @ParameterizedTest
  @CsvSource({"authorization, Bearer ", "x-api-key, ''"})
  void call_withTwoKeys_isUnauthenticatedWhicheverIsKnown(String header, String prefix) {
    for (String second : List.of("nobody", GATEWAY)) {
      for (List<String> keys : List.of(List.of(GATEWAY, second), List.of(second, GATEWAY))) {
        Metadata metadata = new Metadata();
        Metadata.Key<String> name = Metadata.Key.of(header, Metadata.ASCII_STRING_MARSHALLER);
        keys.forEach(key -> metadata.put(name, prefix + key));
        Channel channel =
            ClientInterceptors.intercept(
                live.channel(), MetadataUtils.newAttachHeadersInterceptor(metadata));
        assertThat(refused(() -> isAllowed(channel, "api", 1)))
            .isEqualTo(Status.Code.UNAUTHENTICATED);
        var envoy = RateLimitServiceGrpc.newBlockingStub(channel);
        assertThat(refused(() -> envoy.shouldRateLimit(rls("api"))))
            .isEqualTo(Status.Code.UNAUTHENTICATED);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"Basic YTpi, true", "Bearer nobody, true", "Bearer " + READER + ", false"})
  void key_besideAnAuthorization_countsIfThatShowsNobody(String authorization, boolean counts) {
    Channel channel =
        ClientInterceptors.intercept(
            live.channel("authorization", authorization),
            MetadataUtils.newAttachHeadersInterceptor(key(GATEWAY)));
    var envoy = RateLimitServiceGrpc.newBlockingStub(channel);
    if (counts) {
      assertThat(isAllowed(channel, "api", 1)).isTrue();
      assertThat(envoy.shouldRateLimit(rls("api")).getStatusesCount()).isEqualTo(1);
    } else {
      assertThat(refused(() -> isAllowed(channel, "api", 1)))
          .isEqualTo(Status.Code.PERMISSION_DENIED);
      assertThat(refused(() -> envoy.shouldRateLimit(rls("api"))))
          .isEqualTo(Status.Code.PERMISSION_DENIED);
    }
  }

  private static Metadata key(String key) {
    Metadata metadata = new Metadata();
    metadata.put(Metadata.Key.of("x-api-key", Metadata.ASCII_STRING_MARSHALLER), key);
    return metadata;
  }

  @Test
  void check_roleInDomain_isRequired() {
    assertThat(isAllowed(by(GATEWAY), "api", 1)).isTrue();
    assertThat(isAllowed(live.channel("x-api-key", GATEWAY), "api", 1)).isTrue();
    assertThat(refused(() -> isAllowed(by(GATEWAY), "other", 1)))
        .isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(refused(() -> isAllowed(by(READER), "api", 1)))
        .isEqualTo(Status.Code.PERMISSION_DENIED);
    var envoy = RateLimitServiceGrpc.newBlockingStub(by(GATEWAY));
    assertThat(envoy.shouldRateLimit(rls("api")).getStatusesCount()).isEqualTo(1);
    assertThat(refused(() -> envoy.shouldRateLimit(rls("other"))))
        .isEqualTo(Status.Code.PERMISSION_DENIED);
  }

  @Test
  void settling_byThoseWhoMayNotCheck_isDenied() {
    var reader = PenstockGrpc.newBlockingStub(by(READER));
    var gateway = PenstockGrpc.newBlockingStub(by(GATEWAY));
    ReserveRequest reserve = ReserveRequest.newBuilder().setCheck(check("api", 5)).build();
    String id = gateway.reserve(reserve).getReservationId();
    List<ThrowingCallable> calls =
        List.of(
            () -> reader.cancel(CancelRequest.newBuilder().setReservationId(id).build()),
            () -> reader.commit(CommitRequest.newBuilder().setReservationId(id).build()),
            () -> reader.renew(RenewRequest.newBuilder().setLeaseId(id).build()),
            () -> reader.release(ReleaseRequest.newBuilder().setLeaseId(id).build()));
    for (ThrowingCallable call : calls) {
      assertThat(refused(call)).isEqualTo(Status.Code.PERMISSION_DENIED);
    }
    assertThat(isAllowed(by(GATEWAY), "api", 1)).isFalse();
    gateway.cancel(CancelRequest.newBuilder().setReservationId(id).build());
    assertThat(isAllowed(by(GATEWAY), "api", 1)).isTrue();
  }

  @Test
  void refund_byOthersThanAdmin_isDenied() {
    assertThat(refused(() -> isAllowed(by(GATEWAY), "api", -1)))
        .isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(isAllowed(by(ADMIN), "api", -1)).isTrue();
  }

  @Test
  void changes_byOthersThanAdmin_areDenied() {
    ResetRequest.Builder reset = ResetRequest.newBuilder().setDomain("api");
    reset.addDescriptorsBuilder().addEntriesBuilder().setKey("user").setValue("1");
    assertThat(refused(() -> PenstockGrpc.newBlockingStub(by(GATEWAY)).reset(reset.build())))
        .isEqualTo(Status.Code.PERMISSION_DENIED);
    PutPolicyRequest put =
        PutPolicyRequest.newBuilder()
            .setScope("api/user")
            .setDocument("{\"limits\":[\"6/day\"]}")
            .setExpected(Expected.newBuilder().setAny(true))
            .build();
    assertThat(refused(() -> PenstockGrpc.newBlockingStub(by(READER)).putPolicy(put)))
        .isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(PenstockGrpc.newBlockingStub(by(ADMIN)).putPolicy(put).getVersion()).isEqualTo(2);
  }

  @Test
  void policies_ofADomainWithASlash_areThoseOfItsAdminOnly() {
    String scope = "api\\/v1/user";
    PutPolicyRequest put =
        PutPolicyRequest.newBuilder()
            .setScope(scope)
            .setDocument("{\"limits\":[\"6/day\"]}")
            .setExpected(Expected.newBuilder().setAbsent(true))
            .build();
    var slash = PenstockGrpc.newBlockingStub(by(SLASH));
    var other = PenstockGrpc.newBlockingStub(by(OTHER));
    assertThat(refused(() -> other.putPolicy(put))).isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(slash.putPolicy(put).getVersion()).isEqualTo(1);
    GetPolicyRequest get = GetPolicyRequest.newBuilder().setScope(scope).build();
    assertThat(slash.getPolicy(get).getScope()).isEqualTo(scope);
    assertThat(refused(() -> other.getPolicy(get))).isEqualTo(Status.Code.PERMISSION_DENIED);
    ListPoliciesRequest all = ListPoliciesRequest.getDefaultInstance();
    assertThat(slash.listPolicies(all).getPoliciesList())
        .extracting(Policy::getScope)
        .containsExactly(scope);
    assertThat(other.listPolicies(all).getPoliciesCount()).isZero();
  }

  @Test
  void listPolicies_ofSeveralDomains_showsOnlyOwn() {
    assertThat(
            PenstockGrpc.newBlockingStub(by(READER))
                .listPolicies(ListPoliciesRequest.getDefaultInstance())
                .getPoliciesList())
        .extracting(Policy::getScope)
        .containsExactly("api/user");
    assertThat(
            refused(
                () ->
                    PenstockGrpc.newBlockingStub(by(GATEWAY))
                        .listPolicies(ListPoliciesRequest.getDefaultInstance())))
        .isEqualTo(Status.Code.PERMISSION_DENIED);
  }

  @Test
  void health_withoutKey_isAnswered() {
    assertThat(
            HealthGrpc.newBlockingStub(live.channel())
                .check(HealthCheckRequest.getDefaultInstance())
                .getStatus())
        .isEqualTo(ServingStatus.SERVING);
  }

  @Test
  void reflection_withoutKey_isRefused() {
    CompletableFuture<ServerReflectionResponse> told = new CompletableFuture<>();
    StreamObserver<ServerReflectionRequest> ask =
        ServerReflectionGrpc.newStub(live.channel())
            .serverReflectionInfo(GrpcFrontTest.first(told));
    ask.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
    assertThatThrownBy(() -> told.get(10, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining("UNAUTHENTICATED");
  }
}

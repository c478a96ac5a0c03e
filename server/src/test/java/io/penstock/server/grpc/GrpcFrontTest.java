package io.penstock.server.grpc;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Channel;
import io.grpc.Deadline;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.StreamObserver;
import io.penstock.api.v1.CheckRequest;
import io.penstock.api.v1.PenstockGrpc;
import io.penstock.server.Bounds;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GrpcFrontTest {
  @TempDir Path folder;

  private static CheckRequest.Builder check(String user) {
    CheckRequest.Builder check = CheckRequest.newBuilder().setDomain("api");
    check.addDescriptorsBuilder().addEntriesBuilder().setKey("user").setValue(user);
    return check;
  }

  static String reason(Channel channel) {
    return PenstockGrpc.newBlockingStub(channel).check(check("1").build()).getReason();
  }

  static Status.Code refused(ThrowingCallable call) {
    Status.Code[] code = new Status.Code[1];
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StatusRuntimeException.class, e -> code[0] = e.getStatus().getCode());
    return code[0];
  }

  @Test
  void stopAccepting_watchersAndNewCalls_areToldAndTurnedAway() throws Exception {
    try (LiveFront live = LiveFront.open(folder)) {
      Iterator<HealthCheckResponse> watch =
          HealthGrpc.newBlockingStub(live.channel()).watch(HealthCheckRequest.getDefaultInstance());
      assertThat(watch.next().getStatus()).isEqualTo(ServingStatus.SERVING);
      live.front.stopAccepting();
      assertThat(watch.next().getStatus()).isEqualTo(ServingStatus.NOT_SERVING);
      assertThat(watch.hasNext()).as("more to watch").isFalse();
      assertThat(refused(() -> reason(live.channel()))).isEqualTo(Status.Code.UNAVAILABLE);
    }
  }

  @Test
  void stopAccepting_callUnderWay_isFinished() throws Exception {
    try (LiveFront live = LiveFront.open(folder)) {
      BlockingQueue<ServerReflectionResponse> answers = new LinkedBlockingQueue<>();
      CompletableFuture<Boolean> end = new CompletableFuture<>();
      StreamObserver<ServerReflectionRequest> ask =
          ServerReflectionGrpc.newStub(live.channel()).serverReflectionInfo(all(answers, end));
      ServerReflectionRequest question =
          ServerReflectionRequest.newBuilder().setListServices("").build();
      ask.onNext(question);
      assertThat(answers.poll(10, TimeUnit.SECONDS)).isNotNull();
      live.front.stopAccepting();
      ask.onNext(question);
      assertThat(answers.poll(10, TimeUnit.SECONDS)).isNotNull();
      ask.onCompleted();
      assertThat(end.get(10, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static <T> StreamObserver<T> all(
      BlockingQueue<T> answers, CompletableFuture<Boolean> end) {
    return new StreamObserver<>() {
      @Override
      public void onNext(T value) {
        answers.add(value);
      }

      @Override
      public void onError(Throwable cause) {
        end.completeExceptionally(cause);
      }

      @Override
      public void onCompleted() {
        end.complete(true);
      }
    };
  }

  @Test
  void reflection_services_areListed() throws Exception {
    try (LiveFront live = LiveFront.open(folder)) {
      CompletableFuture<ServerReflectionResponse> listed = new CompletableFuture<>();
      StreamObserver<ServerReflectionRequest> ask =
          ServerReflectionGrpc.newStub(live.channel()).serverReflectionInfo(first(listed));
      ask.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
      assertThat(listed.get(10, TimeUnit.SECONDS).getListServicesResponse().getServiceList())
          .extracting(ServiceResponse::getName)
          .containsExactlyInAnyOrder(
              "envoy.service.ratelimit.v3.RateLimitService",
              "penstock.v1.Penstock",
              "grpc.health.v1.Health",
              "grpc.reflection.v1.ServerReflection",
              "grpc.reflection.v1alpha.ServerReflection");
      ask.onCompleted();
    }
  }

  @Test
  void reflection_versionBefore_listsTheSame() throws Exception {
    try (LiveFront live = LiveFront.open(folder)) {
      CompletableFuture<io.grpc.reflection.v1alpha.ServerReflectionResponse> listed =
          new CompletableFuture<>();
      StreamObserver<io.grpc.reflection.v1alpha.ServerReflectionRequest> ask =
          io.grpc.reflection.v1alpha.ServerReflectionGrpc.newStub(live.channel())
              .serverReflectionInfo(first(listed));
      ask.onNext(
          io.grpc.reflection.v1alpha.ServerReflectionRequest.newBuilder()
              .setListServices("")
              .build());
      assertThat(listed.get(10, TimeUnit.SECONDS).getListServicesResponse().getServiceList())
          .extracting(io.grpc.reflection.v1alpha.ServiceResponse::getName)
          .contains("envoy.service.ratelimit.v3.RateLimitService", "penstock.v1.Penstock");
      ask.onCompleted();
    }
  }

  static <T> StreamObserver<T> first(CompletableFuture<T> result) {
    return new StreamObserver<>() {
      @Override
      public void onNext(T value) {
        result.complete(value);
      }

      @Override
      public void onError(Throwable cause) {
        result.completeExceptionally(cause);
      }

      @Override
      public void onCompleted() {}
    };
  }

  @Test
  void unixSocket_beside_isServedAndItsOldFileReplaced() throws Exception {
    Path socket = folder.resolve("grpc.sock");
    for (int run = 0; run < 2; run++) {
      try (LiveFront live = LiveFront.at(folder, socket, /* tls= */ null)) {
        assertThat(reason(live.unix(socket))).isEqualTo("no-policy");
        assertThat(reason(live.channel())).isEqualTo("no-policy");
      }
    }
    assertThat(socket).doesNotExist();
  }

  @Test
  void unixSocket_anotherFileInItsPlace_isLeftAlone() throws Exception {
    Path file = Files.writeString(folder.resolve("precious"), "x");
    assertThatThrownBy(() -> LiveFront.at(folder, file, /* tls= */ null))
        .hasMessageContaining(file.toString());
    assertThat(file).hasContent("x");
  }

  @Test
  void deadline_over_consumesNothing() throws Exception {
    try (LiveFront live = LiveFront.open(folder)) {
      live.put("api/user", "{\"limits\":[\"5/day\"]}");
      Channel channel = live.channel();
      Deadline past = Deadline.after(-1, TimeUnit.SECONDS);
      assertThat(
              refused(
                  () ->
                      PenstockGrpc.newBlockingStub(channel)
                          .withDeadline(past)
                          .check(check("1").build())))
          .isEqualTo(Status.Code.DEADLINE_EXCEEDED);
      assertThat(PenstockGrpc.newBlockingStub(channel).check(check("1").build()).getRemaining())
          .isEqualTo(4);
    }
  }

  @Test
  void messageOrMetadata_tooLarge_isRefusedAndTheServerLives() throws Exception {
    try (LiveFront live = LiveFront.open(folder)) {
      CheckRequest huge = check("x".repeat(Bounds.defaults().bodyBytes())).build();
      assertThat(refused(() -> PenstockGrpc.newBlockingStub(live.channel()).check(huge)))
          .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
      assertThat(refused(() -> reason(live.channel("x-api-key", "k".repeat(20_000)))))
          .isIn(Status.Code.INTERNAL, Status.Code.UNAVAILABLE, Status.Code.RESOURCE_EXHAUSTED);
      assertThat(reason(live.channel())).isEqualTo("no-policy");
    }
  }

  @Test
  void connections_tooMany_areClosedAndTheOthersLive() throws Exception {
    Bounds defaults = Bounds.defaults();
    Bounds three =
        new Bounds(
            defaults.headBytes(),
            defaults.bodyBytes(),
            defaults.descriptors(),
            defaults.entries(),
            defaults.keyLength(),
            defaults.valueLength(),
            defaults.requestIdLength(),
            defaults.checks(),
            /* connections= */ 3,
            defaults.idleSeconds(),
            defaults.pipelined());
    List<Socket> open = new ArrayList<>();
    try (LiveFront live = LiveFront.bounded(folder, three)) {
      Channel channel = live.channel();
      assertThat(reason(channel)).isEqualTo("no-policy");
      for (int i = 0; i < 3; i++) {
        open.add(new Socket(InetAddress.getLoopbackAddress(), live.front.port()));
      }
      open.get(2).setSoTimeout(10_000);
      try (InputStream in = open.get(2).getInputStream()) {
        assertThat(in.read()).isEqualTo(-1);
      }
      assertThat(reason(channel)).isEqualTo("no-policy");
    } finally {
      for (Socket socket : open) {
        socket.close();
      }
    }
  }

  @Test
  void garbage_onTheConnection_endsOnlyThatConnection() throws Exception {
    try (LiveFront live = LiveFront.open(folder);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), live.front.port())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII));
      while (socket.getInputStream().read() >= 0) {}
      assertThat(reason(live.channel())).isEqualTo("no-policy");
    }
  }

  @Test
  void port_afterClose_canBeTakenAgain() throws Exception {
    int port;
    try (LiveFront live = LiveFront.open(folder)) {
      port = live.front.port();
      assertThat(reason(live.channel())).isEqualTo("no-policy");
    }
    try (java.net.ServerSocket again =
        new java.net.ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      assertThat(again.isBound()).isTrue();
    }
  }
}

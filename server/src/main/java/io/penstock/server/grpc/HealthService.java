package io.penstock.server.grpc;

import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc.HealthImplBase;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.penstock.api.v1.PenstockGrpc;
import java.util.HashSet;
import java.util.Set;

/**
 * Tells whether the services can be asked. Thread-safe.
 *
 * <p>grpc-java's own one leaves the streams of those who watch open in the end, so that every
 * connection of theirs would have to be waited for.
 */
final class HealthService extends HealthImplBase {
  /**
   * Which services are known; the empty name stands for all of them, and so does the one by which
   * envoyproxy/ratelimit is asked.
   */
  private static final Set<String> NAMES =
      Set.of("", "ratelimit", RateLimitServiceGrpc.SERVICE_NAME, PenstockGrpc.SERVICE_NAME);

  private final Set<StreamObserver<HealthCheckResponse>> watchers = new HashSet<>();
  private boolean ended;

  @Override
  public synchronized void check(
      HealthCheckRequest request, StreamObserver<HealthCheckResponse> call) {
    if (NAMES.contains(request.getService())) {
      call.onNext(response(ended ? ServingStatus.NOT_SERVING : ServingStatus.SERVING));
      call.onCompleted();
    } else {
      String expected = " (expected: one of " + String.join(", ", NAMES.stream().sorted().toList());
      call.onError(
          Status.NOT_FOUND
              .withDescription("service: " + request.getService() + expected + ")")
              .asRuntimeException());
    }
  }

  /** Says at once how it is, and once more when it ends. */
  @Override
  public synchronized void watch(
      HealthCheckRequest request, StreamObserver<HealthCheckResponse> call) {
    if (ended) {
      end(call);
      return;
    }
    boolean isKnown = NAMES.contains(request.getService());
    ((ServerCallStreamObserver<HealthCheckResponse>) call).setOnCancelHandler(() -> forget(call));
    watchers.add(call);
    call.onNext(response(isKnown ? ServingStatus.SERVING : ServingStatus.SERVICE_UNKNOWN));
  }

  private synchronized void forget(StreamObserver<HealthCheckResponse> call) {
    watchers.remove(call);
  }

  /** Tells everybody who watches that it is over. */
  synchronized void end() {
    ended = true;
    Set<StreamObserver<HealthCheckResponse>> last = Set.copyOf(watchers);
    watchers.clear();
    last.forEach(HealthService::end);
  }

  private static void end(StreamObserver<HealthCheckResponse> call) {
    call.onNext(response(ServingStatus.NOT_SERVING));
    call.onCompleted();
  }

  private static HealthCheckResponse response(ServingStatus status) {
    return HealthCheckResponse.newBuilder().setStatus(status).build();
  }
}

package io.penstock.cli.remote;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitResponse;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One connection of a bench by gRPC: some streams at once, each asking again as soon as it is
 * answered, or when the next request is due. Thread-safe.
 */
final class GrpcConnection {
  private static final int TIMEOUT_SECONDS = 10;

  private final EnvoyLoad load;
  private final int streams;
  private final Pace pace;
  private final AtomicLong left;
  private final AtomicInteger open;
  private final Semaphore idle;
  private final CompletableFuture<Boolean> end = new CompletableFuture<>();

  GrpcConnection(EnvoyLoad load, int streams, long requests, Pace pace) {
    this.load = load;
    this.streams = streams;
    this.pace = pace;
    this.left = new AtomicLong(requests);
    this.open = new AtomicInteger(streams);
    this.idle = new Semaphore(streams);
  }

  boolean run(InetSocketAddress server, Spread spread) throws IOException, InterruptedException {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(server).usePlaintext().directExecutor().build();
    try {
      RateLimitServiceGrpc.RateLimitServiceStub stub = RateLimitServiceGrpc.newStub(channel);
      if (pace.isFree()) {
        for (int i = 0; i < streams; i++) {
          ask(stub, spread);
        }
      } else {
        askWhenDue(stub, spread);
      }
      return end.get();
    } catch (ExecutionException failed) {
      throw new IOException(String.valueOf(failed.getCause()), failed);
    } finally {
      channel.shutdownNow();
    }
  }

  private void askWhenDue(RateLimitServiceGrpc.RateLimitServiceStub stub, Spread spread)
      throws InterruptedException {
    while (left.getAndDecrement() > 0 && !end.isDone()) {
      long due = pace.await(/* requests= */ 1);
      idle.acquire();
      ask(stub, spread, due);
    }
    idle.acquire(streams);
    end.complete(true);
  }

  private void ask(RateLimitServiceGrpc.RateLimitServiceStub stub, Spread spread) {
    if (left.getAndDecrement() > 0) {
      ask(stub, spread, BenchClock.nanos());
    } else if (open.decrementAndGet() == 0) {
      end.complete(true);
    }
  }

  private void ask(RateLimitServiceGrpc.RateLimitServiceStub stub, Spread spread, long startNanos) {
    stub.withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS)
        .shouldRateLimit(
            load.request(),
            new StreamObserver<>() {
              @Override
              public void onNext(RateLimitResponse answer) {
                int denied = answer.getOverallCode() == Code.OVER_LIMIT ? 1 : 0;
                spread.add(BenchClock.nanos() - startNanos, /* requests= */ 1, denied);
              }

              @Override
              public void onError(Throwable cause) {
                end.completeExceptionally(cause);
                idle.release(streams);
              }

              @Override
              public void onCompleted() {
                if (pace.isFree()) {
                  ask(stub, spread);
                } else {
                  idle.release();
                }
              }
            });
  }
}

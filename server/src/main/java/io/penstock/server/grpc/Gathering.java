package io.penstock.server.grpc;

import io.grpc.stub.StreamObserver;
import io.penstock.api.v1.CheckBatchResponse;
import io.penstock.api.v1.CheckResponse;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The answers to a batch, which may come on several threads: the last of them sends all.
 * Thread-safe.
 */
final class Gathering {
  private final StreamObserver<CheckBatchResponse> call;
  private final AtomicReferenceArray<CheckResponse> answers;
  private final AtomicInteger missing;

  Gathering(StreamObserver<CheckBatchResponse> call, int size) {
    this.call = call;
    this.answers = new AtomicReferenceArray<>(size);
    this.missing = new AtomicInteger(size);
  }

  void put(int index, CheckResponse answer) {
    answers.set(index, answer);
    if (missing.decrementAndGet() == 0) {
      CheckBatchResponse.Builder all = CheckBatchResponse.newBuilder();
      for (int i = 0; i < answers.length(); i++) {
        all.addAnswers(answers.get(i));
      }
      call.onNext(all.build());
      call.onCompleted();
    }
  }
}

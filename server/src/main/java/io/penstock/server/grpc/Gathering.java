package io.penstock.server.grpc;

import io.grpc.stub.StreamObserver;
import io.penstock.api.v1.CheckBatchResponse;
import io.penstock.api.v1.CheckResponse;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Asker;
import io.penstock.server.node.RefundRefusedException;
import io.penstock.server.node.UnavailableException;
import java.util.concurrent.atomic.AtomicBoolean;
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
  private final AtomicBoolean ended = new AtomicBoolean();

  Gathering(StreamObserver<CheckBatchResponse> call, int size) {
    this.call = call;
    this.answers = new AtomicReferenceArray<>(size);
    this.missing = new AtomicInteger(size);
  }

  /** Whoever waits for one of the answers. */
  Asker<Answer> asker(int index) {
    return Asker.of(answer -> put(index, CheckReply.of(answer)), cause -> fail(index, cause));
  }

  /** One that is refused does not keep the others from being answered; a mistake does. */
  void fail(int index, RuntimeException cause) {
    if (cause instanceof RefundRefusedException || cause instanceof UnavailableException) {
      put(index, CheckReply.refused(cause));
    } else if (ended.compareAndSet(false, true)) {
      Calls.fail(call, cause);
    }
  }

  private void put(int index, CheckResponse answer) {
    answers.set(index, answer);
    if (missing.decrementAndGet() == 0 && ended.compareAndSet(false, true)) {
      CheckBatchResponse.Builder all = CheckBatchResponse.newBuilder();
      for (int i = 0; i < answers.length(); i++) {
        all.addAnswers(answers.get(i));
      }
      call.onNext(all.build());
      call.onCompleted();
    }
  }
}

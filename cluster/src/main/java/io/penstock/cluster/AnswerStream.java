package io.penstock.cluster;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.stub.StreamObserver;

/**
 * The questions of another node on one stream, and their answers, each when it is known. What is
 * known at once leaves together. Thread-safe.
 */
final class AnswerStream implements StreamObserver<byte[]> {
  private final Calls.Desk desk;
  private final Outbox outbox;
  private final StreamObserver<byte[]> out;
  private final AtomicBoolean over = new AtomicBoolean();

  AnswerStream(Calls.Desk desk, Outbox outbox, StreamObserver<byte[]> out) {
    this.desk = desk;
    this.outbox = outbox;
    this.out = out;
  }

  @Override
  public void onNext(byte[] parcel) {
    outbox.hold();
    try {
      for (Slip question : Parcel.read(parcel)) {
        answer(question);
      }
    } catch (IllegalArgumentException e) {
      refuse(Status.INVALID_ARGUMENT.withDescription(e.getMessage()));
    } finally {
      outbox.release();
    }
  }

  private void answer(Slip question) {
    long number = question.number();
    CompletionStage<byte[]> answer = desk.answer(question.text());
    var unused =
        answer.whenComplete(
            (text, failure) ->
                put(failure == null ? Slip.letter(number, text) : Slip.failure(number, failure)));
  }

  private void put(Slip answer) {
    if (!over.get() && !outbox.put(answer, /* untilNanos= */ Long.MAX_VALUE)) {
      refuse(Status.RESOURCE_EXHAUSTED.withDescription("answers: not read (expected: to be read)"));
    }
  }

  /** Goes no further: the other node asks again on another stream. */
  private void refuse(Status why) {
    if (over.compareAndSet(false, true)) {
      out.onError(why.asRuntimeException());
    }
  }

  /** The other node is gone, and reads no more answers. */
  @Override
  public void onError(Throwable cause) {
    over.set(true);
  }

  @Override
  public void onCompleted() {
    if (over.compareAndSet(false, true)) {
      out.onCompleted();
    }
  }
}

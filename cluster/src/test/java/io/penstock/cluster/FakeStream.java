package io.penstock.cluster;

import java.util.ArrayList;
import java.util.List;
import org.apache.ratis.thirdparty.io.grpc.stub.ClientCallStreamObserver;
import org.jspecify.annotations.Nullable;

/** A stream that leads nowhere and notes what is sent. Confined to the thread of a test. */
final class FakeStream extends ClientCallStreamObserver<byte[]> {
  final List<List<Slip>> sent = new ArrayList<>();
  boolean ready = true;
  boolean cancelled;
  private Runnable onReady = () -> {};

  /** Takes more than before, and says so. */
  void becomeReady() {
    ready = true;
    onReady.run();
  }

  /** The numbers in each parcel. */
  List<List<Long>> numbers() {
    return sent.stream().map(each -> each.stream().map(Slip::number).toList()).toList();
  }

  @Override
  public void onNext(byte[] parcel) {
    if (cancelled) {
      throw new IllegalStateException("call was cancelled");
    }
    sent.add(Parcel.read(parcel));
  }

  @Override
  public boolean isReady() {
    return ready;
  }

  @Override
  public void setOnReadyHandler(Runnable handler) {
    onReady = handler;
  }

  @Override
  public void cancel(@Nullable String message, @Nullable Throwable cause) {
    cancelled = true;
  }

  @Override
  public void onError(Throwable cause) {
    cancelled = true;
  }

  @Override
  public void onCompleted() {}

  @Override
  public void disableAutoInboundFlowControl() {}

  @Override
  public void request(int count) {}

  @Override
  public void setMessageCompression(boolean enable) {}
}

package io.penstock.server.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.grpc.BindableService;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;

/** A service that repeats, keeps silent, or never stops; it knows how many calls are open. */
final class Parrot implements BindableService {
  static final int STORM = 100_000;
  static final Metadata.Key<byte[]> BYTES =
      Metadata.Key.of("x-bytes-bin", Metadata.BINARY_BYTE_MARSHALLER);

  private static final MethodDescriptor.Marshaller<String> WORDS =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(String message) {
          return new ByteArrayInputStream(message.getBytes(UTF_8));
        }

        @Override
        public String parse(InputStream message) {
          try {
            return new String(message.readAllBytes(), UTF_8);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };

  final AtomicInteger open = new AtomicInteger();
  final AtomicInteger produced = new AtomicInteger();

  @Override
  public ServerServiceDefinition bindService() {
    return ServerServiceDefinition.builder("test.Parrot")
        .addMethod(method("Echo"), counted(this::echo))
        .addMethod(method("Silence"), counted((call, headers) -> new Listener(call)))
        .addMethod(method("Storm"), counted(this::storm))
        .build();
  }

  static MethodDescriptor<String, String> method(String name) {
    return MethodDescriptor.newBuilder(WORDS, WORDS)
        .setType(MethodType.BIDI_STREAMING)
        .setFullMethodName("test.Parrot/" + name)
        .build();
  }

  /** A service that takes nothing and says nothing, and knows whether anybody still waits. */
  private class Listener extends ServerCall.Listener<String> {
    final ServerCall<String, String> call;

    Listener(ServerCall<String, String> call) {
      this.call = call;
    }

    @Override
    public void onCancel() {
      open.decrementAndGet();
    }

    @Override
    public void onComplete() {
      open.decrementAndGet();
    }
  }

  private ServerCallHandler<String, String> counted(ServerCallHandler<String, String> handler) {
    return (call, headers) -> {
      open.incrementAndGet();
      return handler.startCall(call, headers);
    };
  }

  /** Gives back metadata and messages; ends in failure if the last word is "fail". */
  private Listener echo(ServerCall<String, String> call, Metadata headers) {
    call.request(1);
    call.sendHeaders(headers);
    return new Listener(call) {
      private String last = "";

      @Override
      public void onMessage(String message) {
        last = message;
        call.sendMessage(message);
        call.request(1);
      }

      @Override
      public void onHalfClose() {
        Metadata trailers = new Metadata();
        trailers.put(BYTES, new byte[] {-1, 0, 1});
        boolean fails = last.equals("fail");
        call.close(
            fails ? Status.DATA_LOSS.withDescription("100 %\nverloren: Äpfel") : Status.OK,
            trailers);
      }
    };
  }

  /** Says more than anybody can take, as fast as it is taken. */
  private Listener storm(ServerCall<String, String> call, Metadata headers) {
    call.sendHeaders(new Metadata());
    return new Listener(call) {
      @Override
      public void onReady() {
        while (call.isReady() && produced.get() < STORM) {
          produced.incrementAndGet();
          call.sendMessage("x".repeat(1_000));
        }
      }
    };
  }
}

package io.penstock.server.grpc;

import io.grpc.Metadata;
import io.grpc.Status;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.AbstractHttp2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Exception.HeaderListSizeException;
import io.netty.handler.codec.http2.Http2Exception.StreamException;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.codec.http2.UniformStreamByteDistributor;
import io.penstock.server.Bounds;

/**
 * The library's handler of HTTP/2 within our bounds, but for one thing: a call with too much
 * metadata is refused in the words of gRPC, since its clients do not understand those of HTTP.
 * Confined to the event loop of its connection.
 */
@SuppressWarnings("FutureReturnValueIgnored") // A write that fails ends the connection.
final class CallHandler extends Http2ConnectionHandler {
  /** Envoy resets a call that is late; a client that does nothing else is cut off. */
  private static final int RESETS = 20_000;

  private static final int RESETS_SECONDS = 10;
  private static final int EMPTY_FRAMES = 2;

  private final Status tooLarge;

  private CallHandler(
      Http2ConnectionDecoder decoder,
      Http2ConnectionEncoder encoder,
      Http2Settings settings,
      Bounds bounds) {
    super(decoder, encoder, settings);
    this.tooLarge =
        Status.RESOURCE_EXHAUSTED.withDescription(
            "metadata: too large (expected: at most " + bounds.headBytes() + " bytes)");
  }

  /**
   * Makes the handler of a new connection.
   *
   * @param patienceMillis how long calls under way may take in the end
   */
  static CallHandler of(Bounds bounds, long patienceMillis) {
    return new Building(bounds).within(patienceMillis);
  }

  /** Whoever still sends is told to stop; an error would make some forget what they were told. */
  @Override
  protected void onStreamError(
      ChannelHandlerContext context, boolean outbound, Throwable cause, StreamException error) {
    boolean isTooLarge = error instanceof HeaderListSizeException header && header.duringDecode();
    StreamException told =
        isTooLarge
            ? (StreamException)
                Http2Exception.headerListSizeError(
                    error.streamId(), Http2Error.NO_ERROR, /* onDecode= */ true, "metadata")
            : error;
    super.onStreamError(context, outbound, cause, told);
  }

  @Override
  protected void handleServerHeaderDecodeSizeError(ChannelHandlerContext context, Http2Stream of) {
    encoder()
        .writeHeaders(
            context,
            of.id(),
            Fields.end(Fields.begin(new Metadata()), tooLarge, new Metadata()),
            /* padding= */ 0,
            /* endStream= */ true,
            context.newPromise());
  }

  private static final class Building
      extends AbstractHttp2ConnectionHandlerBuilder<CallHandler, Building> {
    private final Bounds bounds;

    Building(Bounds bounds) {
      this.bounds = bounds;
    }

    CallHandler within(long patienceMillis) {
      Http2Connection streams = new DefaultHttp2Connection(/* server= */ true);
      streams
          .remote()
          .flowController(
              new DefaultHttp2RemoteFlowController(
                  streams, new UniformStreamByteDistributor(streams)));
      Http2Settings settings =
          Http2Settings.defaultSettings()
              .maxConcurrentStreams(bounds.pipelined())
              .maxHeaderListSize(bounds.headBytes())
              .initialWindowSize(Messages.WINDOW);
      return connection(streams)
          .initialSettings(settings)
          .validateRequiredPseudoHeaders(true)
          .frameListener(new Http2FrameAdapter()) // until there is a Connection
          .gracefulShutdownTimeoutMillis(patienceMillis)
          .decoderEnforceMaxRstFramesPerWindow(RESETS, RESETS_SECONDS)
          .encoderEnforceMaxRstFramesPerWindow(RESETS, RESETS_SECONDS)
          .decoderEnforceMaxConsecutiveEmptyDataFrames(EMPTY_FRAMES)
          .build();
    }

    @Override
    protected CallHandler build(
        Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings settings) {
      return new CallHandler(decoder, encoder, settings, bounds);
    }
  }
}

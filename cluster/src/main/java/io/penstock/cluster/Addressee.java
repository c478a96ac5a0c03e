package io.penstock.cluster;

import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Refuses what Raft means for another member at the same address: the one that this node was before
 * it lost its disk. Raft itself does not look, and a leader would take the answer of the new one
 * for that of the old, which has promised what the new one does not know (R24). Thread-safe.
 */
final class Addressee implements ServerInterceptor {
  private final ByteString self;

  /**
   * The member that is here.
   *
   * @param self by what Raft knows it
   */
  Addressee(String self) {
    this.self = ByteString.copyFromUtf8(self);
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    ServerCall.Listener<Q> listener = next.startCall(call, headers);
    return new ForwardingServerCallListener.SimpleForwardingServerCallListener<>(listener) {
      private boolean refused;

      @Override
      public void onMessage(Q message) {
        RaftRpcRequestProto request = request(message);
        if (!refused && request != null && !request.getReplyId().equals(self)) {
          refused = true;
          String meant = request.getReplyId().toStringUtf8();
          call.close(
              Status.UNAVAILABLE.withDescription("node: " + meant + " (expected: the one here)"),
              new Metadata());
        }
        if (!refused) {
          super.onMessage(message);
        }
      }

      @Override
      public void onHalfClose() {
        if (!refused) {
          super.onHalfClose();
        }
      }
    };
  }

  /** What members of a group say to each other names whom it is for; null if it is none of that. */
  private static @Nullable RaftRpcRequestProto request(Object message) {
    if (message instanceof AppendEntriesRequestProto append) {
      return append.getServerRequest();
    } else if (message instanceof RequestVoteRequestProto vote) {
      return vote.getServerRequest();
    } else if (message instanceof InstallSnapshotRequestProto install) {
      return install.getServerRequest();
    } else if (message instanceof ReadIndexRequestProto read) {
      return read.getServerRequest();
    } else if (message instanceof StartLeaderElectionRequestProto start) {
      return start.getServerRequest();
    }
    return null;
  }
}

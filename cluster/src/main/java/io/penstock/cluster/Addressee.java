package io.penstock.cluster;

import java.util.function.BooleanSupplier;
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
 * for that of the old, which has promised what the new one does not know (R24).
 *
 * <p>It also refuses what this node could not keep: a group whose log cannot be written would not
 * look when the same entries come a second time, and say that it has them (R10). Thread-safe.
 */
final class Addressee implements ServerInterceptor {
  private final ByteString self;
  private final BooleanSupplier isDiskAway;

  /**
   * The member that is here.
   *
   * @param self by what Raft knows it
   * @param isDiskAway whether logs cannot be written here
   */
  Addressee(String self, BooleanSupplier isDiskAway) {
    this.self = ByteString.copyFromUtf8(self);
    this.isDiskAway = isDiskAway;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    ServerCall.Listener<Q> listener = next.startCall(call, headers);
    return new ForwardingServerCallListener.SimpleForwardingServerCallListener<>(listener) {
      private boolean refused;

      @Override
      public void onMessage(Q message) {
        String refusal = refused ? null : refusal(message);
        if (refusal != null) {
          refused = true;
          call.close(Status.UNAVAILABLE.withDescription(refusal), new Metadata());
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

  /** Why a message does not arrive; null if it does. */
  private @Nullable String refusal(Object message) {
    RaftRpcRequestProto request = request(message);
    if (request == null) {
      return null;
    }
    if (!request.getReplyId().equals(self)) {
      return "node: " + request.getReplyId().toStringUtf8() + " (expected: the one here)";
    }
    return isKept(message) && isDiskAway.getAsBoolean()
        ? "disk: cannot be written (expected: room)"
        : null;
  }

  /** Whether a message wants something to be kept here, or this node to lead. */
  private static boolean isKept(Object message) {
    return message instanceof AppendEntriesRequestProto append
        ? append.getEntriesCount() > 0
        : message instanceof InstallSnapshotRequestProto
            || message instanceof StartLeaderElectionRequestProto;
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

package io.penstock.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.junit.jupiter.api.Test;

/** What a node does not answer for: what it was before (R24), and what it cannot keep (R10). */
class AddresseeTest {
  private final List<Object> heard = new ArrayList<>();
  private final List<Status> closed = new ArrayList<>();
  private boolean isDiskAway;
  private final ServerCall.Listener<Object> listener =
      new Addressee("n2.new", () -> isDiskAway)
          .interceptCall(
              new Call(),
              new Metadata(),
              (call, headers) ->
                  new ServerCall.Listener<>() {
                    @Override
                    public void onMessage(Object message) {
                      heard.add(message);
                    }
                  });

  private final class Call extends ServerCall<Object, Object> {
    @Override
    public void request(int messages) {}

    @Override
    public void sendHeaders(Metadata headers) {}

    @Override
    public void sendMessage(Object message) {}

    @Override
    public void close(Status status, Metadata trailers) {
      closed.add(status);
    }

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    public MethodDescriptor<Object, Object> getMethodDescriptor() {
      throw new UnsupportedOperationException();
    }
  }

  private static RaftRpcRequestProto to(String member) {
    return RaftRpcRequestProto.newBuilder().setReplyId(ByteString.copyFromUtf8(member)).build();
  }

  private static AppendEntriesRequestProto append(String member) {
    return AppendEntriesRequestProto.newBuilder().setServerRequest(to(member)).build();
  }

  @Test
  void r24_entriesForTheMemberBefore_areRefusedWithAllThatFollows() {
    listener.onMessage(append("n2.old"));
    listener.onMessage(append("n2.new"));
    assertThat(heard).isEmpty();
    assertThat(closed)
        .singleElement()
        .extracting(Status::getCode)
        .isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void r24_voteForTheMemberBefore_isRefused() {
    listener.onMessage(RequestVoteRequestProto.newBuilder().setServerRequest(to("n2.old")).build());
    assertThat(heard).isEmpty();
    assertThat(closed).hasSize(1);
  }

  @Test
  void r10_diskAway_entriesAreRefusedAndHeartbeatsArrive() {
    AppendEntriesRequestProto entry =
        append("n2.new").toBuilder().addEntries(LogEntryProto.getDefaultInstance()).build();
    listener.onMessage(entry);
    isDiskAway = true;
    listener.onMessage(append("n2.new"));
    assertThat(heard).hasSize(2);
    listener.onMessage(entry);
    assertThat(heard).hasSize(2);
    assertThat(closed).hasSize(1);
  }

  @Test
  void r10_diskAway_callToLeadIsRefused() {
    isDiskAway = true;
    listener.onMessage(
        StartLeaderElectionRequestProto.newBuilder().setServerRequest(to("n2.new")).build());
    assertThat(heard).isEmpty();
    assertThat(closed).hasSize(1);
  }

  @Test
  void messages_forThisMemberOrNotOfRaft_arrive() {
    listener.onMessage(append("n2.new"));
    listener.onMessage("a question");
    assertThat(heard).hasSize(2);
    assertThat(closed).isEmpty();
  }
}

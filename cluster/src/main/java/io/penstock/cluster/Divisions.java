package io.penstock.cluster;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorageMetadata;

/** What Raft holds of each group on this node: made, opened and closed. Thread-safe. */
final class Divisions {
  private static final RaftPeerId NOBODY = RaftPeerId.valueOf("nobody");

  private final ClientId client = ClientId.randomId();
  private final AtomicLong calls = new AtomicLong();

  static boolean isThere(RaftServer raft, RaftGroupId id) {
    for (RaftGroupId there : raft.getGroupIds()) {
      if (there.equals(id)) {
        return true;
      }
    }
    return false;
  }

  void add(RaftServer raft, RaftGroup group, boolean isNew) throws IOException {
    raft.groupManagement(
        GroupManagementRequest.newAdd(
            client, raft.getId(), calls.incrementAndGet(), group, /* format= */ isNew));
  }

  void remove(RaftServer raft, RaftGroupId id, boolean isForGood) throws IOException {
    raft.groupManagement(
        GroupManagementRequest.newRemove(
            client,
            raft.getId(),
            calls.incrementAndGet(),
            id,
            /* deleteDirectory= */ false,
            /* renameDirectory= */ isForGood));
  }

  /*
   * A disk without room leaves the file of term and vote empty: Raft puts in its place what it
   * could not write. Which vote was given is not known for sure, so none is given in this term.
   */
  static void forgoVote(RaftServer.Division closed) throws IOException {
    long term = closed.getInfo().getCurrentTerm();
    closed.getRaftStorage().getMetadataFile().persist(RaftStorageMetadata.valueOf(term, NOBODY));
  }
}

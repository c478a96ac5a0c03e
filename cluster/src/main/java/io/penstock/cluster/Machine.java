package io.penstock.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.apache.ratis.io.MD5Hash;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.LifeCycle;
import org.apache.ratis.util.MD5FileUtil;
import org.jspecify.annotations.Nullable;

/** Lets Raft drive something replicated. Thread-safe. */
final class Machine extends BaseStateMachine {
  private static final System.Logger LOG = System.getLogger(Machine.class.getName());
  private static final byte[] NOTHING = {};

  private final Replicated replicated;
  private final Runnable leaderChanged;
  private final Runnable membersChanged;
  private final BiConsumer<RaftGroupId, Throwable> logFailed;
  private final Executor background;
  private final SimpleStateMachineStorage storage = new SimpleStateMachineStorage();
  private volatile long configurationTerm;
  private volatile long liveAfter = Long.MAX_VALUE;
  private volatile @Nullable SingleFileSnapshotInfo saved;
  private volatile boolean saving;

  /**
   * For one life of a group.
   *
   * @param logFailed told when this node cannot store what the log says; must not block
   */
  Machine(
      Replicated replicated,
      Runnable leaderChanged,
      Runnable membersChanged,
      BiConsumer<RaftGroupId, Throwable> logFailed,
      Executor background) {
    this.replicated = replicated;
    this.leaderChanged = leaderChanged;
    this.membersChanged = membersChanged;
    this.logFailed = logFailed;
    this.background = background;
  }

  @Override
  public void initialize(RaftServer server, RaftGroupId groupId, RaftStorage raftStorage)
      throws IOException {
    super.initialize(server, groupId, raftStorage);
    getLifeCycle()
        .startAndTransition(
            () -> {
              storage.init(raftStorage);
              load();
            });
  }

  private void load() throws IOException {
    SingleFileSnapshotInfo snapshot = storage.loadLatestSnapshot();
    if (snapshot == null) {
      replicated.clear();
    } else {
      replicated.read(snapshot.getFile().getPath());
      setLastAppliedTermIndex(snapshot.getTermIndex());
    }
    saved = snapshot;
  }

  @Override
  public void pause() {
    getLifeCycle().transition(LifeCycle.State.PAUSING);
    getLifeCycle().transition(LifeCycle.State.PAUSED);
    replicated.follows();
  }

  @Override
  public void reinitialize() throws IOException {
    getLifeCycle().transition(LifeCycle.State.STARTING);
    load();
    getLifeCycle().transition(LifeCycle.State.RUNNING);
  }

  @Override
  public StateMachineStorage getStateMachineStorage() {
    return storage;
  }

  /** From now on entries behind an index come from a leader that is alive, not from the disk. */
  void liveAfter(long index) {
    liveAfter = index;
  }

  @Override
  public TransactionContext startTransaction(LogEntryProto entry, RaftPeerRole role) {
    if (role == RaftPeerRole.FOLLOWER
        && entry.hasStateMachineLogEntry()
        && !data(entry).isEmpty()
        && entry.getIndex() > liveAfter) {
      replicated.received(data(entry).asReadOnlyByteBuffer());
    }
    return super.startTransaction(entry, role);
  }

  private static ByteString data(LogEntryProto entry) {
    return entry.getStateMachineLogEntry().getLogData();
  }

  @Override
  public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
    LogEntryProto entry = Objects.requireNonNull(transaction.getLogEntry());
    try {
      byte[] answer = data(entry).isEmpty() ? NOTHING : applied(entry);
      updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
      return CompletableFuture.completedFuture(Message.valueOf(ByteString.copyFrom(answer)));
    } catch (IOException e) {
      logFailed.accept(getGroupId(), e);
      throw new IllegalStateException("entry " + entry.getIndex() + ": not applied", e);
    }
  }

  private byte[] applied(LogEntryProto entry) throws IOException {
    return replicated.apply(entry.getTerm(), entry.getIndex(), data(entry).asReadOnlyByteBuffer());
  }

  @Override
  public void notifyConfigurationChanged(
      long term, long index, RaftConfigurationProto configuration) {
    configurationTerm = term;
    membersChanged.run();
  }

  @Override
  public void notifyLeaderReady() {
    replicated.leads(configurationTerm);
    leaderChanged.run();
  }

  @Override
  public void notifyNotLeader(Collection<TransactionContext> pending) {
    replicated.follows();
    leaderChanged.run();
  }

  @Override
  public void notifyLeaderChanged(RaftGroupMemberId member, RaftPeerId leader) {
    leaderChanged.run();
  }

  @Override
  public void notifyLogFailed(Throwable cause, LogEntryProto failedEntry) {
    logFailed.accept(getGroupId(), cause);
  }

  @Override
  public CompletableFuture<Message> query(Message request) {
    return CompletableFuture.completedFuture(Message.EMPTY);
  }

  /** Begins to save, and says up to where that was done before (R8). */
  @Override
  public long takeSnapshot() {
    TermIndex applied = getLastAppliedTermIndex();
    if (!saving && applied.getIndex() > savedIndex()) {
      Replicated.Saving what = replicated.saving(applied.getIndex());
      if (what != null) {
        saving = true;
        background.execute(() -> save(what, applied));
      }
    }
    return savedIndex();
  }

  private long savedIndex() {
    SingleFileSnapshotInfo latest = saved;
    return latest == null ? RaftLog.INVALID_LOG_INDEX : latest.getIndex();
  }

  /* Asked before every message to a follower: the storage, as long as it has none, would look on
   * the disk for one each time. */
  @Override
  public @Nullable SnapshotInfo getLatestSnapshot() {
    return saved == null ? null : storage.getLatestSnapshot();
  }

  private void save(Replicated.Saving what, TermIndex at) {
    File file = storage.getSnapshotFile(at.getTerm(), at.getIndex());
    Path draft = file.toPath().resolveSibling(file.getName() + ".draft");
    try {
      what.write(draft);
      MD5Hash md5 = MD5FileUtil.computeMd5ForFile(draft.toFile());
      Files.move(draft, file.toPath(), StandardCopyOption.ATOMIC_MOVE);
      MD5FileUtil.saveMD5File(file, md5);
      FileInfo info = new FileInfo(file.toPath(), md5);
      saved =
          storage.updateLatestSnapshot(
              new SingleFileSnapshotInfo(info, at.getTerm(), at.getIndex()));
    } catch (IOException | RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, file + ": not saved; tried again later", e);
      forget(draft);
    } finally {
      saving = false;
    }
  }

  /** Half a draft only takes the room that the next one needs. */
  private static void forget(Path draft) {
    try {
      Files.deleteIfExists(draft);
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, draft + ": not deleted", e);
    }
  }

  @Override
  public void close() throws IOException {
    replicated.follows();
    super.close();
  }
}

package io.penstock.cluster;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.rpc.SupportedRpcType;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.jspecify.annotations.Nullable;

/** How Raft is set up. */
final class Tuning {
  /*
   * A leader that is silent is replaced after 300 to 600 ms; shorter times gain nothing on a busy
   * machine. A pause longer than the close threshold would end the server: a suspended machine must
   * come back. The appender's limit is above any entry of ours, whose breach would cost the leader
   * its place (R6); the write buffer must be larger than it. An entry about each commit would
   * double what an entry costs: who needs a commit to be known soon sends an empty one. A follower
   * that refuses entries must hear heartbeats all the same, which wait where they are tried again.
   */
  private static final Map<String, String> SETTINGS =
      Map.ofEntries(
          Map.entry("raft.server.rpc.timeout.min", "300ms"),
          Map.entry("raft.server.rpc.timeout.max", "600ms"),
          Map.entry("raft.server.rpc.first-election.timeout.min", "150ms"),
          Map.entry("raft.server.rpc.first-election.timeout.max", "300ms"),
          Map.entry("raft.server.rpc.request.timeout", "1s"),
          Map.entry("raft.server.rpc.slowness.timeout", "10s"),
          Map.entry("raft.server.leaderelection.leader.step-down.wait-time", "1s"),
          Map.entry("raft.server.close.threshold", "1d"),
          Map.entry("raft.server.log.use.memory", "false"),
          Map.entry("raft.server.log.unsafe-flush.enabled", "false"),
          Map.entry("raft.server.log.log-metadata.enabled", "false"),
          Map.entry("raft.server.log.segment.size.max", "8MB"),
          Map.entry("raft.server.log.preallocated.size", "64KB"),
          Map.entry("raft.server.log.write.buffer.size", "1MB"),
          Map.entry("raft.server.log.appender.buffer.byte-limit", "512KB"),
          Map.entry("raft.server.log.appender.wait-time.min", "0ms"),
          Map.entry("raft.server.log.appender.retry.policy", "1ms,10, 100ms,1000000"),
          Map.entry("raft.grpc.server.leader.outstanding.appends.max", "32"),
          Map.entry("raft.server.log.segment.cache.num.max", "2"),
          Map.entry("raft.server.log.segment.cache.size.max", "16MB"),
          Map.entry("raft.server.log.purge.upto.snapshot.index", "true"),
          Map.entry("raft.server.log.purge.gap", "1024"),
          Map.entry("raft.server.snapshot.auto.trigger.enabled", "true"),
          Map.entry("raft.server.snapshot.auto.trigger.threshold", "20000"),
          Map.entry("raft.server.snapshot.trigger-when-stop.enabled", "false"),
          Map.entry("raft.server.snapshot.retention.file.num", "2"),
          Map.entry("raft.server.retrycache.expirytime", "2s"),
          Map.entry("raft.server.read.option", "LINEARIZABLE"),
          Map.entry("raft.server.read.leader.lease.enabled", "false"));

  private Tuning() {}

  static RaftProperties of(Path folder, Peer self) {
    RaftProperties properties = new RaftProperties();
    SETTINGS.forEach(properties::set);
    RaftConfigKeys.Rpc.setType(properties, SupportedRpcType.GRPC);
    File raft = folder.resolve("raft").toFile();
    RaftServerConfigKeys.setStorageDir(properties, List.of(raft));
    RaftServerConfigKeys.setRemovedGroupsDir(properties, folder.resolve("removed").toFile());
    GrpcConfigKeys.Server.setHost(properties, self.host());
    GrpcConfigKeys.Server.setPort(properties, self.port());
    return properties;
  }

  /** What is offered on Raft's port beside Raft, and how nodes know each other there. */
  static Parameters parameters(UnaryOperator<NettyServerBuilder> offer, @Nullable PeerTls tls) {
    Parameters parameters = new Parameters();
    GrpcConfigKeys.Server.setServicesCustomizer(
        parameters, (builder, types) -> offer.apply(builder));
    if (tls != null) {
      GrpcConfigKeys.TLS.setConf(parameters, tls.forRaft());
    }
    return parameters;
  }
}

package io.penstock.server.grpc;

import io.grpc.stub.StreamObserver;
import io.penstock.api.v1.ResolveShardRequest;
import io.penstock.api.v1.ResolveShardResponse;
import io.penstock.core.policy.Descriptor;
import io.penstock.server.cluster.Standing;
import io.penstock.server.cluster.Topology;
import io.penstock.server.node.PolicyDesk;
import io.penstock.server.policy.Problem;
import io.penstock.server.security.Role;
import java.util.List;

/** The calls about shards. Thread-safe. */
final class ShardCalls {
  private final Topology topology;
  private final PolicyDesk policies;
  private final CheckQuestion question;

  ShardCalls(Topology topology, PolicyDesk policies, CheckQuestion question) {
    this.topology = topology;
    this.policies = policies;
    this.question = question;
  }

  void resolve(ResolveShardRequest request, StreamObserver<ResolveShardResponse> call) {
    Calls.run(
        call,
        () -> {
          String domain = question.reader().domain(request.getDomain());
          Descriptor descriptor = descriptor(request);
          question.callers().require(Role.READ, domain);
          int shard = policies.shard(domain, descriptor);
          call.onNext(response(shard, topology.shard(shard)));
          call.onCompleted();
        });
  }

  /** The one descriptor; what is wrong with it is not told as that of a list. */
  private Descriptor descriptor(ResolveShardRequest request) {
    var told =
        io.penstock.api.v1.Descriptor.newBuilder().addAllEntries(request.getEntriesList()).build();
    try {
      return question.reader().own(List.of(told)).get(0);
    } catch (FieldException e) {
      Problem problem = e.problem();
      String field = problem.field().replace("descriptors[0].entries", "entries");
      throw DescriptorReader.bad(field, problem.value(), problem.expected());
    }
  }

  private static ResolveShardResponse response(int shard, Standing group) {
    ResolveShardResponse.Builder response =
        ResolveShardResponse.newBuilder().setShard(shard).setEpoch(group.term());
    String owner = group.leader();
    if (owner != null) {
      response.setOwner(owner);
    }
    return response.build();
  }
}

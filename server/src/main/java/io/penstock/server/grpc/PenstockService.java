package io.penstock.server.grpc;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.penstock.api.v1.AcquireRequest;
import io.penstock.api.v1.AcquireResponse;
import io.penstock.api.v1.BlockRequest;
import io.penstock.api.v1.CancelRequest;
import io.penstock.api.v1.CancelResponse;
import io.penstock.api.v1.CheckBatchRequest;
import io.penstock.api.v1.CheckBatchResponse;
import io.penstock.api.v1.CheckRequest;
import io.penstock.api.v1.CheckResponse;
import io.penstock.api.v1.CommitRequest;
import io.penstock.api.v1.CommitResponse;
import io.penstock.api.v1.DeletePolicyRequest;
import io.penstock.api.v1.DeletePolicyResponse;
import io.penstock.api.v1.GetPolicyRequest;
import io.penstock.api.v1.KeysResponse;
import io.penstock.api.v1.ListPoliciesRequest;
import io.penstock.api.v1.ListPoliciesResponse;
import io.penstock.api.v1.OverrideRequest;
import io.penstock.api.v1.PenstockGrpc.PenstockImplBase;
import io.penstock.api.v1.Policy;
import io.penstock.api.v1.PutPolicyRequest;
import io.penstock.api.v1.PutPolicyResponse;
import io.penstock.api.v1.ReleaseRequest;
import io.penstock.api.v1.ReleaseResponse;
import io.penstock.api.v1.RenewRequest;
import io.penstock.api.v1.RenewResponse;
import io.penstock.api.v1.ReserveRequest;
import io.penstock.api.v1.ReserveResponse;
import io.penstock.api.v1.ResetRequest;
import io.penstock.api.v1.ResolveShardRequest;
import io.penstock.api.v1.ResolveShardResponse;
import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Asker;
import io.penstock.server.node.Durability;
import io.penstock.server.node.Gathering;
import io.penstock.server.node.Held;
import io.penstock.server.node.Node;
import io.penstock.server.node.Settled;
import io.penstock.server.ops.Decisions;
import io.penstock.server.security.Role;
import java.util.List;

/** The own API. Thread-safe. */
final class PenstockService extends PenstockImplBase {
  private static final long HOLD_MILLIS_DEFAULT = 60_000;

  private final Node node;
  private final Decisions decisions;
  private final Callers callers;
  private final Origins origins;
  private final DescriptorReader reader;
  private final CheckQuestion question;
  private final PolicyCalls policies;
  private final ShardCalls shards;

  PenstockService(
      Node node,
      Decisions decisions,
      CheckQuestion question,
      PolicyCalls policies,
      ShardCalls shards) {
    this.node = node;
    this.decisions = decisions;
    this.origins = question.origins();
    this.question = question;
    this.callers = question.callers();
    this.reader = question.reader();
    this.policies = policies;
    this.shards = shards;
  }

  @Override
  public void check(CheckRequest request, StreamObserver<CheckResponse> call) {
    Asker<Answer> done =
        Calls.answering(call, request.getEnforce() ? CheckReply::enforced : CheckReply::of);
    Calls.run(call, () -> check(question.read(request), done));
  }

  private void check(io.penstock.server.node.CheckRequest check, Asker<Answer> done) {
    node.check(check, decisions.watch(check, origins.current(), done));
  }

  @Override
  public void checkBatch(CheckBatchRequest request, StreamObserver<CheckBatchResponse> call) {
    Calls.run(
        call,
        () -> {
          var checks = question.readAll(request.getChecksList());
          Asker<List<CheckResponse>> done =
              Calls.answering(
                  call, all -> CheckBatchResponse.newBuilder().addAllAnswers(all).build());
          new Gathering<>(checks, CheckReply::of, CheckReply::refused, done).ask(this::check);
        });
  }

  @Override
  public void reserve(ReserveRequest request, StreamObserver<ReserveResponse> call) {
    Asker<Held> done =
        Calls.answering(
            call,
            held ->
                ReserveResponse.newBuilder()
                    .setAnswer(CheckReply.of(held.answer()))
                    .setReservationId(id(held))
                    .build());
    Calls.run(
        call,
        () -> {
          var check = question.readTaking(request.getCheck(), /* costMin= */ 0);
          node.reserve(
              check,
              holdMillis(request.getTtlMs()),
              decisions.watchReserve(check, origins.current(), done));
        });
  }

  @Override
  public void commit(CommitRequest request, StreamObserver<CommitResponse> call) {
    String id = request.getReservationId();
    Asker<Settled> done = settled(call, id, CommitResponse.getDefaultInstance());
    Calls.run(call, () -> node.commit(held(id), request.getCost(), done));
  }

  @Override
  public void cancel(CancelRequest request, StreamObserver<CancelResponse> call) {
    String id = request.getReservationId();
    Asker<Settled> done = settled(call, id, CancelResponse.getDefaultInstance());
    Calls.run(call, () -> node.cancel(held(id), done));
  }

  @Override
  public void acquire(AcquireRequest request, StreamObserver<AcquireResponse> call) {
    Asker<Held> done =
        Calls.answering(
            call,
            held ->
                AcquireResponse.newBuilder()
                    .setAnswer(CheckReply.of(held.answer()))
                    .setLeaseId(id(held))
                    .build());
    Calls.run(
        call,
        () -> {
          var check = question.readTaking(request.getCheck(), /* costMin= */ 1);
          node.acquire(
              check, request.getLeaseMs(), decisions.watchAcquire(check, origins.current(), done));
        });
  }

  @Override
  public void renew(RenewRequest request, StreamObserver<RenewResponse> call) {
    String id = request.getLeaseId();
    Asker<Settled> done = settled(call, id, RenewResponse.getDefaultInstance());
    Calls.run(call, () -> node.renew(held(id), done));
  }

  @Override
  public void release(ReleaseRequest request, StreamObserver<ReleaseResponse> call) {
    String id = request.getLeaseId();
    Asker<Settled> done = settled(call, id, ReleaseResponse.getDefaultInstance());
    Calls.run(call, () -> node.release(held(id), done));
  }

  @Override
  public void getPolicy(GetPolicyRequest request, StreamObserver<Policy> call) {
    policies.get(request, call);
  }

  @Override
  public void putPolicy(PutPolicyRequest request, StreamObserver<PutPolicyResponse> call) {
    policies.put(request, call);
  }

  @Override
  public void deletePolicy(DeletePolicyRequest request, StreamObserver<DeletePolicyResponse> call) {
    policies.delete(request, call);
  }

  @Override
  public void listPolicies(ListPoliciesRequest request, StreamObserver<ListPoliciesResponse> call) {
    policies.list(request, call);
  }

  @Override
  public void reset(ResetRequest request, StreamObserver<KeysResponse> call) {
    Calls.run(
        call,
        () -> {
          OrderReader order = new OrderReader(reader);
          String domain = order.domain(request.getDomain());
          List<Descriptor> descriptors = order.descriptors(request.getDescriptorsList());
          order.end();
          callers.require(Role.ADMIN, domain);
          node.reset(domain, descriptors, changed(call));
        });
  }

  @Override
  public void block(BlockRequest request, StreamObserver<KeysResponse> call) {
    Calls.run(
        call,
        () -> {
          OrderReader order = new OrderReader(reader);
          String domain = order.domain(request.getDomain());
          List<Descriptor> descriptors = order.descriptors(request.getDescriptorsList());
          long until = order.untilMillis(request.hasUntil(), request.getUntil());
          order.end();
          callers.require(Role.ADMIN, domain);
          node.block(domain, descriptors, until, changed(call));
        });
  }

  @Override
  public void override(OverrideRequest request, StreamObserver<KeysResponse> call) {
    Calls.run(
        call,
        () -> {
          OrderReader order = new OrderReader(reader);
          String domain = order.domain(request.getDomain());
          List<Descriptor> descriptors = order.descriptors(request.getDescriptorsList());
          List<Limit> limits = order.limits(request.getLimitsList());
          long until = order.untilMillis(request.hasUntil(), request.getUntil());
          order.end();
          callers.require(Role.ADMIN, domain);
          node.override(domain, descriptors, limits, until, changed(call));
        });
  }

  @Override
  public void resolveShard(ResolveShardRequest request, StreamObserver<ResolveShardResponse> call) {
    shards.resolve(request, call);
  }

  private static String id(Held held) {
    return held.id() == null ? "" : held.id();
  }

  /** The id of what is held, if whoever sends it may take: an id itself cannot be guessed. */
  private String held(String id) {
    callers.requireSomewhere(Role.CHECK);
    return DescriptorReader.text("id", id, /* bytesMin= */ 1, reader.bounds().requestIdLength());
  }

  private static long holdMillis(long millis) {
    return millis == 0 ? HOLD_MILLIS_DEFAULT : millis;
  }

  private static Asker<Durability> changed(StreamObserver<KeysResponse> call) {
    return Calls.answering(
        call, durability -> KeysResponse.newBuilder().setDurability(durability.text()).build());
  }

  private static <T> Asker<Settled> settled(StreamObserver<T> call, String id, T done) {
    return Calls.answering(
        call,
        settled -> {
          if (settled == Settled.DONE) {
            return done;
          }
          Status status = settled == Settled.OVER ? Status.FAILED_PRECONDITION : Status.NOT_FOUND;
          String expected = settled == Settled.OVER ? "one whose time is not over" : "a known one";
          throw status
              .withDescription("id: " + id + " (expected: " + expected + ")")
              .asRuntimeException();
        });
  }
}

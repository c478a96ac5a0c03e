package io.penstock.server.grpc;

import io.grpc.Context;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.penstock.api.v1.DeletePolicyRequest;
import io.penstock.api.v1.DeletePolicyResponse;
import io.penstock.api.v1.GetPolicyRequest;
import io.penstock.api.v1.ListPoliciesRequest;
import io.penstock.api.v1.ListPoliciesResponse;
import io.penstock.api.v1.Policy;
import io.penstock.api.v1.PutPolicyRequest;
import io.penstock.api.v1.PutPolicyResponse;
import io.penstock.core.policy.Scope;
import io.penstock.server.node.Node;
import io.penstock.server.node.Patience;
import io.penstock.server.policy.Expected;
import io.penstock.server.policy.Kind;
import io.penstock.server.policy.Page;
import io.penstock.server.policy.PolicyStore;
import io.penstock.server.policy.Stored;
import io.penstock.server.policy.Written;
import io.penstock.server.security.Caller;
import io.penstock.server.security.Role;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** Policies over gRPC. Thread-safe. The store waits for the disk, so it is asked by workers. */
final class PolicyCalls {
  private static final int PAGE_DEFAULT = 100;
  private static final int PAGE_MAX = 1_000;

  /** Clients take messages of up to 4 MB unless they are told otherwise. */
  private static final int PAGE_BYTES_MAX = 3 << 20;

  private final PolicyStore store;
  private final Node node;
  private final Callers callers;
  private final Executor workers;

  PolicyCalls(PolicyStore store, Node node, Callers callers, Executor workers) {
    this.store = store;
    this.node = node;
    this.callers = callers;
    this.workers = workers;
  }

  void get(GetPolicyRequest request, StreamObserver<Policy> call) {
    String scope = request.getScope();
    work(
        call,
        () -> {
          callers.require(Role.READ, Scope.domainOf(scope));
          return () -> {
            Stored stored = store.get(Kind.POLICY, scope);
            if (stored == null) {
              String problem = "scope: " + scope + " (expected: one that has a policy)";
              throw Status.NOT_FOUND.withDescription(problem).asRuntimeException();
            }
            return policy(stored);
          };
        });
  }

  void put(PutPolicyRequest request, StreamObserver<PutPolicyResponse> call) {
    work(
        call,
        () -> {
          String by = callers.require(Role.ADMIN, Scope.domainOf(request.getScope())).name();
          Expected expected = expected(request.getExpected());
          return () -> {
            String scope = request.getScope();
            Supplier<Written> put =
                () -> store.put(Kind.POLICY, scope, request.getDocument(), expected, by);
            Written written = Patience.write(node, Kind.POLICY, scope, request.getForgive(), put);
            return PutPolicyResponse.newBuilder()
                .setVersion(written.version())
                .addAllWarnings(written.warnings())
                .build();
          };
        });
  }

  void delete(DeletePolicyRequest request, StreamObserver<DeletePolicyResponse> call) {
    work(
        call,
        () -> {
          String by = callers.require(Role.ADMIN, Scope.domainOf(request.getScope())).name();
          Expected expected = expected(request.getExpected());
          return () -> {
            Written written = store.delete(Kind.POLICY, request.getScope(), expected, by);
            return DeletePolicyResponse.newBuilder().setVersion(written.version()).build();
          };
        });
  }

  void list(ListPoliciesRequest request, StreamObserver<ListPoliciesResponse> call) {
    work(
        call,
        () -> {
          Caller caller = callers.requireSomewhere(Role.READ);
          int limit = limit(request.getLimit());
          String after = request.getAfter().isEmpty() ? null : request.getAfter();
          return () -> page(store.list(Kind.POLICY, after, limit, PAGE_BYTES_MAX), caller);
        });
  }

  private static int limit(int limit) {
    if (limit < 0 || limit > PAGE_MAX) {
      throw DescriptorReader.bad("limit", limit, "0.." + PAGE_MAX);
    }
    return limit == 0 ? PAGE_DEFAULT : limit;
  }

  /** A caller sees the policies of its domains; the next page begins after all of them. */
  private static ListPoliciesResponse page(Page<Stored> stored, Caller caller) {
    ListPoliciesResponse.Builder page = ListPoliciesResponse.newBuilder();
    for (Stored each : stored.items()) {
      if (caller.may(Role.READ, Scope.domainOf(each.name()))) {
        page.addPolicies(policy(each));
      }
    }
    return stored.hasMore() ? page.setNext(stored.last().name()).build() : page.build();
  }

  private static Policy policy(Stored stored) {
    return Policy.newBuilder()
        .setScope(stored.name())
        .setVersion(stored.version())
        .setDocument(stored.document())
        .build();
  }

  private static Expected expected(io.penstock.api.v1.Expected expected) {
    return switch (expected.getStateCase()) {
      case VERSION -> new Expected.Version(expected.getVersion());
      case ABSENT -> given("expected.absent", expected.getAbsent(), new Expected.Absent());
      case ANY -> given("expected.any", expected.getAny(), new Expected.Any());
      case STATE_NOT_SET ->
          throw DescriptorReader.bad("expected", "none", "absent, version or any");
    };
  }

  private static Expected given(String field, boolean given, Expected expected) {
    if (!given) {
      throw DescriptorReader.bad(field, false, "true, or another field in its place");
    }
    return expected;
  }

  /** Prepares what a call asks for, and lets a worker do it unless it is too late by then. */
  private <T> void work(StreamObserver<T> call, Supplier<Supplier<T>> preparing) {
    Calls.run(
        call,
        () -> {
          Supplier<T> work = preparing.get();
          Runnable answering = () -> Calls.answering(call, (Supplier<T> w) -> w.get()).accept(work);
          workers.execute(Context.current().wrap(() -> Calls.run(call, answering)));
        });
  }
}

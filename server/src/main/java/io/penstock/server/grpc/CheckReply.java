package io.penstock.server.grpc;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.protobuf.util.Durations;
import com.google.rpc.RetryInfo;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import io.penstock.api.v1.CheckResponse;
import io.penstock.api.v1.Result;
import io.penstock.server.fields.Whole;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Meter;
import io.penstock.server.node.Part;

/** What a client of the own API is told about an answer. Pure functions. */
final class CheckReply {
  private static final long NEVER = -1;

  /** So many of a scope, encoded twice, fit into the 8 kB of trailers that clients take. */
  private static final int NAME_CHARS = 256;

  private CheckReply() {}

  static CheckResponse of(Answer answer) {
    Part part = answer.part();
    CheckResponse.Builder reply =
        CheckResponse.newBuilder()
            .setAllowed(answer.allowed())
            .setRetryAfterMs(retryMillis(answer.retryAfterNanos()))
            .setResetAfterMs(Whole.millis(answer.resetAfterNanos()))
            .setPolicyVersion(part.policyVersion())
            .setReason(part.why().text())
            .setDurability(answer.durability().text())
            .setDecidedBy(answer.decidedBy())
            .setDuplicate(answer.duplicate())
            .setWaitMs(Whole.millis(answer.waitNanos()));
    if (part.policy() != null) {
      reply.setPolicy(part.policy());
    }
    /* Nothing counted is said by leaving the numbers out: 0 would say that nothing is left. */
    if (part.meter() != null) {
      reply.setRemaining(answer.remaining()).setLimit(answer.limit());
    }
    for (Part each : answer.parts()) {
      reply.addResults(result(each));
    }
    return reply.build();
  }

  /** The same for whoever wants a denial to be an error: it is thrown. */
  static CheckResponse enforced(Answer answer) {
    if (answer.allowed()) {
      return of(answer);
    }
    Part part = answer.part();
    long millis = retryMillis(answer.retryAfterNanos());
    String wait = millis == NEVER ? "no wait is enough" : "retry after " + millis + " ms";
    com.google.rpc.Status.Builder status =
        com.google.rpc.Status.newBuilder()
            .setCode(Status.Code.RESOURCE_EXHAUSTED.value())
            .setMessage("policy: " + name(part) + " (" + part.why().text() + "; " + wait + ")");
    if (millis != NEVER) {
      Duration delay = Durations.fromMillis(millis);
      status.addDetails(Any.pack(RetryInfo.newBuilder().setRetryDelay(delay).build()));
    }
    throw StatusProto.toStatusRuntimeException(status.build());
  }

  private static String name(Part part) {
    String policy = part.policy() == null ? "none" : part.policy();
    return policy.length() <= NAME_CHARS ? policy : policy.substring(0, NAME_CHARS) + "…";
  }

  /** Stands in a batch for a check that was not decided. */
  static CheckResponse refused(RuntimeException cause) {
    return CheckResponse.newBuilder().setError(String.valueOf(cause.getMessage())).build();
  }

  private static Result.Builder result(Part part) {
    Result.Builder result =
        Result.newBuilder().setAllowed(part.allowed()).setReason(part.why().text());
    if (part.policy() != null) {
      result.setPolicy(part.policy()).setPolicyVersion(part.policyVersion());
    }
    Meter meter = part.meter();
    if (meter != null) {
      result.setRemaining(meter.remaining()).setLimit(meter.limit().capacity());
    }
    return result.setRetryAfterMs(part.allowed() ? 0 : retryMillis(part.retryAfterNanos()));
  }

  private static long retryMillis(long nanos) {
    return nanos == Long.MAX_VALUE ? NEVER : Whole.millis(nanos);
  }
}

package io.penstock.server.grpc;

import io.penstock.api.v1.CheckResponse;
import io.penstock.api.v1.Result;
import io.penstock.server.fields.Whole;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Meter;
import io.penstock.server.node.Part;

/** What a client of the own API is told about an answer. Pure functions. */
final class CheckReply {
  private static final long NEVER = -1;

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

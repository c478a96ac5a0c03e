package io.penstock.server.grpc;

import com.google.protobuf.Any;
import com.google.rpc.BadRequest;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import io.penstock.server.node.Asker;
import io.penstock.server.node.RefundRefusedException;
import io.penstock.server.node.UnavailableException;
import io.penstock.server.policy.InvalidPolicyException;
import io.penstock.server.policy.Problem;
import io.penstock.server.policy.ReadOnlyException;
import io.penstock.server.policy.StoreUnavailableException;
import io.penstock.server.policy.VersionConflictException;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;

/** How calls end: with an answer, or with the status that fits what went wrong. Stateless. */
final class Calls {
  private static final System.Logger LOG = System.getLogger(Calls.class.getName());

  /** The deadline of a call is over. */
  static final Status TOO_LATE =
      Status.DEADLINE_EXCEEDED.withDescription(
          "grpc-timeout: over (expected: longer than the answer takes)");

  /** So many and one problem more, encoded twice, fit into the 8 kB that clients take. */
  private static final int PROBLEMS_CHARS = 2_500;

  private Calls() {}

  /** Does what a call asks for, unless nobody waits for it any more. */
  static void run(StreamObserver<?> call, Runnable work) {
    if (isOver()) {
      call.onError(TOO_LATE.asRuntimeException());
      return;
    }
    try {
      work.run();
    } catch (RuntimeException e) {
      fail(call, e);
    } catch (Error e) {
      /* Nobody else would end the call, and the client would wait until its deadline. */
      fail(call, new IllegalStateException("a call ended with an error", e));
    }
  }

  /** What a failure says beside its status. */
  static Metadata trailers(Throwable failure) {
    Metadata trailers = Status.trailersFromThrowable(failure);
    return trailers == null ? new Metadata() : trailers;
  }

  /** A check that nobody waits for must not consume. */
  private static boolean isOver() {
    Context context = Context.current();
    Deadline deadline = context.getDeadline();
    return context.isCancelled() || (deadline != null && deadline.isExpired());
  }

  /** Ends a call with what comes, on whatever thread it comes. */
  static <A, T> Asker<A> answering(StreamObserver<T> call, Function<A, T> words) {
    return new Asker<>() {
      @Override
      public void accept(A answer) {
        T message;
        try {
          message = words.apply(answer);
        } catch (RuntimeException e) {
          Calls.fail(call, e);
          return;
        }
        call.onNext(message);
        call.onCompleted();
      }

      @Override
      public void fail(RuntimeException cause) {
        Calls.fail(call, cause);
      }
    };
  }

  static void fail(StreamObserver<?> call, RuntimeException cause) {
    call.onError(cause instanceof InvalidPolicyException invalid ? status(invalid) : status(cause));
  }

  private static StatusException status(RuntimeException cause) {
    if (cause instanceof StatusRuntimeException told) {
      return told.getStatus().asException(told.getTrailers());
    }
    if (cause instanceof IllegalArgumentException) {
      return Status.INVALID_ARGUMENT.withDescription(cause.getMessage()).asException();
    }
    if (cause instanceof RefundRefusedException) {
      return Status.PERMISSION_DENIED.withDescription(cause.getMessage()).asException();
    }
    if (cause instanceof VersionConflictException) {
      return Status.ABORTED.withDescription(cause.getMessage()).asException();
    }
    if (cause instanceof ReadOnlyException) {
      return Status.FAILED_PRECONDITION.withDescription(cause.getMessage()).asException();
    }
    if (cause instanceof StoreUnavailableException || cause instanceof UnavailableException) {
      return Status.UNAVAILABLE.withDescription(cause.getMessage()).asException();
    }
    if (cause instanceof RejectedExecutionException) {
      return Status.UNAVAILABLE.withDescription("too many calls wait for the store").asException();
    }
    LOG.log(System.Logger.Level.ERROR, "a call failed", cause);
    return Status.INTERNAL.withDescription("the server failed; its log says why").asException();
  }

  /**
   * Every problem of a document, for people in the message and for programs in the details; of very
   * many the first ones, because a client takes only so much in header fields.
   */
  private static StatusException status(InvalidPolicyException invalid) {
    BadRequest.Builder details = BadRequest.newBuilder();
    StringBuilder message = new StringBuilder();
    List<Problem> problems = invalid.problems();
    int chars = 0;
    for (Problem problem : problems) {
      if (chars > PROBLEMS_CHARS) {
        int left = problems.size() - details.getFieldViolationsCount();
        message.append("; and ").append(left).append(" more");
        break;
      }
      chars += Fields.percentEncoded(problem.toString()).length();
      message.append(message.isEmpty() ? "" : "; ").append(problem);
      details
          .addFieldViolationsBuilder()
          .setField(problem.field())
          .setDescription(problem.value() + " (expected: " + problem.expected() + ")");
    }
    return StatusProto.toStatusException(
        com.google.rpc.Status.newBuilder()
            .setCode(Status.Code.INVALID_ARGUMENT.value())
            .setMessage(message.toString())
            .addDetails(Any.pack(details.build()))
            .build());
  }
}

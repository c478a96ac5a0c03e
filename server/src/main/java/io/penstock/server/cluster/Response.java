package io.penstock.server.cluster;

import io.penstock.server.node.RefundRefusedException;
import io.penstock.server.node.UnavailableException;
import org.jspecify.annotations.Nullable;

/** What another node says to a question. Immutable. */
sealed interface Response<T> {
  int FORMAT = 1;

  /** It owns, and this is its answer. */
  record Answered<T>(T answer) implements Response<T> {}

  /** It owns, and there is something wrong with the question: nothing was decided. */
  record Failed<T>(RuntimeException cause) implements Response<T> {}

  /** It does not own, and has decided nothing; it knows who does, or not. */
  record NotOwner<T>(@Nullable String owner) implements Response<T> {}

  /** It owned, and nobody knows what became of the question (R4). */
  record Unknown<T>(String why) implements Response<T> {}

  /** What went wrong. */
  enum Fault {
    INTERNAL,
    ILLEGAL_ARGUMENT,
    REFUND_REFUSED
  }

  int ANSWERED = 0;
  int FAILED = 1;
  int NOT_OWNER = 2;
  int UNKNOWN = 3;

  static <T> byte[] answered(Question<T> question, T answer) {
    Packing out = new Packing().number(FORMAT).number(ANSWERED);
    question.form().writing().accept(answer, out);
    return out.done();
  }

  static byte[] notOwner(@Nullable String owner) {
    return new Packing().number(FORMAT).number(NOT_OWNER).textOrNone(owner).done();
  }

  static byte[] unknown(String why) {
    return new Packing().number(FORMAT).number(UNKNOWN).text(why).done();
  }

  /** Whatever kept a node that owns from answering. */
  static byte[] failed(RuntimeException cause) {
    String message = String.valueOf(cause.getMessage());
    if (cause instanceof UnavailableException) {
      return unknown(message);
    }
    Fault fault =
        cause instanceof IllegalArgumentException
            ? Fault.ILLEGAL_ARGUMENT
            : cause instanceof RefundRefusedException ? Fault.REFUND_REFUSED : Fault.INTERNAL;
    return new Packing().number(FORMAT).number(FAILED).word(fault).text(message).done();
  }

  /** What another node said to this question. */
  static <T> Response<T> read(Question<T> question, byte[] bytes) {
    Unpacking in = new Unpacking(bytes);
    in.format(FORMAT);
    int sort = in.number("sort");
    Response<T> response =
        switch (sort) {
          case ANSWERED -> new Answered<>(question.form().reading().apply(in));
          case FAILED -> new Failed<>(cause(in));
          case NOT_OWNER -> new NotOwner<>(in.textOrNone("owner"));
          case UNKNOWN -> new Unknown<>(in.text("why"));
          default -> throw new MalformedException("sort", sort, ANSWERED + ".." + UNKNOWN);
        };
    in.end();
    return response;
  }

  private static RuntimeException cause(Unpacking in) {
    Fault fault = in.word("fault", Fault.class);
    String message = in.text("message");
    return switch (fault) {
      case INTERNAL -> new IllegalStateException(message);
      case ILLEGAL_ARGUMENT -> new IllegalArgumentException(message);
      case REFUND_REFUSED -> new RefundRefusedException(message);
    };
  }
}

package io.penstock.server.grpc;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitRequest;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitResponse;
import io.penstock.server.Bounds;
import io.penstock.server.fields.RateLimitFields;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Asker;
import io.penstock.server.node.CheckRequest;
import io.penstock.server.node.Node;
import io.penstock.server.node.RefundRefusedException;
import io.penstock.server.node.UnavailableException;
import io.penstock.server.ops.Decisions;
import io.penstock.server.ops.Origin;
import io.penstock.server.security.Caller;
import io.penstock.server.security.Role;
import java.util.function.Consumer;

/**
 * Envoy's rate limit service for those who cannot speak gRPC: one request and one response in
 * protobuf's JSON, as {@code POST /json} of envoyproxy/ratelimit. Thread-safe.
 */
public final class JsonRateLimit {
  /**
   * What is answered. Immutable.
   *
   * @param status 200 or 429; else that of an error
   * @param body a RateLimitResponse as JSON; for an error, what is wrong, in plain words
   * @param retryAfterSeconds of a denial; else 0
   */
  public record Reply(int status, String body, long retryAfterSeconds) {
    private static Reply of(int status, String body) {
      return new Reply(status, body, /* retryAfterSeconds= */ 0);
    }
  }

  private static final System.Logger LOG = System.getLogger(JsonRateLimit.class.getName());
  private static final String EXPECTED =
      RateLimitRequest.getDescriptor().getFullName() + " in protobuf's JSON";
  private static final JsonFormat.Parser PARSER = JsonFormat.parser();
  private static final JsonFormat.Printer PRINTER =
      JsonFormat.printer().omittingInsignificantWhitespace();

  private final Node node;
  private final Decisions decisions;
  private final RlsQuestion question;

  public JsonRateLimit(Node node, Decisions decisions, Bounds bounds) {
    this.node = node;
    this.decisions = decisions;
    this.question = new RlsQuestion(bounds);
  }

  /** Decides; the reply comes on this thread, or on that of the journal. */
  public void answer(String body, Caller caller, Origin origin, Consumer<Reply> done) {
    try {
      RateLimitRequest request = parse(body);
      boolean mayRefund = caller.may(Role.ADMIN, request.getDomain());
      CheckRequest check = question.read(request, mayRefund);
      if (caller.may(Role.CHECK, check.domain())) {
        Asker<Answer> told =
            Asker.of(
                answer -> done.accept(reply(request, answer)),
                cause -> done.accept(refusal(cause)));
        node.check(check, decisions.watch(check, origin, told));
      } else {
        String expected = "one in which you are " + Role.CHECK.text();
        done.accept(Reply.of(403, "domain: " + check.domain() + " (expected: " + expected + ")"));
      }
    } catch (RefundRefusedException | IllegalArgumentException e) {
      done.accept(refusal(e));
    }
  }

  private static Reply refusal(RuntimeException cause) {
    String message = String.valueOf(cause.getMessage());
    if (cause instanceof RefundRefusedException) {
      return Reply.of(403, message);
    }
    if (cause instanceof IllegalArgumentException) {
      return Reply.of(400, message);
    }
    if (cause instanceof UnavailableException) {
      return Reply.of(503, message);
    }
    LOG.log(System.Logger.Level.ERROR, "a call failed", cause);
    return Reply.of(500, "the server failed; its log says why");
  }

  private static RateLimitRequest parse(String body) {
    PlainJson.check(body);
    RateLimitRequest.Builder request = RateLimitRequest.newBuilder();
    try {
      PARSER.merge(body, request);
    } catch (InvalidProtocolBufferException e) {
      throw DescriptorReader.bad(
          "body", "a value of another type, or a field in another place", EXPECTED);
    }
    return request.build();
  }

  private static Reply reply(RateLimitRequest request, Answer answer) {
    RateLimitResponse response = RlsReply.of(request, answer);
    try {
      String body = PRINTER.print(response);
      return answer.allowed()
          ? Reply.of(200, body)
          : new Reply(429, body, RateLimitFields.retryAfterSeconds(answer));
    } catch (InvalidProtocolBufferException e) {
      /* Only messages of unknown type cannot be printed, and there is none in a response. */
      throw new IllegalStateException(e);
    }
  }
}

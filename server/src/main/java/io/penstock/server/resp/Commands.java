package io.penstock.server.resp;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.penstock.server.Bounds;
import io.penstock.server.node.Node;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Objects;

/** Finds the command that is called, and runs it. Thread-safe. */
final class Commands {
  private static final Logger LOG = System.getLogger(Commands.class.getName());

  /** Known by its bytes, without a text made of them: it is called more than all others. */
  private static final String THROTTLE = "CL.THROTTLE";

  private static final byte[] THROTTLE_BYTES = THROTTLE.getBytes(US_ASCII);

  private final Node node;
  private final RespStats stats;
  private final Map<String, Command> byName;
  private final Command throttle;
  private final CommandBounds bounds;
  private final CommandBounds boundsBeforeLogin;

  Commands(Node node, Bounds bounds, RespStats stats) {
    this.node = node;
    this.stats = stats;
    this.byName = CommandTable.of(node, bounds, stats);
    this.throttle = Objects.requireNonNull(byName.get(THROTTLE), THROTTLE);
    this.bounds = CommandBounds.of(bounds);
    this.boundsBeforeLogin = this.bounds.beforeLogin();
  }

  /** How large a command may be, by whether it is known who sends it. */
  CommandBounds bounds(boolean loggedIn) {
    return loggedIn ? bounds : boundsBeforeLogin;
  }

  /** The time by which the node decides. */
  long nanos() {
    return node.nanos();
  }

  /** Looks which command is called, and which key it will need. */
  void foresee(Request request, long nowNanos) {
    if (request.is(0, THROTTLE_BYTES)) {
      boolean hasKey = request.count() > 1;
      long hash = hasKey ? node.hash(request.bytes(), request.from(1), request.length(1)) : 0;
      request.foresee(throttle, hash, nowNanos);
    } else {
      request.foresee(byName.get(request.word(0)), /* keyHash= */ 0, nowNanos);
    }
  }

  /**
   * Brings the keys of commands near. Nothing else is done in between: only what is asked for in a
   * few instructions is on its way at the same time. What it answers means nothing, but must be
   * used.
   */
  long touch(Request[] requests, int count) {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      long hash = requests[i].hash();
      sum += hash == 0 ? 0 : node.touch(hash);
    }
    return sum;
  }

  /** Runs a command that was foreseen; whatever becomes of it, there is one answer. */
  void run(Session session, Request request) {
    Output out = session.replies().out();
    int mark = out.length();
    try {
      Command command = request.command();
      if (command == null) {
        throw unknown(session, request);
      }
      command.run(session, request, out);
    } catch (RefusedException e) {
      out.cut(mark);
      refuse(e.line(), out);
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "a command failed: " + request.quote(0), e);
      out.cut(mark);
      refuse("ERR internal error", out);
    }
  }

  /** Answers a command with an error. */
  void refuse(String line, Output out) {
    out.error(line);
    stats.refuse();
  }

  private RefusedException unknown(Session session, Request request) {
    stats.calls(RespStats.UNKNOWN).increment();
    return new RefusedException(
        session.isLoggedIn()
            ? "ERR unknown command '" + request.quote(0) + "'"
            : "NOAUTH Authentication required.");
  }
}

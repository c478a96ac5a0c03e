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

  private final RespStats stats;
  private final Map<String, Command> byName;
  private final Command throttle;

  Commands(Node node, Bounds bounds, RespStats stats) {
    this.stats = stats;
    this.byName = CommandTable.of(node, bounds, stats);
    this.throttle = Objects.requireNonNull(byName.get(THROTTLE), THROTTLE);
  }

  /** Runs a command; whatever becomes of it, there is one answer. */
  void run(Session session, Request request) {
    Output out = session.replies().out();
    int mark = out.length();
    try {
      find(session, request).run(session, request, out);
    } catch (RefusedException e) {
      out.cut(mark);
      out.error(e.line());
      stats.refuse();
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "a command failed: " + request.quote(0), e);
      out.cut(mark);
      out.error("ERR internal error");
      stats.refuse();
    }
  }

  private Command find(Session session, Request request) {
    if (request.is(0, THROTTLE_BYTES)) {
      return throttle;
    }
    Command command = byName.get(request.word(0));
    if (command == null) {
      stats.calls(RespStats.UNKNOWN).increment();
      throw new RefusedException(
          session.isLoggedIn()
              ? "ERR unknown command '" + request.quote(0) + "'"
              : "NOAUTH Authentication required.");
    }
    return command;
  }
}

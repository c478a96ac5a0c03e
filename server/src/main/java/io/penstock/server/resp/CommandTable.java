package io.penstock.server.resp;

import io.penstock.server.Bounds;
import io.penstock.server.node.Node;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Which commands there are. Confined to the thread that builds it. */
final class CommandTable {
  private final RespStats stats;
  private final Map<String, Command> byName = new TreeMap<>();

  private CommandTable(RespStats stats) {
    this.stats = stats;
  }

  /** All commands, by name in capitals. */
  static Map<String, Command> of(Node node, Bounds bounds, RespStats stats) {
    CommandTable table = new CommandTable(stats);
    table.addDecisions(node, bounds);
    table.addGreetings(new Greetings());
    table.addQuestions();
    return Collections.unmodifiableMap(table.byName);
  }

  private void addDecisions(Node node, Bounds bounds) {
    ThrottleCommand throttle = new ThrottleCommand(node, stats.decisions(), bounds.valueLength());
    CheckCommand check = new CheckCommand(node, stats.decisions(), bounds);
    add("cl.throttle", -5, "Decides by the limit that comes with it", throttle::throttle);
    add("del", -2, "Forgets what keys of CL.THROTTLE have used", throttle::forget);
    add(CheckCommand.NAME, -4, "Decides by the policies of a domain", check::check);
  }

  private void addGreetings(Greetings greetings) {
    add("auth", -2, "Logs in", greetings::auth);
    add("client", -2, "Names this connection, and tells its name and number", greetings::client);
    add("hello", -1, "Chooses the version of the protocol", greetings::hello);
    add("quit", -1, "Ends this connection", greetings::quit);
    add("reset", 1, "Makes this connection as new", greetings::reset);
    add("select", 2, "Chooses the one database there is", greetings::select);
  }

  private void addQuestions() {
    add("command", -1, "Tells which commands there are", new Catalogue(byName)::command);
    add("echo", 2, "Answers what it is told", (session, request, out) -> repeat(request, out));
    add("info", -1, "Tells about this server", new Bulletin(stats)::tell);
    add("ping", -1, "Answers", (session, request, out) -> ping(request, out));
  }

  private static void ping(Request request, Output out) {
    if (request.count() > 2) {
      throw Command.wrongArity("ping");
    }
    if (request.count() == 1) {
      out.simple("PONG");
    } else {
      repeat(request, out);
    }
  }

  private static void repeat(Request request, Output out) {
    out.bulk(request.bytes(), request.from(1), request.length(1));
  }

  private void add(String name, int arity, String summary, Command.Action action) {
    byName.put(
        name.toUpperCase(Locale.ROOT),
        new Command(name, arity, summary, stats.calls(name), action));
  }
}

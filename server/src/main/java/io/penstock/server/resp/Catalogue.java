package io.penstock.server.resp;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code COMMAND}: tells clients which commands there are, in Redis' form. Thread-safe. */
final class Catalogue {
  private final Map<String, Command> commands;

  /**
   * Makes the catalogue.
   *
   * @param commands by name in capitals
   */
  Catalogue(Map<String, Command> commands) {
    this.commands = commands;
  }

  /** {@code COMMAND [COUNT | LIST | INFO [name …] | DOCS [name …]]}. */
  void command(Session session, Request request, Output out) {
    String what = request.count() == 1 ? "" : request.word(1);
    if (what.isEmpty()) {
      tellAll(commands.values(), session.resp3(), out);
    } else if (what.equals("COUNT") && request.count() == 2) {
      out.integer(commands.size());
    } else if (what.equals("LIST") && request.count() == 2) {
      out.array(commands.size());
      commands.values().forEach(c -> out.bulk(c.name()));
    } else if (what.equals("INFO")) {
      tellAll(chosen(request), session.resp3(), out);
    } else if (what.equals("DOCS")) {
      tellDocs(chosen(request), session.resp3(), out);
    } else {
      throw Greetings.unknownSubcommand("command", request);
    }
  }

  /** The commands that are named, null for those that do not exist; all if none is named. */
  private Collection<@Nullable Command> chosen(Request request) {
    List<@Nullable Command> chosen = new ArrayList<>();
    for (int i = 2; i < request.count(); i++) {
      chosen.add(commands.get(request.word(i)));
    }
    if (request.count() == 2) {
      chosen.addAll(commands.values());
    }
    return chosen;
  }

  private static void tellAll(
      Collection<? extends @Nullable Command> commands, boolean resp3, Output out) {
    out.array(commands.size());
    for (Command command : commands) {
      if (command == null) {
        out.nilArray(resp3);
      } else {
        tell(command, resp3, out);
      }
    }
  }

  private static void tell(Command command, boolean resp3, Output out) {
    int key = command.isKeyed() ? 1 : 0;
    out.array(10);
    out.bulk(command.name());
    out.integer(command.arity());
    out.set(2, resp3);
    out.simple(command.isDecision() ? "write" : "loading");
    out.simple("fast");
    out.integer(key);
    out.integer(command.name().equals("del") ? -key : key);
    out.integer(key);
    out.set(1, resp3);
    out.simple(command.isDecision() ? "@write" : "@connection");
    // Tips, places of keys, subcommands: none.
    out.set(0, resp3);
    out.set(0, resp3);
    out.set(0, resp3);
  }

  private static void tellDocs(
      Collection<? extends @Nullable Command> commands, boolean resp3, Output out) {
    int known = (int) commands.stream().filter(c -> c != null).count();
    out.map(known, resp3);
    for (Command command : commands) {
      if (command != null) {
        out.bulk(command.name());
        out.map(3, resp3);
        out.bulk("summary");
        out.bulk(command.summary());
        out.bulk("since");
        out.bulk("1.0.0");
        out.bulk("group");
        out.bulk(command.isDecision() ? "module" : "connection");
      }
    }
  }
}

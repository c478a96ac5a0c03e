package io.penstock.server.resp;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Locale;

/** What a client says about itself: who it is, and how it wants to be spoken to. Thread-safe. */
final class Greetings {
  /** Clients choose by it what they send; they ask for nothing newer than what is answered here. */
  static final String REDIS_VERSION = "7.2.0";

  private static final byte[] AUTH = "AUTH".getBytes(US_ASCII);
  private static final byte[] SETNAME = "SETNAME".getBytes(US_ASCII);
  private static final int NAME_BYTES_MAX = 256;
  private static final int NONE = -1;

  /** {@code HELLO [2|3 [AUTH user password] [SETNAME name]]}. */
  void hello(Session session, Request request, Output out) {
    boolean resp3 = session.resp3();
    if (request.count() > 1) {
      long version = request.number(1, "protocol version");
      if (version != 2 && version != 3) {
        throw new RefusedException("NOPROTO unsupported protocol version");
      }
      resp3 = version == 3;
    }
    String name = null;
    int password = NONE;
    for (int i = 2; i < request.count(); i++) {
      if (request.is(i, AUTH) && i + 2 < request.count()) {
        password = i + 2;
        i += 2;
      } else if (request.is(i, SETNAME) && i + 1 < request.count()) {
        name = clientName(request, i + 1);
        i++;
      } else {
        throw new RefusedException("ERR Syntax error in HELLO option '" + request.quote(i) + "'");
      }
    }
    if (password != NONE) {
      login(session, request, password);
    }
    if (!session.isLoggedIn()) {
      throw new RefusedException(
          "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO"
              + " <proto> AUTH <user> <pass> option can be used to authenticate the client and"
              + " select the RESP protocol version at the same time");
    }
    session.speak(resp3);
    if (name != null) {
      session.rename(name);
    }
    tellServer(session, out);
  }

  private static void tellServer(Session session, Output out) {
    out.map(7, session.resp3());
    out.bulk("server");
    out.bulk("redis");
    out.bulk("version");
    out.bulk(REDIS_VERSION);
    out.bulk("proto");
    out.integer(session.resp3() ? 3 : 2);
    out.bulk("id");
    out.integer(session.id());
    out.bulk("mode");
    out.bulk("standalone");
    out.bulk("role");
    out.bulk("master");
    out.bulk("modules");
    out.array(0);
  }

  /** {@code AUTH [user] password}. */
  void auth(Session session, Request request, Output out) {
    if (request.count() > 3) {
      throw Command.wrongArity("auth");
    }
    login(session, request, request.count() - 1);
    out.simple("OK");
  }

  /** Logs in by an argument, which no error may repeat. The user's name is not looked at. */
  private static void login(Session session, Request request, int password) {
    if (!session.isGuarded()) {
      throw new RefusedException(
          "ERR AUTH <password> called without any password configured for the default user."
              + " Are you sure your configuration is correct?");
    }
    String secret = request.textOrNull(password);
    if (secret == null || !session.login(secret)) {
      throw new RefusedException("WRONGPASS invalid username-password pair or user is disabled.");
    }
  }

  /** {@code CLIENT SETNAME|GETNAME|ID|SETINFO …}. */
  void client(Session session, Request request, Output out) {
    String what = request.word(1);
    int count = request.count();
    if (what.equals("SETNAME") && count == 3) {
      session.rename(clientName(request, 2));
      out.simple("OK");
    } else if (what.equals("GETNAME") && count == 2) {
      tellName(session, out);
    } else if (what.equals("ID") && count == 2) {
      out.integer(session.id());
    } else if (what.equals("SETINFO") && count == 4) {
      clientName(request, 3);
      out.simple("OK");
    } else {
      throw unknownSubcommand("client", request);
    }
  }

  private static void tellName(Session session, Output out) {
    if (session.name().isEmpty()) {
      out.nil(session.resp3());
    } else {
      out.bulk(session.name());
    }
  }

  static RefusedException unknownSubcommand(String command, Request request) {
    return new RefusedException(
        "ERR unknown subcommand or wrong number of arguments for '"
            + command.toLowerCase(Locale.ROOT)
            + "|"
            + request.quote(1)
            + "'");
  }

  private static String clientName(Request request, int index) {
    String name = request.text(index, "name");
    if (name.length() > NAME_BYTES_MAX || !name.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      throw new RefusedException(
          "ERR Client names cannot contain spaces, newlines or special characters,"
              + " nor be longer than "
              + NAME_BYTES_MAX);
    }
    return name;
  }

  /** {@code SELECT 0}: there is one database. */
  void select(Session session, Request request, Output out) {
    if (request.number(1, "index") != 0) {
      throw new RefusedException("ERR DB index is out of range");
    }
    out.simple("OK");
  }

  /** {@code RESET}: as if the connection were new. */
  void reset(Session session, Request request, Output out) {
    session.reset();
    out.simple("RESET");
  }

  /** {@code QUIT}. */
  void quit(Session session, Request request, Output out) {
    session.leave();
    out.simple("OK");
  }
}

package io.penstock.cli;

import io.penstock.server.Server;
import io.penstock.server.config.ServerConfig;
import io.penstock.server.ops.Logs;
import java.io.IOException;
import java.io.PrintWriter;

/** Runs a server until it is told to end. Stateless. */
final class Serving {
  private static final long DRAIN_MILLIS_MAX = 14_000;

  private Serving() {}

  /** The exit status. */
  static int run(Flags flags, PrintWriter out) throws IOException, InterruptedException {
    Logs.keepUntilTheEnd();
    ServerConfig settings = ServerConfig.read(flags.settings(), flags.config(), System.getenv());
    Logs.install(settings.reports().logFormat(), settings.reports().logLevel(), System.err);
    Server server = new Server(settings);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> drain(server), "drain"));
    server.start();
    server.addresses().readyLines().forEach(out::println);
    out.flush();
    server.awaitEnd();
    return 0;
  }

  /** Ends the server; one that does not end in time is left, and the process ends without it. */
  private static void drain(Server server) {
    Thread end = new Thread(server::close, "end");
    end.start();
    try {
      end.join(DRAIN_MILLIS_MAX);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

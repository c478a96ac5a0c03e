package io.penstock.cli.remote;

import io.penstock.server.Server;
import io.penstock.server.config.ServerConfig;
import io.penstock.server.config.Setting;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/** Where commands are run, and what the last one has said. Not thread-safe. */
final class Shell {
  private final Class<?> root;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** A shell for a command and those below it. */
  Shell(Class<?> root) {
    this.root = root;
  }

  /** A real server on ports that are free. */
  static Server serve(Path data) throws Exception {
    return serve(data, Map.of());
  }

  /** The same with more settings. */
  static Server serve(Path data, Map<Setting, String> more) throws Exception {
    Map<Setting, String> flags = new EnumMap<>(Setting.class);
    flags.put(Setting.HTTP_PORT, "0");
    flags.put(Setting.GRPC_PORT, "0");
    flags.put(Setting.RESP_PORT, "0");
    flags.put(Setting.DATA, data.resolve("data").toString());
    flags.putAll(more);
    Server server = new Server(ServerConfig.read(flags, null, Map.of()));
    server.start();
    return server;
  }

  int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return new CommandLine(root)
        .setExpandAtFiles(false)
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .setExecutionExceptionHandler(
            (problem, command, parsed) -> {
              command.getErr().println(problem.getMessage());
              return 1;
            })
        .execute(arguments);
  }

  /** The same with the server to be asked. */
  int runAt(String url, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--server", url));
    return run(all.toArray(String[]::new));
  }

  String out() {
    return out.toString();
  }

  String err() {
    return err.toString();
  }
}

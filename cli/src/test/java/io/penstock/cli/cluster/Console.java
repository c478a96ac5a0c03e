package io.penstock.cli.cluster;

import io.penstock.cli.Penstock;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** Runs commands against nodes; what the last one has printed. Confined to one thread. */
final class Console {
  private String printed = "";

  /** Runs a command against a server; its exit status. */
  int run(String url, String... arguments) {
    StringWriter out = new StringWriter();
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--server", url));
    int status =
        new CommandLine(new Penstock())
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(out))
            .execute(all.toArray(String[]::new));
    printed = out.toString();
    return status;
  }

  String printed() {
    return printed;
  }
}

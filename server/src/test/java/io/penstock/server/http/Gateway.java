package io.penstock.server.http;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** A real gateway with an example; where it is not installed, the test is skipped and says so. */
enum Gateway {
  NGINX("nginx"),
  CADDY("caddy"),
  HAPROXY("haproxy");

  private final String program;

  Gateway(String program) {
    this.program = program;
  }

  /** Its name, and that of the folder of its example. */
  String program() {
    return program;
  }

  /** What starts it, as one process in the foreground, in a copy of its example. */
  List<String> command() {
    String path = find();
    return switch (this) {
      case NGINX ->
          List.of(path, "-p", ".", "-c", "nginx.conf", "-g", "daemon off; master_process off;");
      case CADDY -> List.of(path, "run", "--config", "Caddyfile");
      case HAPROXY -> List.of(path, "-db", "-f", "haproxy.cfg");
    };
  }

  private String find() {
    String folders = System.getenv("PATH") + File.pathSeparator + "/usr/sbin";
    for (String each : folders.split(File.pathSeparator, -1)) {
      Path path = Path.of(each, program);
      if (Files.isExecutable(path)) {
        return path.toString();
      }
    }
    return Assumptions.abort("no " + program + " here: neither on the PATH nor in /usr/sbin");
  }
}

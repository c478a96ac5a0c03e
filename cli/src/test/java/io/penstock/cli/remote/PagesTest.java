package io.penstock.cli.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.Server;
import io.penstock.server.config.ServerConfig;
import io.penstock.server.config.Setting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** More policies than fit on a page, as those see them who may see some of them. */
class PagesTest {
  private static final String KEY = "a-long-random-key";

  private final Shell shell = new Shell(RemoteTest.Root.class);

  private static Server serve(Path folder) throws Exception {
    StringBuilder policies = new StringBuilder("policies:\n");
    for (int i = 0; i < 1_001; i++) {
      policies.append("  a/k%04d: {limits: [1/s]}\n".formatted(i));
    }
    policies.append("  z/one: {limits: [1/s]}\n  z/two: {limits: [1/s]}\n");
    Path keys = folder.resolve("keys.yaml");
    Files.writeString(keys, "- {name: me, key: " + KEY + ", roles: {z: [read]}}\n");
    Map<Setting, String> flags =
        Map.of(
            Setting.HTTP_PORT,
            "0",
            Setting.GRPC_PORT,
            "0",
            Setting.RESP_PORT,
            "0",
            Setting.API_KEYS,
            keys.toString(),
            Setting.POLICIES,
            Files.writeString(folder.resolve("p.yaml"), policies.toString()).toString(),
            Setting.DATA,
            folder.resolve("data").toString());
    Server server = new Server(ServerConfig.read(flags, /* config= */ null, Map.of()));
    server.start();
    return server;
  }

  @Test
  void list_byReaderOfTheLastDomain_showsWhatIsItsOwn(@TempDir Path folder) throws Exception {
    try (Server server = serve(folder)) {
      String url = server.addresses().url();
      assertThat(shell.runAt(url, "policy", "list", "--api-key", KEY)).isZero();
      assertThat(shell.out().lines().skip(1).map(line -> line.split(" ", 2)[0]))
          .containsExactly("z/one", "z/two");
      assertThat(shell.runAt(url, "policy", "list", "--max", "1", "--api-key", KEY)).isZero();
      assertThat(shell.out()).contains("z/one").doesNotContain("z/two");
    }
  }
}

package io.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With what the launcher starts the JVM; in its place is one that only tells. */
class LauncherIT {
  private static final Path LAUNCHER = Path.of("../penstock").toAbsolutePath().normalize();
  private static final String JAVA = "#!/bin/sh\nfor each; do echo \"$each\"; done\n";

  @TempDir Path folder;

  /** A checkout that is built, and a JDK. */
  @BeforeEach
  void prepare() throws IOException {
    Path app = Files.createDirectories(folder.resolve("target-app/app-1"));
    Files.writeString(app.resolve("penstock.jar"), "");
    Files.createDirectories(folder.resolve("cli/src/main"));
    Files.writeString(folder.resolve("pom.xml"), "");
    Files.writeString(folder.resolve("cli/pom.xml"), "");
    Files.copy(LAUNCHER, folder.resolve("penstock"));
    Files.writeString(folder.resolve("target-app/built"), app + "\n");
    Path bin = Files.createDirectories(folder.resolve("jdk/bin"));
    Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"17.0.1\"\n");
    assertThat(Files.writeString(bin.resolve("java"), JAVA).toFile().setExecutable(true)).isTrue();
  }

  private List<String> arguments(String options, String... arguments) throws Exception {
    ProcessBuilder builder = new ProcessBuilder("bash", folder.resolve("penstock").toString());
    builder.command().addAll(List.of(arguments));
    builder.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
    builder.environment().put("PENSTOCK_JAVA_OPTS", options);
    Process process = builder.redirectErrorStream(true).start();
    byte[] said = process.getInputStream().readAllBytes();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    return new String(said, StandardCharsets.UTF_8).lines().toList();
  }

  private static boolean isLarge() throws IOException {
    Path own = Path.of("/sys/fs/cgroup/memory.max");
    String bound = Files.exists(own) ? Files.readString(own).strip() : "max";
    String total = Files.readString(Path.of("/proc/meminfo")).split("\\s+", 3)[1];
    return Long.parseLong(total) >= 4 << 20
        && (bound.equals("max") || Long.parseLong(bound) >= 4L << 30);
  }

  @Test
  void serve_onALargeMachine_boundsTheHeapUnlessToldOtherwise() throws Exception {
    assumeTrue(Files.exists(Path.of("/proc/meminfo")) && isLarge(), "less than 4 GB of memory");
    assertThat(arguments("", "serve", "--node", "a b"))
        .contains("-Xmx1g")
        .endsWith("serve", "--node", "a b");
    assertThat(arguments("-Xmx2g -ea", "serve")).containsSubsequence("-Xmx1g", "-Xmx2g", "-ea");
  }

  @Test
  void otherCommands_start_withoutBound() throws Exception {
    assertThat(arguments("", "--version")).contains("-XX:+UseSerialGC").doesNotContain("-Xmx1g");
  }
}

package io.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the launcher says where something is missing, and that it starts wherever it lies. */
class LauncherMessagesIT {
  private static final Path LAUNCHER = Path.of("../penstock").toAbsolutePath().normalize();

  /** All that the launcher calls but java and mvn. */
  private static final List<String> TOOLS =
      List.of("cat", "cksum", "dirname", "find", "mkdir", "readlink", "sed", "tr", "uname");

  @TempDir Path folder;

  /** A checkout that is not built, and a PATH without Java and Maven. */
  @BeforeEach
  void prepare() throws IOException {
    Files.createDirectories(folder.resolve("checkout/cli/src/main"));
    Files.writeString(folder.resolve("checkout/pom.xml"), "");
    Files.writeString(folder.resolve("checkout/cli/pom.xml"), "");
    Files.copy(LAUNCHER, folder.resolve("checkout/penstock"));
    for (String tool : TOOLS) {
      program("bin/" + tool, "PATH=/usr/bin:/bin exec " + tool + " \"$@\"");
    }
  }

  private void program(String name, String script) throws IOException {
    Path program = folder.resolve(name);
    Files.createDirectories(program.getParent());
    Files.writeString(program, "#!/bin/sh\n" + script + "\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
  }

  private String jdk(String version, String... programs) throws IOException {
    for (String program : programs) {
      program("jdk/bin/" + program, "exit 9");
    }
    Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"" + version + "\"\n");
    return folder.resolve("jdk").toString();
  }

  /** What the launcher says, on one line or more, when it fails with status 1. */
  private String refused(Map<String, String> environment) throws Exception {
    String launcher = folder.resolve("checkout/penstock").toString();
    return ended(1, environment, List.of(launcher, "--version"));
  }

  private String ended(int status, Map<String, String> environment, List<String> arguments)
      throws Exception {
    ProcessBuilder builder = new ProcessBuilder("/bin/bash");
    builder.command().addAll(arguments);
    builder.environment().clear();
    builder.environment().put("PATH", folder.resolve("bin").toString());
    builder.environment().putAll(environment);
    Process process = builder.redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(said).isEqualTo(status);
    return said.strip();
  }

  @Test
  void java_nowhere_isAskedFor() throws Exception {
    assertThat(refused(Map.of()))
        .isEqualTo("penstock needs a JDK 17 or newer (found: nothing); set JAVA_HOME to one");
  }

  @Test
  void javaHome_wrongBesideAGoodJava_isShown() throws Exception {
    program("bin/java", "exit 9");
    assertThat(refused(Map.of("JAVA_HOME", "/no where")))
        .isEqualTo(
            "penstock needs a JDK 17 or newer (found: nothing in JAVA_HOME, which is /no where);"
                + " set JAVA_HOME to one");
  }

  @Test
  void java_tooOld_isNamedWithItsVersion() throws Exception {
    String old = jdk("11.0.2", "java", "javac");
    assertThat(refused(Map.of("JAVA_HOME", old)))
        .startsWith("penstock needs a JDK 17 or newer (found: 11.0.2 in JAVA_HOME, which is ");
  }

  @Test
  void build_withoutMaven_asksForIt() throws Exception {
    String good = jdk("17.0.1", "java", "javac");
    assertThat(refused(Map.of("JAVA_HOME", good)))
        .isEqualTo(
            "penstock needs Maven 3.6.3 or newer to build itself (found: nothing);"
                + " put mvn on the PATH");
  }

  @Test
  void build_withAJreOnly_asksForAJdk() throws Exception {
    program("bin/mvn", "exit 9");
    String jre = jdk("17.0.1", "java");
    assertThat(refused(Map.of("JAVA_HOME", jre)))
        .startsWith("penstock needs a JDK to build itself (found: a JRE in ")
        .endsWith("jdk); set JAVA_HOME to one");
  }

  @Test
  void build_whereItMayNotWrite_saysWhatItNeeds() throws Exception {
    program("bin/mvn", "exit 9");
    String good = jdk("17.0.1", "java", "javac");
    Files.writeString(folder.resolve("checkout/target-app"), "in the way, also of root");
    assertThat(refused(Map.of("JAVA_HOME", good)))
        .startsWith("penstock needs to write to ")
        .contains("/target-app to build itself (found: mkdir: ")
        .endsWith("start it once as who may");
  }

  /** The path is made by the shell: the JVM of this test may have no such letters either. */
  @Test
  void path_withOtherLettersAndNoLocale_isStartedAndItsArgumentsAreRead() throws Exception {
    Path app = Files.createDirectories(folder.resolve("checkout/target-app/app-1"));
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Echo.class.getName());
    String name = Echo.class.getName().replace('.', '/') + ".class";
    try (JarOutputStream jar =
            new JarOutputStream(Files.newOutputStream(app.resolve("penstock.jar")), manifest);
        InputStream echo = Echo.class.getResourceAsStream("/" + name)) {
      jar.putNextEntry(new ZipEntry(name));
      echo.transferTo(jar);
    }
    String script =
        """
        cd "$0" && odd="$PWD/a b "$'\\303\\251' && export PATH=$PATH:/usr/bin:/bin
        mv checkout "$odd" && echo "$odd/target-app/app-1" >"$odd/target-app/built"
        "$BASH" "$odd/penstock" $'\\303\\251.html' && mv "$odd" checkout
        """;
    for (Map<String, String> locale :
        List.of(Map.<String, String>of(), Map.of("LC_ALL", "C"), Map.of("LANG", "none.UTF-8"))) {
      Map<String, String> environment = new HashMap<>(locale);
      environment.put("JAVA_HOME", System.getProperty("java.home"));
      List<String> run = List.of("-c", script, folder.toString());
      assertThat(ended(0, environment, run)).as(locale.toString()).endsWith("/a b é/é.html");
    }
  }

  /** Says which file is meant, beside the launcher. */
  static final class Echo {
    private Echo() {}

    public static void main(String... arguments) {
      Path jar = Path.of(System.getProperty("java.class.path"));
      Path file = jar.resolve("../../..").normalize().resolve(arguments[0]);
      byte[] said = file.toString().getBytes(StandardCharsets.UTF_8);
      System.out.write(said, 0, said.length);
      System.out.println();
    }
  }
}

package io.penstock.cli.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The version that was released before this one, built by its own launcher. Immutable.
 *
 * @param tag its name
 * @param said what it tells as its version
 * @param jar its program
 */
record TaggedBuild(String tag, String said, Path jar) {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /** Beside the build folders, which go with each build: this one stays for the next. */
  private static final Path BUILDS = ROOT.resolve("target-tagged");

  private static final long BUILD_SECONDS_MAX = 400;

  private record Run(int status, String printed) {}

  /** Builds it, unless it is built; without a history that holds it the test is skipped. */
  static TaggedBuild previous() throws IOException, InterruptedException {
    if (!Files.exists(ROOT.resolve(".git"))) {
      return abort("no previous version: " + ROOT + " has no history (expected: a git clone)");
    }
    String[] released = lastReleased().split(" ", 2);
    String tag = released[0];
    String commit = released[1];
    if (run(List.of("git", "cat-file", "-e", commit + "^{commit}")).status != 0) {
      return abort("no previous version: no commit " + commit + " (expected: a whole history)");
    }
    Path home = BUILDS.resolve(tag + "-" + commit);
    if (!Files.exists(home)) {
      unpack(commit, home);
    }
    String printed = done("bash", home.resolve("penstock").toString(), "--version");
    /* Before that it may say that it builds itself. */
    String said = printed.substring(printed.lastIndexOf('\n') + 1);
    String app = Files.readString(home.resolve("target-app/built")).strip();
    return new TaggedBuild(tag, said, Path.of(app, "penstock.jar"));
  }

  /** A file and not tags, since those do not come along with every clone. */
  private static String lastReleased() throws IOException {
    List<String> lines = Files.readAllLines(ROOT.resolve("RELEASES"));
    return lines.get(lines.size() - 1);
  }

  /** The version that its tag names. */
  String version() {
    return tag.substring(1);
  }

  /** Under another name first, so that what is cut short is not taken for the whole. */
  private static void unpack(String commit, Path home) throws IOException, InterruptedException {
    Files.createDirectories(BUILDS);
    Path draft = Files.createTempDirectory(BUILDS, "draft");
    Path archive = draft.resolve("sources.tar");
    done("git", "archive", "--output", archive.toString(), commit);
    done("tar", "-xf", archive.toString(), "-C", draft.toString());
    Files.delete(archive);
    Files.move(draft, home);
  }

  private static String done(String... command) throws IOException, InterruptedException {
    Run run = run(List.of(command));
    assertThat(run.status).as("%s: %s", String.join(" ", command), run.printed).isZero();
    return run.printed;
  }

  private static Run run(List<String> command) throws IOException, InterruptedException {
    Path printed = Files.createTempFile("tagged-build", ".txt");
    ProcessBuilder builder = new ProcessBuilder(command).directory(ROOT.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().keySet().removeIf(variable -> variable.startsWith("PENSTOCK_"));
    builder.redirectErrorStream(true).redirectOutput(printed.toFile());
    try {
      Process process = builder.start();
      if (!process.waitFor(BUILD_SECONDS_MAX, TimeUnit.SECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
      }
      return new Run(process.exitValue(), Files.readString(printed, UTF_8).strip());
    } finally {
      Files.delete(printed);
    }
  }
}

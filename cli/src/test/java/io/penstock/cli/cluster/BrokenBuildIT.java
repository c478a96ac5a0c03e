package io.penstock.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Three real nodes of a build that does not follow a rule are found out by what they say, and those
 * of this build, to whom the same happens, are not.
 */
@Tag("once")
@Timeout(300)
class BrokenBuildIT {
  private static final Pattern TOO_MUCH =
      Pattern.compile(".+: allowed \\d+ (within \\d+ ns )?\\(expected: <= \\d+\\)");

  @TempDir Path folder;

  /* A harness that finds nothing proves nothing. */
  @ParameterizedTest
  @EnumSource(Flaw.class)
  void r2r14r15r21_ruleNotFollowed_isFound(Flaw flaw) throws Exception {
    Path broken = BrokenBuild.of(flaw, Files.createDirectory(folder.resolve("broken")));
    try (Nodes nodes = new Nodes(folder);
        Wires wires = nodes.wire()) {
      for (int node = 0; node < Nodes.COUNT; node++) {
        nodes.program(node, broken);
      }
      Trial trial = new Trial(nodes, wires, folder);
      nodes.startAll();
      List<String> problems = trial.problems(flaw);
      System.out.println("BrokenBuildIT: " + flaw + ": " + problems);
      assertThat(problems).anySatisfy(each -> assertThat(each).matches(TOO_MUCH));
    }
  }

  @Test
  void r2r14r15r21_allRulesFollowed_nothingIsFound() throws Exception {
    try (Nodes nodes = new Nodes(folder);
        Wires wires = nodes.wire()) {
      Trial trial = new Trial(nodes, wires, folder);
      nodes.startAll();
      for (Flaw flaw : Flaw.values()) {
        assertThat(trial.problems(flaw)).as(flaw.name()).isEmpty();
      }
    }
  }
}

package io.penstock.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Style, where a machine can count it. Beside each rule, an example on which it must fail. */
class TidyTest {
  private static final Repository REPOSITORY = Repository.find();
  private static final String ANY = "core/src/main/java/io/penstock/core/Any.java";
  private static final String ALGORITHM = "core/src/main/java/io/penstock/core/algorithm/Any.java";

  private static List<String> problems(
      Predicate<String> paths, BiFunction<String, String, List<String>> rule) {
    return REPOSITORY.paths().stream()
        .filter(paths)
        .flatMap(path -> rule.apply(path, REPOSITORY.read(path)).stream())
        .toList();
  }

  private static boolean isJava(String path) {
    return path.endsWith(".java");
  }

  private static boolean isTest(String path) {
    return isJava(path) && path.contains("/src/test/");
  }

  private static boolean isText(String path) {
    return path.matches(".*\\.(java|md|xml|yml|yaml|properties|lua|proto|txt|csv)")
        || path.matches("([^.]*/)?[^.]+|\\.ci/.*|\\.mvn/.*");
  }

  @Test
  void repository_isThisOne() {
    assertThat(REPOSITORY.paths()).contains("pom.xml", "verify", "bench/pom.xml");
  }

  @Test
  void files_all_areShort() {
    assertThat(problems(TidyTest::isJava, TidyRules::size)).isEmpty();
  }

  @Test
  void size_oneLineTooMany_isReported() {
    assertThat(TidyRules.size(ANY, "x\n".repeat(300))).isEmpty();
    assertThat(TidyRules.size(ANY, "x\n".repeat(301))).hasSize(1);
    assertThat(TidyRules.size(ALGORITHM, "x\n".repeat(120))).isEmpty();
    assertThat(TidyRules.size(ALGORITHM, "x\n".repeat(121))).hasSize(1);
  }

  @Test
  void lines_all_fitTheScreen() {
    assertThat(problems(TidyTest::isJava, TidyRules::lineLength)).isEmpty();
  }

  @Test
  void lineLength_101_isReportedUnlessImport() {
    assertThat(TidyRules.lineLength(ANY, "x".repeat(100))).isEmpty();
    assertThat(TidyRules.lineLength(ANY, "a\n" + "x".repeat(101)))
        .singleElement()
        .asString()
        .startsWith(ANY + ":2:");
    assertThat(TidyRules.lineLength(ANY, "import " + "x".repeat(101))).isEmpty();
  }

  @Test
  void methods_all_areShortWithFewParameters() {
    assertThat(problems(TidyTest::isJava, TidyRules::methods)).isEmpty();
  }

  @Test
  void methods_51Lines_isReported() {
    String body = "    if (x) { y(); }\n";
    String fits = "class A {\n  void f() {\n" + body.repeat(48) + "  }\n}\n";
    String tooLong = "class A {\n  @B(c = {1})\n  void f() {\n" + body.repeat(48) + "  }\n}\n";
    assertThat(TidyRules.methods(ANY, fits)).isEmpty();
    assertThat(TidyRules.methods(ANY, fits.replace("  }\n}", "y();\n  }\n}"))).hasSize(1);
    assertThat(TidyRules.methods(ANY, tooLong)).as("annotations count").hasSize(1);
  }

  @Test
  void methods_bracesInTextOrComment_doNotCount() {
    String text =
        "class A {\n  String a = \"{\\\"\"; // {\n  char c = '{'; /* { */\n  void f() {}\n}\n";
    assertThat(new JavaText(text).methods())
        .containsExactly(new JavaText.Method("f", 4, /* lines= */ 1, /* parameters= */ 0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "class A { void f(int a, int b, int c, int d, int e, int f) {} }",
        "interface A { void f(int a, int b, int c, int d, int e, int f); }",
        "class A { A(@B(c = 1) int a, int b, int c, int d, int e, int f) throws C {} }",
        "record A(int a) { static <T> T f(int a, int b, int c, int d, int e, T f) {} }"
      })
  void methods_sixParameters_isReported(String text) {
    assertThat(TidyRules.methods(ANY, text)).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "class A { void f(Map<B, Map<C, D>> a, int b, int c, int d, int e) {} }",
        "class A { @Override void f(int a, int b, int c, int d, int e, int f) {} }",
        "class A { void f() { g(1, 2, 3, 4, 5, 6); } }",
        "class A { B b = new B(1, 2, 3, 4, 5, 6) {}; C c = d(1, 2, 3, 4, 5, 6); }",
        "record A(int a, int b, int c, int d, int e, int f) {}"
      })
  void methods_fiveParametersOrNoMethod_isFine(String text) {
    assertThat(TidyRules.methods(ANY, text)).isEmpty();
  }

  @Test
  void types_all_haveNamesThatSay() {
    assertThat(problems(TidyTest::isJava, TidyRules::typeNames)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "class KeyManager {},Limiter",
    "final class TimeUtils {},function",
    "record QuotaInfo() {},Limit",
    "interface AbstractLimiter {},final class"
  })
  void typeNames_banned_isReportedWithItsReplacement(String text, String replacement) {
    assertThat(TidyRules.typeNames(ANY, text)).anyMatch(problem -> problem.contains(replacement));
  }

  @Test
  void typeNames_wordWithinWordOrComment_isFine() {
    assertThat(TidyRules.typeNames(ANY, "/* class Manager */ class Database {}")).isEmpty();
  }

  @Test
  void openTasks_all_nameTheirIssue() {
    assertThat(problems(TidyTest::isText, TidyRules::openTasks)).isEmpty();
  }

  @Test
  void openTasks_withoutIssue_isReported() {
    assertThat(TidyRules.openTasks(ANY, "// TODO: later")).hasSize(1);
    assertThat(TidyRules.openTasks(ANY, "// FIXME")).hasSize(1);
    assertThat(TidyRules.openTasks("a.md", "a TODO (#1)")).hasSize(1);
    assertThat(TidyRules.openTasks(ANY, "// TODO(#123): later")).isEmpty();
    assertThat(TidyRules.openTasks(ANY, "a(\"TODO\");")).isEmpty();
  }

  @Test
  void tests_all_neitherSleepNorAreSwitchedOff() {
    assertThat(problems(TidyTest::isTest, TidyRules::waitingTests)).isEmpty();
  }

  @Test
  void waitingTests_sleepOrDisabled_isReported() {
    assertThat(TidyRules.waitingTests(ANY, "Thread.sleep(1);")).hasSize(1);
    assertThat(TidyRules.waitingTests(ANY, "SECONDS.sleep(1);")).hasSize(1);
    assertThat(TidyRules.waitingTests(ANY, "@Disabled void f() {}")).hasSize(1);
    assertThat(TidyRules.waitingTests(ANY, "// never @Disabled\n\"Thread.sleep\"")).isEmpty();
  }

  @Test
  void files_all_nameNoMachinePath() {
    assertThat(problems(TidyTest::isText, TidyRules::machinePaths)).isEmpty();
  }

  @Test
  void machinePaths_homeFolder_isReported() {
    String slash = "/";
    assertThat(TidyRules.machinePaths(ANY, "see " + slash + "home/ann/penstock")).hasSize(1);
    assertThat(TidyRules.machinePaths(ANY, "cd " + slash + "root")).hasSize(1);
    assertThat(TidyRules.machinePaths(ANY, "https://a.b/root/x and ./home/page")).isEmpty();
  }

  @Test
  void packages_all_areNullMarked() {
    assertThat(TidyRules.packageInfo(REPOSITORY)).isEmpty();
  }

  @Test
  void packageInfo_missing_isReported() {
    Repository empty = new Repository(Path.of("nowhere"), Set.of(ANY));
    assertThat(TidyRules.packageInfo(empty)).singleElement().asString().contains("core/package");
    assertThat(TidyRules.isNullMarked("// @NullMarked\npackage a;")).isFalse();
  }

  @Test
  void markdown_all_leadsSomewhere() {
    assertThat(
            problems(
                path -> path.endsWith(".md") && !path.endsWith("CHANGELOG.md"),
                (path, text) -> TidyRules.links(path, text, REPOSITORY)))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[a](gone.md)",
        "[a](gone.md#part)",
        "[`a`](../docs/gone.md)",
        "`docs/gone`",
        "`Gone.java`",
        "`./docs/gone.md`"
      })
  void links_toNothing_isReported(String text, @TempDir Path root) throws Exception {
    assertThat(TidyRules.links("docs/a.md", text, sample(root))).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[a](here.md#part)",
        "[a](https://penstock.io/gone.md)",
        "[a](#part)",
        "`docs/here.md`",
        "`here.md`",
        "`docs/target/made.txt`",
        "`application/json`",
        "```\n`docs/gone.md`\n```"
      })
  void links_toSomething_isFine(String text, @TempDir Path root) throws Exception {
    assertThat(TidyRules.links("docs/a.md", text, sample(root))).isEmpty();
  }

  private static Repository sample(Path root) throws Exception {
    Files.createDirectory(root.resolve("docs"));
    Files.writeString(root.resolve("docs/here.md"), "");
    return new Repository(root, Set.of("docs/here.md"));
  }
}

package io.penstock.architecture;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.architecture.Snippets.Snippet;
import io.penstock.cli.Penstock;
import io.penstock.core.Limiter;
import io.penstock.core.LimiterBuilder;
import io.penstock.core.MemoryLimiter;
import io.penstock.micrometer.LimiterMetrics;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What the documents show is true: their Java compiles, and what they tell happens. */
class DocumentsTest {
  private static final Repository REPOSITORY = Repository.find();

  private static final Pattern COMMAND =
      Pattern.compile("(?ms)^```console\n\\$ ./penstock ([^\n]*)\n(.*?)^(?:…|```)$");
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");
  private static final Pattern TEST_NAME = Pattern.compile("`(\\w+(?:Test|IT|Contract))\\.(\\w+)`");
  private static final Pattern METER_NAME = Pattern.compile("`(penstock\\.[\\w.]+)`");

  private static Stream<String> documents() {
    return REPOSITORY.paths().stream().filter(path -> path.endsWith(".md"));
  }

  @Test
  void snippets_all_compile(@TempDir Path folder) throws IOException {
    List<Snippet> snippets = new ArrayList<>();
    documents().forEach(path -> snippets.addAll(Snippets.ofMarkdown(path, REPOSITORY.read(path))));
    REPOSITORY.paths().stream()
        .filter(path -> path.matches("(core|micrometer)/src/main/java/.*\\.java"))
        .forEach(path -> snippets.addAll(Snippets.ofJavadoc(path, REPOSITORY.read(path))));
    assertThat(snippets.stream().map(Snippet::path))
        .contains("README.md", "core/src/main/java/io/penstock/core/Limiter.java");
    assertThat(Snippets.problems(snippets, folder)).isEmpty();
  }

  @Test
  void problems_snippetThatDoesNotCompile_namesFileAndLine(@TempDir Path folder)
      throws IOException {
    String text = "Text.\n\n```java\nimport java.util.List;\nint a = 1;\nint b = c;\n```\n";
    assertThat(Snippets.problems(Snippets.ofMarkdown("a.md", text), folder))
        .singleElement()
        .asString()
        .startsWith("a.md:6: cannot find symbol");
  }

  @Test
  void problems_javadocThatDoesNotCompile_namesFileAndLine(@TempDir Path folder)
      throws IOException {
    String text = "/**\n * <pre>{@code\n * serve();\n * serve(1);\n * }</pre>\n */\n";
    assertThat(Snippets.problems(Snippets.ofJavadoc("A.java", text), folder))
        .singleElement()
        .asString()
        .startsWith("A.java:4: ");
  }

  @Test
  void stories_all_happenAsTold() {
    List<String> stories =
        documents().flatMap(path -> Story.of(REPOSITORY.read(path)).stream()).toList();
    assertThat(stories).isNotEmpty();
    assertThat(stories.stream().flatMap(story -> Story.problems(story).stream())).isEmpty();
  }

  @Test
  void problems_storyThatIsNotTrue_namesTheLine() {
    String start = "gcra 10/s burst 30\n0s  take 30  allowed, 0 left, full after 3s\n";
    assertThat(Story.problems(start + "0s  take 1  denied, retry after 100ms\n")).isEmpty();
    assertThat(Story.problems(start + "0s  take 1  allowed\n"))
        .singleElement()
        .asString()
        .contains("0s  take 1  allowed: allowed, but Decision[allowed=false");
  }

  @Test
  void commands_inTheReadme_printWhatFollows() {
    List<String> shown = new ArrayList<>();
    Matcher command = COMMAND.matcher(REPOSITORY.read("README.md"));
    while (command.find()) {
      shown.add(command.group(2));
      StringWriter out = new StringWriter();
      CommandLine penstock = new CommandLine(new Penstock()).setOut(new PrintWriter(out));
      assertThat(penstock.execute(words(command.group(1)))).isZero();
      assertThat(out.toString()).contains(command.group(2));
    }
    assertThat(shown).isNotEmpty();
  }

  private static String[] words(String command) {
    return WORD.matcher(command)
        .results()
        .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
        .toArray(String[]::new);
  }

  @Test
  void guarantees_testsThatAreNamed_exist() {
    Matcher name = TEST_NAME.matcher(REPOSITORY.read("docs/guarantees.md"));
    List<String> missing = new ArrayList<>();
    int named = 0;
    while (name.find()) {
      named++;
      if (!isTest(name.group(1), name.group(2))) {
        missing.add(name.group());
      }
    }
    assertThat(missing).isEmpty();
    assertThat(named).isGreaterThan(20);
  }

  private static boolean isTest(String type, String method) {
    return REPOSITORY.paths().stream()
        .filter(path -> path.endsWith("/" + type + ".java"))
        .anyMatch(path -> REPOSITORY.read(path).contains("void " + method + "("));
  }

  @Test
  void configuration_partsOfTheBuilder_areAllNamed() {
    String page = REPOSITORY.read("docs/reference/configuration.md");
    Stream.of(LimiterBuilder.class.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()))
        .map(Method::getName)
        .filter(name -> !name.equals("build"))
        .forEach(name -> assertThat(page).contains("`" + name + "(`"));
  }

  @Test
  void metrics_metersOfALimiter_areTheOnesNamed() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    LimiterMetrics metrics = LimiterMetrics.of(registry, "api");
    MemoryLimiter limiter = Limiter.builder().policy("1/s").listener(metrics).build();
    metrics.watchMemory(limiter);
    limiter.isAllowed("a");
    String page = REPOSITORY.read("docs/reference/metrics.md");
    Set<String> named =
        METER_NAME.matcher(page).results().map(name -> name.group(1)).collect(toSet());
    assertThat(registry.getMeters().stream().map(meter -> meter.getId().getName()).collect(toSet()))
        .isEqualTo(named);
    assertThat(registry.getMeters().stream().flatMap(DocumentsTest::tagNames))
        .allSatisfy(tag -> assertThat(page).contains("`" + tag + "`"));
  }

  private static Stream<String> tagNames(Meter meter) {
    return meter.getId().getTags().stream().map(Tag::getKey);
  }
}

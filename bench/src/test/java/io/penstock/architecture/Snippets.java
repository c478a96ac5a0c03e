package io.penstock.architecture;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Java in documents and in Javadoc, found and compiled. */
final class Snippets {
  private static final Pattern FENCED = Pattern.compile("(?ms)^```java\n(.*?)^```$");
  private static final Pattern JAVADOC =
      Pattern.compile("(?ms)^ *\\* <pre>\\{@code\n(.*?)^ *\\* }</pre>$");
  private static final Pattern MARGIN = Pattern.compile("(?m)^ *\\* ?");
  private static final Pattern IMPORT = Pattern.compile("(?m)^import .*;$");

  /** What a reader of a snippet may take for granted: the imports, and a few names. */
  private static final String BEFORE =
      """
      import io.penstock.core.*;
      import io.penstock.micrometer.*;
      import io.penstock.testkit.*;
      import io.micrometer.core.instrument.MeterRegistry;
      import java.time.Duration;
      import java.time.Instant;
      import java.util.concurrent.*;
      import org.junit.jupiter.api.Test;
      import static org.assertj.core.api.Assertions.assertThat;
      %s
      abstract class %s {
        MemoryLimiter limiter;
        MeterRegistry registry;
        byte[] bytes;
        abstract void serve();
        abstract void reject(Duration retryAfter);
        abstract Answer call();
        interface Answer { long tokens(); }
        void snippet() throws Exception {
      """;

  private static final String AFTER = "}}";

  /** Some lines of Java, and where the line before them stands. Immutable. */
  record Snippet(String path, int line, String code) {
    String name() {
      return path.replaceAll("\\W", "_") + "_" + line;
    }

    /** Imports move to the top; their lines stay, empty, so that numbers fit. */
    String source() {
      List<String> imports = IMPORT.matcher(code).results().map(match -> match.group()).toList();
      String head = BEFORE.formatted(String.join(" ", imports), name());
      return head + IMPORT.matcher(code).replaceAll("") + AFTER;
    }

    long lineOf(long lineInSource) {
      return line + lineInSource - BEFORE.lines().count();
    }
  }

  private Snippets() {}

  static List<Snippet> ofMarkdown(String path, String text) {
    return FENCED
        .matcher(text)
        .results()
        .map(block -> new Snippet(path, lineOf(text, block.start()), block.group(1)))
        .toList();
  }

  static List<Snippet> ofJavadoc(String path, String text) {
    return JAVADOC
        .matcher(text)
        .results()
        .map(
            block ->
                new Snippet(
                    path,
                    lineOf(text, block.start()),
                    MARGIN.matcher(block.group(1)).replaceAll("")))
        .toList();
  }

  private static int lineOf(String text, int index) {
    return 1 + (int) text.substring(0, index).chars().filter(c -> c == '\n').count();
  }

  /** What is wrong, each with file and line; empty if all snippets compile into the folder. */
  static List<String> problems(List<Snippet> snippets, Path folder) throws IOException {
    JavaCompiler compiler = requireNonNull(ToolProvider.getSystemJavaCompiler(), "a JDK");
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    List<Source> sources = snippets.stream().map(Source::new).toList();
    List<String> options = List.of("-proc:none", "-d", folder.toString());
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(found, Locale.ROOT, UTF_8)) {
      boolean compiled =
          compiler
              .getTask(Writer.nullWriter(), files, found, options, /* classes= */ null, sources)
              .call();
      return compiled ? List.of() : errors(found);
    }
  }

  private static List<String> errors(DiagnosticCollector<JavaFileObject> found) {
    return found.getDiagnostics().stream()
        .filter(problem -> problem.getKind() == Diagnostic.Kind.ERROR)
        .map(Snippets::text)
        .toList();
  }

  private static String text(Diagnostic<? extends JavaFileObject> problem) {
    String message = problem.getMessage(Locale.ROOT);
    if (!(problem.getSource() instanceof Source source)) {
      return message;
    }
    long line = source.snippet.lineOf(problem.getLineNumber());
    return "%s:%d: %s".formatted(source.snippet.path, line, message);
  }

  private static final class Source extends SimpleJavaFileObject {
    private final Snippet snippet;

    Source(Snippet snippet) {
      super(URI.create("snippet:///" + snippet.name() + ".java"), Kind.SOURCE);
      this.snippet = snippet;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return snippet.source();
    }
  }
}

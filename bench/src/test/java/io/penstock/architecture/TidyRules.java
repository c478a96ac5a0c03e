package io.penstock.architecture;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The rules themselves: each takes one file and answers with what is wrong in it. */
final class TidyRules {
  private static final int FILE_LINES_MAX = 300;
  private static final int ALGORITHM_LINES_MAX = 120;
  private static final int METHOD_LINES_MAX = 50;
  private static final int PARAMETERS_MAX = 5;
  private static final int LINE_CHARS_MAX = 100;

  private static final Map<String, String> BANNED_WORDS =
      Map.ofEntries(
          Map.entry("Manager", "Limiter, or the noun of what it owns"),
          Map.entry("Helper", "a package-private function beside its user"),
          Map.entry("Util", "a package-private function beside its user"),
          Map.entry("Utils", "a package-private function beside its user"),
          Map.entry("Common", "the noun of what it holds"),
          Map.entry("Data", "the noun of what it holds"),
          Map.entry("Info", "the noun of what it holds"),
          Map.entry("Processor", "the noun of its result, or a function"),
          Map.entry("Impl", "what makes it differ, as in MemoryLimiter"),
          Map.entry("Abstract", "a final class that is given its parts"),
          Map.entry("Base", "a final class that is given its parts"),
          Map.entry("Quota", "Limit"),
          Map.entry("Threshold", "Limit"),
          Map.entry("Bandwidth", "Limit"),
          Map.entry("Permit", "cost"),
          Map.entry("Permits", "cost"),
          Map.entry("Outcome", "Decision"));

  private static final Pattern CAMEL_WORD = Pattern.compile("[A-Z][a-z0-9]*");
  private static final Pattern OPEN_TASK = Pattern.compile("\\b(?:TODO|FIXME|XXX)\\b");
  private static final Pattern OPEN_TASK_OF_AN_ISSUE = Pattern.compile("TODO\\(#\\d+\\)");
  private static final Pattern SLEEPING_OR_DISABLED =
      Pattern.compile("\\bThread\\.sleep\\b|\\.sleep\\(|@Disabled\\b|@Ignore\\b");
  private static final Pattern MACHINE_PATH =
      Pattern.compile("(?<![\\w.])/(?:root|work|farm|home/\\w+|Users/\\w+)(?:/|\\b)");
  private static final Pattern FENCE = Pattern.compile("(?ms)^ *(```|~~~).*?^ *\\1 *$");
  private static final Pattern LINK = Pattern.compile("\\]\\(<?([^)\\s>]+)>?[^)]*\\)");
  private static final Pattern ELSEWHERE = Pattern.compile("^(?:[a-z]+:|#|//).*");
  private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");
  private static final Pattern PATH = Pattern.compile("(?:\\./)?[\\w.-]+(?:/[\\w.-]+)*/?");
  private static final Pattern SOURCE_FILE =
      Pattern.compile(".*\\.(?:java|md|xml|lua|proto|ya?ml|json|properties|vectors|txt|sh)");

  private TidyRules() {}

  static List<String> size(String path, String text) {
    int max =
        path.contains("src/main/java/io/penstock/core/algorithm/")
            ? ALGORITHM_LINES_MAX
            : FILE_LINES_MAX;
    long lines = text.lines().count();
    return lines <= max
        ? List.of()
        : List.of("%s: %d lines (expected: <= %d); a noun is missing".formatted(path, lines, max));
  }

  static List<String> lineLength(String path, String text) {
    return lines(
        path,
        text,
        line -> line.length() > LINE_CHARS_MAX && !line.startsWith("import "),
        "line longer than " + LINE_CHARS_MAX);
  }

  static List<String> methods(String path, String text) {
    return new JavaText(text)
        .methods().stream()
            .filter(m -> m.lines() > METHOD_LINES_MAX || m.parameters() > PARAMETERS_MAX)
            .map(
                m ->
                    "%s:%d: %s has %d lines and %d parameters (expected: <= %d and <= %d)"
                        .formatted(
                            path,
                            m.line(),
                            m.name(),
                            m.lines(),
                            m.parameters(),
                            METHOD_LINES_MAX,
                            PARAMETERS_MAX))
            .toList();
  }

  static List<String> typeNames(String path, String text) {
    List<String> problems = new ArrayList<>();
    for (String name : new JavaText(text).typeNames()) {
      words(name)
          .filter(BANNED_WORDS::containsKey)
          .map(word -> "%s: %s (instead: %s)".formatted(path, name, BANNED_WORDS.get(word)))
          .forEach(problems::add);
    }
    return problems;
  }

  private static Stream<String> words(String name) {
    return CAMEL_WORD.matcher(name).results().map(word -> word.group());
  }

  static List<String> openTasks(String path, String text) {
    String spoken = path.endsWith(".java") ? new JavaText(text).withoutLiterals() : text;
    return lines(
        path,
        spoken,
        line -> OPEN_TASK.matcher(OPEN_TASK_OF_AN_ISSUE.matcher(line).replaceAll("")).find(),
        "open task without its issue");
  }

  static List<String> waitingTests(String path, String text) {
    return lines(
        path,
        new JavaText(text).code(),
        line -> SLEEPING_OR_DISABLED.matcher(line).find(),
        "a test that sleeps or is switched off; await a condition");
  }

  static List<String> machinePaths(String path, String text) {
    return lines(
        path, text, line -> MACHINE_PATH.matcher(line).find(), "a path of somebody's machine");
  }

  /** Every folder with Java in it needs the annotation that makes references non-null. */
  static List<String> packageInfo(Repository repository) {
    return repository.paths().stream()
        .filter(path -> path.matches(".*/src/main/java/io/penstock/.*\\.java"))
        .map(path -> path.substring(0, path.lastIndexOf('/')) + "/package-info.java")
        .distinct()
        .filter(path -> !repository.exists(path) || !isNullMarked(repository.read(path)))
        .map(path -> path + ": missing, or without @NullMarked")
        .toList();
  }

  static boolean isNullMarked(String packageInfo) {
    return new JavaText(packageInfo).code().contains("@NullMarked");
  }

  /** Links that lead nowhere, and paths in backticks that name no file. */
  static List<String> links(String path, String text, Repository repository) {
    String prose = FENCE.matcher(text).replaceAll("");
    String folder = path.substring(0, path.lastIndexOf('/') + 1);
    List<String> problems = new ArrayList<>();
    for (String target : all(LINK, CODE.matcher(prose).replaceAll(""))) {
      String file = target.replaceAll("#.*", "");
      if (!ELSEWHERE.matcher(target).matches() && !repository.exists(folder + file)) {
        problems.add("%s: link to %s, which does not exist".formatted(path, target));
      }
    }
    for (String code : all(CODE, prose)) {
      if (namesAFile(code, repository) && !found(code, folder, repository)) {
        problems.add("%s: names `%s`, which does not exist".formatted(path, code));
      }
    }
    return problems;
  }

  private static List<String> all(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(match -> match.group(1)).toList();
  }

  private static boolean namesAFile(String code, Repository repository) {
    if (!PATH.matcher(code).matches() || code.matches("(.*/)?target(-.*)?/.*")) {
      return false;
    }
    boolean underAFolder =
        code.contains("/") && repository.exists(code.replaceFirst("^\\./", "").split("/", 2)[0]);
    return underAFolder || SOURCE_FILE.matcher(code).matches();
  }

  private static boolean found(String code, String folder, Repository repository) {
    return repository.exists(code)
        || repository.exists(folder + code)
        || (!code.contains("/") && repository.holdsFileNamed(code));
  }

  private static List<String> lines(
      String path, String text, Predicate<String> isWrong, String message) {
    List<String> problems = new ArrayList<>();
    int number = 0;
    for (String line : text.split("\n", -1)) {
      number++;
      if (isWrong.test(line)) {
        problems.add("%s:%d: %s: %s".formatted(path, number, message, line.strip()));
      }
    }
    return problems;
  }
}

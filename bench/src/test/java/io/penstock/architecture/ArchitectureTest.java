package io.penstock.architecture;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The shape of the system: which module may know which, and what core promises to the world. */
class ArchitectureTest {
  /** Module to the modules it may use. A new module is entered here, or the first test fails. */
  private static final Map<String, Set<String>> ARROWS =
      Map.of(
          "core", Set.of(),
          "testkit", Set.of("core"),
          "micrometer", Set.of("core"),
          "shard", Set.of("core"),
          "cluster", Set.of("core", "shard"),
          "api", Set.of(),
          "server", Set.of("core", "shard", "cluster", "api"),
          "cli", Set.of("core", "server", "api"),
          "bench", Set.of("core", "testkit", "micrometer", "server", "cli"));

  /** The public types of core: each is a promise, so each is written down. */
  private static final Set<String> PUBLIC_TYPES =
      Set.of(
          "Algorithm",
          "Algorithm.Shape",
          "Batch",
          "Check",
          "Clock",
          "Decision",
          "DecisionListener",
          "FailMode",
          "Limit",
          "Limit.Unit",
          "Limiter",
          "LimiterBuilder",
          "Log",
          "Log.Space",
          "MemoryLimiter",
          "MemoryLimiter.Usage",
          "Policy",
          "Reason",
          "Reservation",
          "Step",
          "Store");

  private static final Pattern MODULE = Pattern.compile("<module>([\\w-]+)</module>");
  private static final Pattern DEPENDENCY =
      Pattern.compile(
          "<artifactId>penstock-([\\w-]+)</artifactId>\\s*"
              + "(?:<scope>(?!test)\\w+</scope>\\s*)?</dependency>");
  private static final Pattern CLOCK_READING =
      Pattern.compile(
          "java\\.lang\\.System\\.(nanoTime|currentTimeMillis)"
              + "|java\\.time\\.[\\w.]+\\.now|java\\.time\\.Clock\\.(system|tick)\\w*"
              + "|java\\.util\\.Date\\.<init>|java\\.util\\.Calendar\\.getInstance");
  private static final Pattern IMPURE =
      Pattern.compile("java\\.(io|nio|net|util\\.(concurrent|logging))\\..*|java\\.util\\.\\w*Map");

  private static final Repository REPOSITORY = Repository.find();
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(place -> !place.contains("/test-classes/") && !place.contains("-tests"))
          .importPackages("io.penstock");

  @Test
  void modules_all_areNamedHere() {
    assertThat(all(MODULE, REPOSITORY.read("pom.xml")))
        .containsExactlyInAnyOrderElementsOf(ARROWS.keySet());
    assertThat(CLASSES.stream().map(ArchitectureTest::moduleOf).collect(toSet()))
        .isEqualTo(ARROWS.keySet());
  }

  static Set<String> modules() {
    return new TreeSet<>(ARROWS.keySet());
  }

  @ParameterizedTest
  @MethodSource("modules")
  void pom_ofEachModule_declaresExactlyItsArrows(String module) {
    assertThat(all(DEPENDENCY, REPOSITORY.read(module + "/pom.xml")))
        .containsExactlyInAnyOrderElementsOf(ARROWS.getOrDefault(module, Set.of()));
  }

  @ParameterizedTest
  @MethodSource("modules")
  void classes_ofEachModule_useOnlyItsArrows(String module) {
    assertThat(
            uses(module)
                .filter(use -> isOurs(use.target()))
                .filter(use -> !moduleOf(use.target()).equals(module))
                .filter(
                    use -> !ARROWS.getOrDefault(module, Set.of()).contains(moduleOf(use.target()))))
        .isEmpty();
  }

  @Test
  void core_classes_useOnlyJavaAndAnnotations() {
    assertThat(
            uses("core")
                .filter(use -> !isOurs(use.target()))
                .filter(use -> !use.target().isPrimitive())
                .filter(use -> !use.target().getName().matches("(java|org\\.jspecify)\\..*")))
        .isEmpty();
  }

  @Test
  void algorithms_all_arePure() {
    assertThat(
            uses("core")
                .filter(use -> use.origin().getPackageName().equals("io.penstock.core.algorithm"))
                .filter(use -> IMPURE.matcher(use.target().getName()).matches()))
        .isEmpty();
  }

  @Test
  void core_publicTypes_areTheseAndNoOthers() {
    assertThat(
            CLASSES.stream()
                .filter(type -> type.getPackageName().equals("io.penstock.core"))
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .map(type -> type.getName().substring("io.penstock.core.".length()))
                .map(name -> name.replace('$', '.')))
        .containsExactlyInAnyOrderElementsOf(PUBLIC_TYPES);
  }

  @Test
  void clock_isReadOnlyByClocks() {
    assertThat(
            CLASSES.stream()
                .filter(type -> !moduleOf(type).equals("bench"))
                .flatMap(type -> clockReadings(type).stream()))
        .isEmpty();
  }

  @Test
  void clockReadings_callOrReferenceOutsideAClock_isReported() {
    JavaClasses samples = new ClassFileImporter().importClasses(Reader.class, SampleClock.class);
    assertThat(clockReadings(samples.get(Reader.class))).hasSize(2);
    assertThat(clockReadings(samples.get(SampleClock.class))).isEmpty();
  }

  private record Reader(Instant start, LongSupplier nanos) {
    Reader() {
      this(Instant.now(), System::nanoTime);
    }
  }

  private record SampleClock(long start) {
    SampleClock() {
      this(System.nanoTime());
    }
  }

  private static List<String> clockReadings(JavaClass type) {
    return type.getName().matches(".*Clock(\\$.*)?")
        ? List.of()
        : type.getAccessesFromSelf().stream()
            .filter(
                access ->
                    CLOCK_READING
                        .matcher(access.getTargetOwner().getName() + "." + access.getName())
                        .matches())
            .map(access -> access.getDescription())
            .toList();
  }

  /** One class that uses another, outside its own module or not. */
  private record Use(JavaClass origin, JavaClass target) {
    @Override
    public String toString() {
      return origin.getName() + " uses " + target.getName();
    }
  }

  private static Stream<Use> uses(String module) {
    return CLASSES.stream()
        .filter(type -> moduleOf(type).equals(module))
        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
        .map(
            dependency ->
                new Use(
                    dependency.getOriginClass(),
                    dependency.getTargetClass().getBaseComponentType()))
        .distinct();
  }

  private static boolean isOurs(JavaClass type) {
    return type.getName().startsWith("io.penstock.");
  }

  private static String moduleOf(JavaClass type) {
    return type.getName().split("\\.", -1)[2];
  }

  private static List<String> all(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(match -> match.group(1)).toList();
  }
}

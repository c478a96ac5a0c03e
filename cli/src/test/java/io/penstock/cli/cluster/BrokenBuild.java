package io.penstock.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The program of this build, but for a flaw: so no switch in the product can ever be left on.
 * Stateless.
 */
final class BrokenBuild {
  /*
   * The file with the flaw is compiled against the program, and its classes go into a jar that is
   * asked before the program for any class.
   */
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private BrokenBuild() {}

  /** Makes it in an empty folder; its jar. */
  static Path of(Flaw flaw, Path folder) throws IOException {
    Path sources = Files.createDirectories(folder.resolve("sources"));
    Path classes = Files.createDirectories(folder.resolve("classes"));
    String text = Files.readString(ROOT.resolve(flaw.source()));
    Path source = sources.resolve(flaw.source().getFileName());
    compile(Files.writeString(source, flaw.in(text)), classes);
    return pack(classes, folder.resolve("broken.jar"));
  }

  private static void compile(Path source, Path classes) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    assertThat(compiler).as("a compiler: this is a JRE (expected: a JDK)").isNotNull();
    List<String> options =
        List.of("-d", classes.toString(), "-cp", Nodes.PROGRAM.toString(), "-proc:none");
    StringWriter said = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      boolean isDone =
          compiler
              .getTask(said, files, null, options, null, files.getJavaFileObjects(source))
              .call();
      assertThat(isDone).as(said.toString()).isTrue();
    }
  }

  private static Path pack(Path classes, Path jar) throws IOException {
    Manifest manifest = new Manifest();
    Attributes main = manifest.getMainAttributes();
    main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    main.put(Attributes.Name.MAIN_CLASS, "io.penstock.cli.Start");
    main.put(Attributes.Name.CLASS_PATH, Nodes.PROGRAM.toUri().toString());
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream packed = new JarOutputStream(out, manifest);
        Stream<Path> compiled = Files.walk(classes)) {
      for (Path file : compiled.filter(Files::isRegularFile).toList()) {
        packed.putNextEntry(new JarEntry(classes.relativize(file).toString()));
        Files.copy(file, packed);
      }
    }
    return jar;
  }
}

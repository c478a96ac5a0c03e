package io.penstock.architecture;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toCollection;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.TreeSet;

/** The files of this repository, without what a build or a tool leaves there. Immutable. */
record Repository(Path root, Set<String> paths) {

  static Repository find() {
    Path root = Path.of("").toAbsolutePath();
    while (!Files.exists(root.resolve("verify"))) {
      root = requireNonNull(root.getParent(), "the repository is not above this folder");
    }
    return new Repository(root, walk(root));
  }

  private static Set<String> walk(Path root) {
    Set<Path> files = new TreeSet<>();
    try {
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
              return isForeign(folder.getFileName().toString())
                  ? FileVisitResult.SKIP_SUBTREE
                  : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              files.add(root.relativize(file));
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list the files of " + root, e);
    }
    return files.stream()
        .map(file -> file.toString().replace('\\', '/'))
        .collect(toCollection(TreeSet::new));
  }

  private static boolean isForeign(String folder) {
    return Set.of(".git", ".idea", ".vscode", "target").contains(folder)
        || folder.startsWith("target-");
  }

  String read(String path) {
    try {
      return Files.readString(root.resolve(path));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + path, e);
    }
  }

  boolean exists(String path) {
    return Files.exists(root.resolve(path).normalize());
  }

  /** Whether any folder holds a file of this name. */
  boolean holdsFileNamed(String name) {
    return paths.stream().anyMatch(path -> path.equals(name) || path.endsWith("/" + name));
  }
}

package io.penstock.cli.simulate;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A comparison as one page that loads nothing: its styles, script and numbers are in it. */
final class HtmlReport {
  private HtmlReport() {}

  static void write(Comparison comparison, Path file) throws IOException {
    Files.writeString(file, page(comparison));
  }

  static String page(Comparison comparison) throws IOException {
    // The numbers come last: they hold text of the user's, which is no place for a placeholder.
    return resource("report.html")
        .replace("/* styles */", resource("report.css"))
        .replace("/* script */", resource("report.js"))
        .replace("/* numbers */", JsonReport.of(comparison));
  }

  private static String resource(String name) throws IOException {
    try (InputStream file = HtmlReport.class.getResourceAsStream(name)) {
      if (file == null) {
        throw new IOException("resource: " + name + " (expected: in the jar)");
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}

package io.penstock.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * Named numbers and texts that one program found out and another prints. Confined to one thread.
 */
final class Facts {
  private final Map<String, String> values = new TreeMap<>();

  static Facts read(Path file) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
    Facts facts = new Facts();
    properties.stringPropertyNames().forEach(name -> facts.put(name, properties.getProperty(name)));
    return facts;
  }

  void put(String name, Object value) {
    values.put(name, String.valueOf(value));
  }

  boolean has(String name) {
    return values.containsKey(name);
  }

  String text(String name) {
    return values.getOrDefault(name, "?");
  }

  double number(String name) {
    return Double.parseDouble(values.getOrDefault(name, "NaN"));
  }

  void print(PrintStream out) {
    values.forEach((name, value) -> out.println(name + "=" + value));
  }
}

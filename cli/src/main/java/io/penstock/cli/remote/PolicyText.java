package io.penstock.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.server.FileTrouble;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Policies as people write them on a command line, and as they read them. */
final class PolicyText {
  private PolicyText() {}

  /** The document of an argument, as JSON; only its outermost form is looked at. */
  static String document(String argument) throws IOException {
    if (argument.startsWith("@")) {
      String file = argument.substring(1);
      return file.equals("-")
          ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
          : read(Path.of(file), argument);
    }
    if (argument.strip().startsWith("{")) {
      return argument;
    }
    if (argument.matches(".*\\.(ya?ml|json)") || Files.exists(Path.of(argument))) {
      throw bad(argument, "limits, JSON, or the name of a file after @");
    }
    ObjectNode document = Connection.JSON.createObjectNode();
    ArrayNode limits = document.putArray("limits");
    for (String limit : argument.split(";", -1)) {
      limits.add(limit.strip());
    }
    return document.toString();
  }

  private static String read(Path file, String argument) throws IOException {
    if (Files.isDirectory(file)) {
      throw bad(argument, "a file that can be read; it is a folder");
    }
    try {
      return Files.readString(file);
    } catch (CharacterCodingException e) {
      throw bad(argument, "a file in UTF-8");
    } catch (IOException e) {
      throw bad(argument, "a file that can be read; " + FileTrouble.of(e));
    }
  }

  private static IOException bad(String argument, String expected) {
    return new IOException("policy: " + argument + " (expected: " + expected + ")");
  }

  /** A policy in one line: its limits, then all else that it says. */
  static String line(JsonNode policy) {
    if (policy.isNull() || policy.isMissingNode()) {
      return "deleted";
    }
    List<String> parts = new ArrayList<>();
    for (JsonNode limit : policy.path("limits")) {
      parts.add(limit.asText());
    }
    for (Map.Entry<String, JsonNode> field : policy.properties()) {
      if (!field.getKey().equals("limits")) {
        parts.add(field.getKey() + " " + value(field.getValue()));
      }
    }
    return String.join("; ", parts);
  }

  /** The fields that differ, with both values; nothing if none does. */
  static List<String[]> differences(JsonNode before, JsonNode after) {
    TreeSet<String> names = new TreeSet<>();
    before.fieldNames().forEachRemaining(names::add);
    after.fieldNames().forEachRemaining(names::add);
    List<String[]> rows = new ArrayList<>();
    for (String name : names) {
      if (!before.path(name).equals(after.path(name))) {
        rows.add(new String[] {name, value(before.path(name)), value(after.path(name))});
      }
    }
    return rows;
  }

  private static String value(JsonNode value) {
    if (value.isMissingNode()) {
      return "-";
    }
    if (!value.isArray()) {
      return value.isTextual() ? value.asText() : value.toString();
    }
    List<String> texts = new ArrayList<>();
    value.forEach(each -> texts.add(value(each)));
    return String.join("; ", texts);
  }
}

package io.penstock.server.ops;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with the server, part by part, and whether it can be asked. Thread-safe.
 *
 * <p>Trouble is not the end: decisions go on with a full disk. So health is always told with status
 * 200, for whoever would restart a server that says otherwise would make it worse.
 */
public final class Health {
  private static final JsonFactory JSON = new JsonFactory();

  /** A part tells its trouble; nothing if it has none. */
  @FunctionalInterface
  public interface Trouble {
    @Nullable String text();
  }

  /** Where the server is in its life. */
  public enum Phase {
    LOADING,
    READY,
    DRAINING
  }

  private final String node;
  private final ConcurrentMap<String, Trouble> parts = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Trouble> notes = new ConcurrentHashMap<>();
  private volatile Phase phase = Phase.LOADING;
  private volatile Trouble obstacle = () -> null;

  public Health(String node) {
    this.node = node;
  }

  /** Watches one more part. */
  public void watch(String part, Trouble trouble) {
    parts.put(part, trouble);
  }

  /** Tells what a part without trouble is doing, if it says so. */
  public void tell(String part, Trouble note) {
    notes.put(part, note);
  }

  public void enter(Phase next) {
    phase = next;
  }

  /** With this trouble it is not ready, whatever phase it is in. */
  public void readyWithout(Trouble trouble) {
    obstacle = trouble;
  }

  /** Whether every protocol answers, and nothing is in the way of deciding for good. */
  public boolean isReady() {
    return phase == Phase.READY && obstacle.text() == null;
  }

  public Phase phase() {
    return phase;
  }

  /** The parts that have trouble, and which. */
  public Map<String, String> troubles() {
    Map<String, String> troubles = new LinkedHashMap<>();
    parts.keySet().stream()
        .sorted()
        .forEach(
            part -> {
              Trouble trouble = parts.get(part);
              String text = trouble == null ? null : trouble.text();
              if (text != null) {
                troubles.put(part, text);
              }
            });
    return troubles;
  }

  private String good(String part) {
    Trouble note = notes.get(part);
    String text = note == null ? null : note.text();
    return text == null ? "ok" : "ok; " + text;
  }

  /** The body of {@code /healthz}. */
  public String json() {
    Map<String, String> troubles = troubles();
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("status", troubles.isEmpty() ? "ok" : "degraded");
      json.writeStringField("phase", phase.name().toLowerCase(Locale.ROOT));
      json.writeStringField("node", node);
      json.writeObjectFieldStart("parts");
      for (String part : parts.keySet().stream().sorted().toList()) {
        String trouble = troubles.get(part);
        json.writeStringField(part, trouble == null ? good(part) : trouble);
      }
      json.writeEndObject();
      json.writeEndObject();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return text.toString();
  }
}

package io.penstock.server.resp;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Commands and answers as {@code redis-cli} shows them, in a document, played on a server. Confined
 * to one thread.
 *
 * <p>What is behind a line of {@code …} is not shown.
 */
final class Transcript implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 20_000;
  private static final String PROMPT = "127.0.0.1:6380> ";
  private static final Pattern FENCED = Pattern.compile("(?ms)^```redis\n(.*?)^```$");

  private final Socket socket;
  private final InputStream in;

  private Transcript(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    in = new BufferedInputStream(socket.getInputStream());
  }

  /** The transcripts in a document. */
  static List<String> of(String text) {
    return FENCED.matcher(text).results().map(block -> block.group(1)).toList();
  }

  /** The answers that are not as shown, each with what came; one connection for a transcript. */
  static List<String> problems(String text, int port) throws IOException {
    List<String> problems = new ArrayList<>();
    try (Transcript transcript = new Transcript(port)) {
      for (String part : text.split(Pattern.quote(PROMPT), -1)) {
        if (!part.isEmpty()) {
          String[] told = part.split("\n", 2);
          String shown = told[1].replaceFirst("(?s)….*", "");
          String answer = transcript.call(told[0]) + "\n";
          if (shown.equals(told[1]) ? !answer.equals(shown) : !answer.startsWith(shown)) {
            problems.add(told[0] + "\n" + answer);
          }
        }
      }
    }
    return problems;
  }

  private String call(String line) throws IOException {
    socket.getOutputStream().write((line + "\r\n").getBytes(UTF_8));
    return answer();
  }

  private String answer() throws IOException {
    String line = line();
    String rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '+' -> rest;
      case '-' -> "(error) " + rest;
      case ':' -> "(integer) " + rest;
      case '$' -> rest.equals("-1") ? "(nil)" : "\"" + text(Integer.parseInt(rest)) + "\"";
      case '_' -> "(nil)";
      case '*' -> list(Integer.parseInt(rest), ") ", /* isMap= */ false);
      case '~' -> list(Integer.parseInt(rest), "~ ", /* isMap= */ false);
      case '%' -> list(Integer.parseInt(rest), "# ", /* isMap= */ true);
      default -> throw new IOException("answer: " + line + " (expected: a type that is known)");
    };
  }

  private String list(int size, String mark, boolean isMap) throws IOException {
    int width = Integer.toString(size).length();
    List<String> lines = new ArrayList<>();
    for (int i = 1; i <= size; i++) {
      String number = ("%" + width + "d").formatted(i) + mark;
      String element = isMap ? answer() + " => " + answer() : answer();
      lines.add(number + element.replace("\n", "\n" + " ".repeat(number.length())));
    }
    return lines.isEmpty() ? "(empty array)" : String.join("\n", lines);
  }

  private String text(int length) throws IOException {
    String text = new String(in.readNBytes(length), UTF_8);
    line();
    return text;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new IOException("the connection ended");
      }
      line.append((char) b);
    }
    return line.substring(0, line.length() - 1);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}

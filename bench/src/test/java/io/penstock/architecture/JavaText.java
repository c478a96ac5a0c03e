package io.penstock.architecture;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Java source read just far enough to count: comments, literals, braces. Immutable. */
record JavaText(String text) {
  private static final int COMMENT = 1;
  private static final int LITERAL = 2;
  private static final Pattern TOKEN =
      Pattern.compile(
          "(//[^\n]*|/\\*(?s:.*?)\\*/)"
              + "|(\"\"\"(?s:.*?)(?<!\\\\)\"\"\""
              + "|\"[^\"\\\\\n]*+(?:\\\\.[^\"\\\\\n]*+)*+\""
              + "|'[^'\\\\\n]*+(?:\\\\.[^'\\\\\n]*+)*+')");
  private static final Pattern ANNOTATION = Pattern.compile("@[\\w.]+(\\s*\\([^()]*\\))?");
  private static final Pattern TYPE =
      Pattern.compile("\\b(?:class|interface|enum|record)\\s+([A-Z]\\w*)");
  private static final Pattern METHOD =
      Pattern.compile("(\\w+)\\s*\\(([^()]*)\\)\\s*(?:throws\\s+[\\w.,\\s]+)?$");

  /** A method or constructor; {@code lines} is 0 where it has no body. */
  record Method(String name, int line, int lines, int parameters) {}

  /** The text with its literals blank, so that only code and comments speak. */
  String withoutLiterals() {
    return blank(LITERAL);
  }

  /** The text with literals and comments blank. Lines keep their numbers. */
  String code() {
    return new JavaText(blank(LITERAL)).blank(COMMENT);
  }

  private String blank(int kind) {
    return TOKEN
        .matcher(text)
        .replaceAll(
            token ->
                Matcher.quoteReplacement(
                    token.group(kind) == null
                        ? token.group()
                        : token.group().replaceAll("[^\n]", " ")));
  }

  List<String> typeNames() {
    return TYPE.matcher(code()).results().map(type -> type.group(1)).toList();
  }

  /** The methods of every type, of types within types too; not those of anonymous classes. */
  List<Method> methods() {
    String code = code();
    List<Method> methods = new ArrayList<>();
    Deque<Block> open = new ArrayDeque<>();
    int start = 0;
    for (int i = 0; i < code.length(); i++) {
      char c = code.charAt(i);
      if (c == '{') {
        open.push(block(code, start, i, open.isEmpty() || open.getFirst().isType()));
      } else if (c == '}' && !open.isEmpty()) {
        open.pop().addTo(methods, lineOf(code, i));
      } else if (c == ';' && !open.isEmpty() && open.getFirst().isType()) {
        block(code, start, i, /* inType= */ true).addTo(methods, /* lastLine= */ 0);
      }
      if (c == '{' || c == '}' || c == ';') {
        start = i + 1;
      }
    }
    return methods;
  }

  /** What a brace opens; without a name it is no method. */
  private record Block(boolean isType, String name, int line, int parameters) {
    void addTo(List<Method> methods, int lastLine) {
      if (!name.isEmpty()) {
        methods.add(new Method(name, line, Math.max(0, lastLine - line + 1), parameters));
      }
    }
  }

  private static Block block(String code, int start, int end, boolean inType) {
    String header = code.substring(start, end);
    int line = lineOf(code, start + header.length() - header.stripLeading().length());
    String bare = ANNOTATION.matcher(header).replaceAll(" ").strip();
    if (TYPE.matcher(bare).find() || bare.contains("@interface")) {
      return new Block(/* isType= */ true, "", line, 0);
    }
    Matcher method = METHOD.matcher(bare);
    // Whoever overrides has not chosen the parameters.
    boolean overrides = header.contains("@Override");
    return inType && !bare.contains("=") && method.find()
        ? new Block(
            /* isType= */ false, method.group(1), line, overrides ? 0 : parameters(method.group(2)))
        : new Block(/* isType= */ false, "", line, 0);
  }

  private static int parameters(String list) {
    String flat = list.strip();
    for (String before = ""; !before.equals(flat); ) {
      before = flat;
      flat = flat.replaceAll("<[^<>]*>", "");
    }
    return flat.isEmpty() ? 0 : flat.split(",", -1).length;
  }

  private static int lineOf(String text, int index) {
    return 1 + (int) text.substring(0, index).chars().filter(c -> c == '\n').count();
  }
}

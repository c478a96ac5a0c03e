package io.penstock.server.policy;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How the choices of a document are written. */
final class Words {
  private Words() {}

  static String of(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT);
  }

  /** The choice that is written like this, or null. */
  static <E extends Enum<E>> @Nullable E named(Class<E> choices, String word) {
    for (E choice : choices.getEnumConstants()) {
      if (of(choice).equals(word)) {
        return choice;
      }
    }
    return null;
  }

  static <E extends Enum<E>> String list(Class<E> choices) {
    return Arrays.stream(choices.getEnumConstants())
        .map(Words::of)
        .collect(Collectors.joining(", "));
  }
}

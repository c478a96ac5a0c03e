package io.penstock.server.node;

import io.penstock.core.policy.Descriptor;
import org.jspecify.annotations.Nullable;

/** Brings what one key has used from one grant to another. */
interface KeyMover {
  void move(String domain, Descriptor key, @Nullable Grant from, @Nullable Grant to);
}

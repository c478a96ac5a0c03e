package io.penstock.server.cluster;

import java.time.Duration;
import java.util.function.IntSupplier;

/**
 * A question, where it goes, and how long it may take. Immutable.
 *
 * @param route tells the group whose owner is asked; again if its keys belonged to another
 * @param budget after which nobody waits for the answer any more
 */
record Trip<T>(Question<T> question, IntSupplier route, Duration budget) {}

package io.penstock.server.cluster;

/**
 * A question under way to another node. Immutable.
 *
 * @param origin the process that asks: a random number
 * @param number counts what it has sent: no two deliveries have the same
 * @param millisLeft how long it waits for the answer
 * @param group whose owner is asked
 * @param revision the newest change of policies that it knows (R18)
 */
record Delivery<T>(
    long origin, long number, int group, int millisLeft, long revision, Question<T> question) {}

/** The nodes of a cluster as one: who owns, and the way of a question to the owner and back. */
@NullMarked
package io.penstock.server.cluster;

import org.jspecify.annotations.NullMarked;

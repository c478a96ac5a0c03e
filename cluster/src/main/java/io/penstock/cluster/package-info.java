/** Nodes that decide as one: shards and policies replicated by Raft. */
@NullMarked
package io.penstock.cluster;

import org.jspecify.annotations.NullMarked;

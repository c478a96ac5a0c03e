/** One shard: states, request ids and the log that makes them durable. */
@NullMarked
package io.penstock.shard;

import org.jspecify.annotations.NullMarked;

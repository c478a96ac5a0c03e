/** The node: protocols, policies, durability and security in one process. */
@NullMarked
package io.penstock.server;

import org.jspecify.annotations.NullMarked;

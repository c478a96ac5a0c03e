/** The node itself: a check goes in, an answer comes out, whatever the protocol. */
@NullMarked
package io.penstock.server.node;

import org.jspecify.annotations.NullMarked;

/** Who is asking, what they may do, and the keys and certificates that tell. */
@NullMarked
package io.penstock.server.security;

import org.jspecify.annotations.NullMarked;

/** HTTP: the own API, forward-auth, and what operators look at. */
@NullMarked
package io.penstock.server.http;

import org.jspecify.annotations.NullMarked;

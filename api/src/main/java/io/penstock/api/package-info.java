/** The gRPC messages of Penstock and those of Envoy that it speaks. */
package io.penstock.api;

package io.penstock.server;

import io.penstock.server.cluster.Topology;
import io.penstock.server.node.Node;
import io.penstock.server.policy.PolicyStore;

/** What answers behind every protocol, once it is loaded. Its parts are thread-safe. */
record Core(Node node, PolicyStore policies, Topology topology) {}

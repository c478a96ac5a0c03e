package io.penstock.server.grpc;

import io.penstock.core.policy.Descriptor;
import io.penstock.server.Bounds;
import io.penstock.server.node.Asked;
import io.penstock.server.node.CheckRequest;
import io.penstock.server.security.Caller;
import io.penstock.server.security.Role;
import java.util.ArrayList;
import java.util.List;

/** The check that a client of the own API asks for. Immutable. */
record CheckQuestion(DescriptorReader reader, Callers callers, Origins origins) {
  CheckQuestion(Bounds bounds, Callers callers, Origins origins) {
    this(new DescriptorReader(bounds), callers, origins);
  }

  /** Reads a check that cannot give back. */
  CheckRequest readTaking(io.penstock.api.v1.CheckRequest request, long costMin) {
    long cost = cost(request);
    if (cost < costMin) {
      throw DescriptorReader.bad("cost", cost, ">= " + costMin);
    }
    return read(request);
  }

  private static long cost(io.penstock.api.v1.CheckRequest request) {
    return request.hasCost() ? request.getCost() : 1;
  }

  /** Reads a request, and refuses one that its caller may not ask. */
  CheckRequest read(io.penstock.api.v1.CheckRequest request) {
    String domain = reader.domain(request.getDomain());
    List<Descriptor> descriptors = reader.own(request.getDescriptorsList());
    long cost = cost(request);
    List<Asked> asked = new ArrayList<>(descriptors.size());
    for (Descriptor descriptor : descriptors) {
      asked.add(new Asked(descriptor, cost, /* given= */ null));
    }
    int mostId = reader.bounds().requestIdLength();
    String id = DescriptorReader.text("request_id", request.getRequestId(), 0, mostId);
    Caller caller = callers.require(Role.CHECK, domain);
    return new CheckRequest(
        domain, asked, id.isEmpty() ? null : id, caller.may(Role.ADMIN, domain));
  }

  /** Reads the checks of a batch: all of them may be asked, or none is. */
  List<CheckRequest> readAll(List<io.penstock.api.v1.CheckRequest> checks) {
    DescriptorReader.size("checks", checks.size(), reader.bounds().checks());
    List<CheckRequest> all = new ArrayList<>(checks.size());
    for (int i = 0; i < checks.size(); i++) {
      try {
        all.add(read(checks.get(i)));
      } catch (FieldException e) {
        throw e.in("checks[" + i + "]");
      }
    }
    return all;
  }
}

#pragma once

#include "runtime/eager/eager_context.h"
#include "runtime/eager/eager_host.h"

namespace tinytf {

/// Frees queued values before an operation allocates memory: at a safe point, and more if the core's marks are
/// exceeded.
void make_room(SessionCore& core, EagerHost& host);

/// Has the host collect garbage if the session's live values exceed gc_pressure_bytes. If that does not help, because
/// the program still refers to them, the next collection waits until live bytes have doubled. The caller must not be
/// inside the session.
void collect_garbage(SessionCore& core, EagerContext& context, EagerHost& host);

/// Frees all values that the program does not refer to, after a garbage collection.
void free_garbage(SessionCore& core, EagerHost& host);
/// Adds the largest holders of memory to a ResourceExhausted error; returns other statuses unchanged.
Status with_holders(Status status, SessionCore& core);

/// Returns `attempt()`. If memory ran out, frees garbage and tries once more.
template <class Attempt>
Status with_memory(SessionCore& core, EagerHost& host, Attempt attempt) {
  Status status = attempt();
  if (status.code() != Code::kResourceExhausted) return status;
  free_garbage(core, host);
  return with_holders(attempt(), core);
}

}  // namespace tinytf

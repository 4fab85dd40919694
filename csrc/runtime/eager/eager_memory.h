#pragma once

#include "runtime/eager/eager_context.h"
#include "runtime/eager/eager_host.h"

namespace tinytf {

/// What the current operation is to free before it takes new memory.
void make_room(SessionCore& core, EagerHost& host);

/// Has garbage collected that keeps the session's values, if they are too many (gc_pressure_bytes). Where that did not
/// help, as the program itself holds them, it waits until they are twice as many. Outside of the session.
void collect_garbage(SessionCore& core, EagerContext& context, EagerHost& host);

/// Frees what the program does not refer to, garbage too.
void free_garbage(SessionCore& core, EagerHost& host);
/// If it is that memory is out, the error with what holds most.
Status with_holders(Status status, SessionCore& core);

/// `attempt()`, and once more if memory was out, after garbage was freed.
template <class Attempt>
Status with_memory(SessionCore& core, EagerHost& host, Attempt attempt) {
  Status status = attempt();
  if (status.code() != Code::kResourceExhausted) return status;
  free_garbage(core, host);
  return with_holders(attempt(), core);
}

}  // namespace tinytf

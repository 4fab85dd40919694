#include "runtime/eager/eager_memory.h"

#include "runtime/eager/value_sites.h"

namespace tinytf {

void make_room(SessionCore& core, EagerHost& host) {
  CoreReclaim& reclaim = core.reclaim();
  reclaim.safe_point();
  if (!reclaim.pressed()) return;
  if (!reclaim.above_hard_mark()) {
    reclaim.relieve();
    return;
  }
  (void)host.without_lock([&](Interrupt*) {
    reclaim.relieve();
    return Status();
  });
}

void collect_garbage(SessionCore& core, EagerContext& context, EagerHost& host) {
  const int64_t live = core.stats().live_bytes;
  if (live <= context.options().gc_pressure_bytes) {
    context.kept_bytes() = 0;
  } else if (live > 2 * context.kept_bytes()) {
    host.collect_garbage();
    context.kept_bytes() = core.stats().live_bytes;
  }
}

void free_garbage(SessionCore& core, EagerHost& host) {
  host.collect_garbage();
  (void)host.without_lock([&](Interrupt*) {
    core.reclaim().collect();
    return Status();
  });
}

Status with_holders(Status status, SessionCore& core) {
  if (status.code() != Code::kResourceExhausted) return status;
  const Allocator::Stats memory = core.allocator().stats();
  const int64_t limit = core.options().memory_limit_bytes;
  const std::string bounds = limit > 0 ? str_cat("memory_limit_bytes is ", limit, ": ") : std::string();
  return Status(status.code(), str_cat(status.message(), ". ", bounds, memory.live_bytes, " bytes are in use, ",
                                       memory.pooled_bytes, " idle. Most is held by: ", largest_holders(core)));
}

}  // namespace tinytf

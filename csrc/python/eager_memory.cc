#include "python/eager_memory.h"

#include "python/eager_sites.h"
#include "python/references.h"
#include "python/without_gil.h"

namespace tinytf::python {

namespace {

/// Also where the program has switched the collector off. It may run the program's own code.
void collect_python_garbage() {
  static PyObject* collect = nullptr;  // guarded by the GIL
  if (collect == nullptr) collect = py::object(py::module_::import("gc").attr("collect")).release().ptr();
  py::reinterpret_borrow<py::object>(collect)();
}

}  // namespace

void make_room(SessionCore& core) {
  CoreReclaim& reclaim = core.reclaim();
  reclaim.safe_point();
  if (!reclaim.pressed()) return;
  if (!reclaim.above_hard_mark()) {
    reclaim.relieve();
    return;
  }
  WithoutGil others_may_run;
  reclaim.relieve();
}

void collect_garbage(SessionCore& core, EagerContext& context) {
  const int64_t live = core.stats().live_bytes;
  if (live <= context.options().gc_pressure_bytes) {
    context.kept_bytes() = 0;
  } else if (live > 2 * context.kept_bytes()) {
    collect_python_garbage();
    context.kept_bytes() = core.stats().live_bytes;
  }
}

void free_garbage(SessionCore& core) {
  collect_python_garbage();
  {
    WithoutGil others_may_run;
    core.reclaim().collect();
  }
  drop_pending_references();
}

Status with_holders(Status status, SessionCore& core) {
  if (status.code() != Code::kResourceExhausted) return status;
  const Allocator::Stats memory = core.allocator().stats();
  const int64_t limit = core.options().memory_limit_bytes;
  const std::string bounds = limit > 0 ? str_cat("memory_limit_bytes is ", limit, ": ") : std::string();
  return Status(status.code(), str_cat(status.message(), ". ", bounds, memory.live_bytes, " bytes are in use, ",
                                       memory.pooled_bytes, " idle. Most is held by: ", largest_holders(core)));
}

}  // namespace tinytf::python

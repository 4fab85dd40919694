#include "python/references.h"

#include <atomic>
#include <mutex>
#include <new>
#include <vector>

#include "python/with_gil.h"

namespace tinytf::python {

namespace {

struct PendingReferences {
  std::mutex mutex;
  std::vector<PyObject*> objects;
  std::atomic<bool> any{false};
};

PendingReferences& pending() {
  static auto* pending = new PendingReferences;  // Leaked: buffers may be released after static destruction.
  return *pending;
}

}  // namespace

void give_up_reference(PyObject* object) {
  if (!Py_IsInitialized()) return;
  if (has_gil()) {
    Py_DECREF(object);
    return;
  }
  std::lock_guard lock(pending().mutex);
  try {
    pending().objects.push_back(object);
    pending().any = true;
  } catch (const std::bad_alloc&) {
    // Buffers are released in destructors, which must not throw: leaking an array is better than ending the process.
  }
}

void drop_pending_references() {
  if (!pending().any.load(std::memory_order_relaxed)) return;
  std::vector<PyObject*> objects;
  {
    std::lock_guard lock(pending().mutex);
    objects.swap(pending().objects);
    pending().any = false;
  }
  for (PyObject* object : objects) Py_DECREF(object);
}

}  // namespace tinytf::python

#include "python/testing/allocation_faults.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

constexpr int64_t kOff = -1;
std::atomic<int64_t> until_failure{kOff};  // Number of requests that still succeed.

}  // namespace

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // Sanitizers replace operator new themselves.
void* operator new(std::size_t bytes) {
  if (until_failure.load(std::memory_order_relaxed) != kOff && until_failure.fetch_sub(1) == 0) throw std::bad_alloc();
  void* const memory = std::malloc(bytes > 0 ? bytes : 1);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
#endif

namespace tinytf::python {

void bind_allocation_faults(pybind11::module_& m) {
  m.def(
      "fail_allocation", [](int64_t after) { until_failure = after; }, pybind11::arg("after"),
      "For tests: makes the engine's allocation after the next `after` ones fail; -1: none fails.");
  m.def(
      "allocation_has_failed", [] { return until_failure.load() <= kOff; },
      "Whether an allocation has failed since `fail_allocation`, or none was to fail.");
}

}  // namespace tinytf::python

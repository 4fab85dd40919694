#include "python/main_thread.h"

#include <pthread.h>
#include <pybind11/pybind11.h>

#include <atomic>

namespace tinytf::python {

namespace {
std::atomic<unsigned long> main_thread{0};
}

bool is_main_thread() {
  return PyThread_get_thread_ident() == main_thread.load(std::memory_order_relaxed) &&
         PyInterpreterState_Get() == PyInterpreterState_Main();
}

void find_main_thread() {
  const pybind11::object found = pybind11::module_::import("threading").attr("main_thread")();
  main_thread = found.attr("ident").cast<unsigned long>();
  // The thread that calls fork is the child's main thread.
  static const int watched = pthread_atfork(nullptr, nullptr, [] { main_thread = PyThread_get_thread_ident(); });
  (void)watched;
}

}  // namespace tinytf::python

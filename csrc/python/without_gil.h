#pragma once

#include <Python.h>
#include <unistd.h>

#include <optional>

#include "services/fork_gate.h"

namespace tinytf::python {

/// Releases the GIL while this object lives; for longer engine work, which must not touch Python. A thread whose
/// interpreter ends meanwhile cannot reacquire the GIL. Python up to 3.13 ends such a thread by unwinding its stack,
/// which would end the process here; the destructor blocks forever instead, as later Pythons do. A thread that forks
/// meanwhile waits briefly for the work to end.
class WithoutGil {
 public:
  WithoutGil() : state_(PyEval_SaveThread()) { inside_.emplace(); }
  ~WithoutGil() {
    inside_.reset();  // Must come first: a forking thread holds the GIL while it waits.
    try {
      PyEval_RestoreThread(state_);
    } catch (...) {
      for (;;) pause();
    }
  }
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  PyThreadState* state_;
  std::optional<ForkGate::Pass> inside_;
};

}  // namespace tinytf::python

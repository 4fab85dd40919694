#pragma once

#include <Python.h>
#include <unistd.h>

#include <optional>

#include "services/fork_gate.h"

namespace tinytf::python {

/// Lets other Python threads run while this object lives; for the engine's longer work, which must not touch Python. A
/// thread whose interpreter ends meanwhile cannot come back. Python up to 3.13 ends such a thread by unwinding its
/// stack, which would end the process here: it stays in the destructor instead, as it does in later Pythons. A thread
/// that forks meanwhile waits a little for the work to end.
class WithoutGil {
 public:
  WithoutGil() : state_(PyEval_SaveThread()) { inside_.emplace(); }
  ~WithoutGil() {
    inside_.reset();  // first: who forks holds the GIL, and waits
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

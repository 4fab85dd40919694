#pragma once

#include <Python.h>
#include <unistd.h>

namespace tinytf::python {

/// Lets other Python threads run while this object lives; for the engine's longer work, which must not touch Python. A
/// thread whose interpreter ends meanwhile cannot come back. Python up to 3.13 ends such a thread by unwinding its
/// stack, which would end the process here: it stays in the destructor instead, as it does in later Pythons.
class WithoutGil {
 public:
  WithoutGil() : state_(PyEval_SaveThread()) {}
  ~WithoutGil() {
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
};

}  // namespace tinytf::python

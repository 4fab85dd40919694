#include "python/signal_poll.h"

#include "services/float_mode.h"
#include "services/fork_gate.h"

namespace tinytf::python {

bool SignalPoll::interrupted() {
  const ForkGate::Outside waiting;  // While waiting for the GIL, which a forking thread may hold.
  const pybind11::gil_scoped_acquire locked;
  const KeepDenormals ieee;
  if (PyErr_CheckSignals() == 0) return false;
  raised_ = std::make_exception_ptr(pybind11::error_already_set());
  return true;
}

}  // namespace tinytf::python

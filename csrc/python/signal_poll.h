#pragma once

#include <pybind11/pybind11.h>

#include <exception>

#include "python/errors.h"
#include "python/main_thread.h"
#include "python/references.h"
#include "python/without_gil.h"
#include "runtime/step/stop_check.h"

namespace tinytf::python {

/// Lets Python's signal handlers run while the engine works without the GIL, and keeps the exception that one of them
/// raised (usually KeyboardInterrupt). Python handles signals on the main thread only; on other threads this does
/// nothing. Construct it and call throw_if_raised with the GIL held; interrupted() is called without it.
class SignalPoll final : public Interrupt {
 public:
  SignalPoll() : on_main_thread_(is_main_thread()) {}
  SignalPoll(const SignalPoll&) = delete;
  SignalPoll& operator=(const SignalPoll&) = delete;

  /// Returns null on other threads.
  Interrupt* interrupt() { return on_main_thread_ ? this : nullptr; }
  /// Returns true, once, if a handler raised: the step should end.
  bool interrupted() override;
  void throw_if_raised() {
    if (raised_) std::rethrow_exception(raised_);
  }

 private:
  const bool on_main_thread_;
  std::exception_ptr raised_;
};

/// Runs a blocking call without the GIL so that Ctrl-C can end it. `wait` takes a std::function<bool()> to poll, and
/// returns a Status.
template <class F>
void interruptible(F wait) {
  SignalPoll signals;
  Status status;
  {
    WithoutGil others_may_run;
    Interrupt* interrupt = signals.interrupt();
    status = wait([interrupt] { return interrupt != nullptr && interrupt->interrupted(); });
  }
  drop_pending_references();
  signals.throw_if_raised();
  throw_if_error(status);
}

}  // namespace tinytf::python

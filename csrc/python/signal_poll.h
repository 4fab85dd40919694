#pragma once

#include <pybind11/pybind11.h>

#include <exception>

#include "python/errors.h"
#include "python/main_thread.h"
#include "python/references.h"
#include "python/without_gil.h"
#include "runtime/step/step_watch.h"

namespace tinytf::python {

/// Lets Python's signal handlers run while the engine works without the GIL, and keeps what one of them raised
/// (KeyboardInterrupt, as a rule). Signals are the main thread's business: on others it does nothing. Made and asked
/// for the exception with the GIL held, asked for interrupts without.
class SignalPoll final : public Interrupt {
 public:
  SignalPoll() : on_main_thread_(is_main_thread()) {}
  SignalPoll(const SignalPoll&) = delete;
  SignalPoll& operator=(const SignalPoll&) = delete;

  /// Null on other threads.
  Interrupt* interrupt() { return on_main_thread_ ? this : nullptr; }
  /// True, once, if a handler raised: the step should end.
  bool interrupted() override;
  void throw_if_raised() {
    if (raised_) std::rethrow_exception(raised_);
  }

 private:
  const bool on_main_thread_;
  std::exception_ptr raised_;
};

/// Runs something that may wait, without the GIL, so that Ctrl-C ends it: `wait` takes a std::function<bool()> to poll,
/// and returns a Status.
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

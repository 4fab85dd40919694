#pragma once

#include <chrono>
#include <cstdint>

#include "base/deadline.h"
#include "base/status.h"

namespace tinytf {

/// The error of a step that finds that it was cancelled, between its nodes or at its end.
inline Status step_cancelled() { return Status(Code::kCancelled, "Run call was cancelled"); }

/// Asks whether the caller of a step wants to stop. Called on the thread that runs the step.
class Interrupt {
 public:
  virtual bool interrupted() = 0;

 protected:
  ~Interrupt() = default;
};

/// Checks for conditions outside a step that end it early: its time limit and the caller's interrupt. Checked from time
/// to time on the thread that called `run`, between nodes and while that thread waits. A step shorter than a polling
/// interval never polls the interrupt.
class StepStopCheck {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kPoll{20};

  /// `timeout_ms` counts from now; <= 0: no limit. `interrupt` may be null.
  StepStopCheck(int64_t timeout_ms, Interrupt* interrupt) : interrupt_(interrupt) {
    if (timeout_ms > 0) deadline_ = deadline_after(timeout_ms);
  }

  bool has_deadline() const { return deadline_ != Clock::time_point::max(); }

  /// Returns DeadlineExceeded or Cancelled, once, when the time is up or the caller wants to stop. Cheap: it uses a
  /// coarse clock.
  Status look();
  /// The last result of `look` that was not OK, if any: the reason why the step ends. To be called on the thread that
  /// looks.
  const Status& ended() const { return ended_; }
  /// The time until which a waiting thread may sleep before the next look.
  Clock::time_point next_look() const;
  /// The time between the last two looks, by the coarse clock.
  Clock::duration since_last_look() const { return since_last_look_; }

 private:
  Clock::time_point deadline_ = Clock::time_point::max();
  Clock::time_point next_poll_{};  // Unset before the first look.
  Clock::time_point last_look_{};
  Clock::duration since_last_look_{};
  Interrupt* interrupt_;
  Status ended_;
};

}  // namespace tinytf

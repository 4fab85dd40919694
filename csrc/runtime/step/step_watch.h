#pragma once

#include <chrono>
#include <cstdint>

#include "base/deadline.h"
#include "base/status.h"

namespace tinytf {

/// Asks, on the thread that runs a step, whether its caller wants to stop.
class Interrupt {
 public:
  virtual bool interrupted() = 0;

 protected:
  ~Interrupt() = default;
};

/// What may end a step early from outside it. Asked for now and then, on the thread that called `run`, between nodes
/// and while that thread waits; a step that is shorter than a poll never asks.
class StepWatch {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kPoll{20};

  /// `timeout_ms` counts from now; 0 or less: no limit. `interrupt` may be null.
  StepWatch(int64_t timeout_ms, Interrupt* interrupt) : interrupt_(interrupt) {
    if (timeout_ms > 0) deadline_ = deadline_after(timeout_ms);
  }

  bool has_deadline() const { return deadline_ != Clock::time_point::max(); }

  /// DeadlineExceeded or Cancelled, once, when the time is up or the caller wants to stop. Cheap (a coarse clock).
  Status look();
  /// What `look` returned that was not OK, if anything: why the step ends. On the thread that looks.
  const Status& ended() const { return ended_; }
  /// Until when a waiting thread may sleep before it should look again.
  Clock::time_point next_look() const;
  /// Time that passed between the last two looks, as the coarse clock tells.
  Clock::duration since_last_look() const { return since_last_look_; }

 private:
  Clock::time_point deadline_ = Clock::time_point::max();
  Clock::time_point next_poll_{};  // unset before the first look
  Clock::time_point last_look_{};
  Clock::duration since_last_look_{};
  Interrupt* interrupt_;
  Status ended_;
};

}  // namespace tinytf

#include "runtime/step_watch.h"

#include <time.h>

#include <algorithm>

namespace tinytf {

namespace {

/// The steady clock, some milliseconds coarse but several times cheaper to read.
StepWatch::Clock::time_point coarse_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return StepWatch::Clock::time_point(std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec));
}

}  // namespace

Status StepWatch::look() {
  Clock::time_point now = coarse_now();
  since_last_look_ = last_look_ == Clock::time_point() ? Clock::duration() : now - last_look_;
  last_look_ = now;
  if (has_deadline() && Clock::now() >= deadline_) {
    deadline_ = Clock::time_point::max();
    return ended_ = Status(Code::kDeadlineExceeded, "Timed out waiting for notification");
  }
  if (interrupt_ == nullptr) return Status();
  if (next_poll_ == Clock::time_point()) {
    next_poll_ = now + kPoll;
  } else if (now >= next_poll_) {
    if (interrupt_->interrupted()) {
      interrupt_ = nullptr;
      return ended_ = Status(Code::kCancelled, "Run call was interrupted");
    }
    next_poll_ = coarse_now() + kPoll;
  }
  return Status();
}

StepWatch::Clock::time_point StepWatch::next_look() const {
  if (interrupt_ == nullptr) return deadline_;
  // The coarse clock lags behind by up to a tick.
  return std::min(deadline_, Clock::now() + kPoll + std::chrono::milliseconds(5));
}

}  // namespace tinytf

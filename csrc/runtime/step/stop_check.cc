#include "runtime/step/stop_check.h"

#include <algorithm>

#include "services/platform.h"

namespace tinytf {

Status StepStopCheck::look() {
  Clock::time_point now = coarse_steady_now();
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
    next_poll_ = coarse_steady_now() + kPoll;
  }
  return Status();
}

StepStopCheck::Clock::time_point StepStopCheck::next_look() const {
  if (interrupt_ == nullptr) return deadline_;
  // The coarse clock lags by up to one tick.
  return std::min(deadline_, Clock::now() + kPoll + std::chrono::milliseconds(5));
}

}  // namespace tinytf

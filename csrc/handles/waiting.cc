#include "handles/waiting.h"

#include <algorithm>
#include <new>
#include <utility>

#include "base/deadline.h"

namespace tinytf {

void CoreLock::start_anew() noexcept {
  new (&mutex) std::mutex;
  new (&changed) std::condition_variable;
}

Waiting::Waiting(int64_t timeout_ms, std::function<bool()> interrupted)
    : timeout_ms_(timeout_ms),
      deadline_(timeout_ms < 0 ? Clock::time_point::max() : deadline_after(timeout_ms)),
      interrupted_(std::move(interrupted)) {}

bool Waiting::interrupted() const {
  if (!was_interrupted_) was_interrupted_ = interrupted_ && interrupted_();
  return was_interrupted_;
}

Waiting::Clock::time_point Waiting::next_look() const {
  constexpr auto kPoll = std::chrono::milliseconds(20);
  return std::min(deadline_, Clock::now() + kPoll);
}

int64_t Waiting::left_ms() const {
  if (timeout_ms_ < 0) return -1;
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now()).count();
  return std::max<int64_t>(0, left);
}

Status Waiting::look(const std::string& what) const {
  if (Clock::now() >= deadline_) {
    return Status(Code::kDeadlineExceeded, str_cat("The session did not end within ", timeout_ms_, " ms: ", what, "."));
  }
  if (interrupted()) return Status(Code::kCancelled, "Closing the session was interrupted.");
  return Status();
}

}  // namespace tinytf

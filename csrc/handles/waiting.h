#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

#include "base/status.h"

namespace tinytf {

/// The mutex and condition variable with which the threads of a core wait for each other.
struct CoreLock {
  std::mutex mutex;
  std::condition_variable changed;

  void tell() noexcept {
    std::lock_guard lock(mutex);
    changed.notify_all();
  }
  /// In a forked child: replaces both, because their holders and waiters do not exist here.
  void start_anew() noexcept;
};

/// Limits of the waiting of one call: a deadline and interruption.
class Waiting {
 public:
  using Clock = std::chrono::steady_clock;

  /// `timeout_ms` is in milliseconds; negative: no time limit. `interrupted` is polled; null: never.
  explicit Waiting(int64_t timeout_ms = -1, std::function<bool()> interrupted = nullptr);

  /// Whether the caller wants to stop. Remembered once true: if the awaited condition holds after all, the next wait
  /// ends.
  bool interrupted() const;
  Clock::time_point deadline() const { return deadline_; }
  /// Time of the next look() at the latest.
  Clock::time_point next_look() const;
  int64_t left_ms() const;
  /// Returns an error if the wait must end; `what` describes the awaited state in its text. Call it without a lock.
  Status look(const std::string& what) const;
  /// Waits until `holds` is true, which `lock` guards, or until a limit is reached. `what` describes the awaited state.
  template <class Predicate, class What>
  Status wait(std::unique_lock<std::mutex>& lock, std::condition_variable& changed, Predicate holds, What what) const {
    while (!changed.wait_until(lock, next_look(), holds)) {
      const std::string text = what();
      lock.unlock();
      Status status = look(text);
      lock.lock();
      if (!status.ok()) return holds() ? Status() : status;
    }
    return Status();
  }

 private:
  const int64_t timeout_ms_;
  const Clock::time_point deadline_;
  const std::function<bool()> interrupted_;
  mutable bool was_interrupted_ = false;
};

}  // namespace tinytf

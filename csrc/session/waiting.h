#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

#include "base/status.h"

namespace tinytf {

/// What the threads of a core wait for each other with.
struct CoreLock {
  std::mutex mutex;
  std::condition_variable changed;

  void tell() noexcept {
    std::lock_guard lock(mutex);
    changed.notify_all();
  }
  /// In a forked child: held by nobody here, waited for by nobody, whatever the memory says.
  void start_anew() noexcept;
};

/// How long a call may wait, and for what else it ends.
class Waiting {
 public:
  using Clock = std::chrono::steady_clock;

  /// Below 0: no time limit. `interrupted` is polled; null: never.
  explicit Waiting(int64_t timeout_ms = -1, std::function<bool()> interrupted = nullptr);

  /// Whether the caller wants to stop. It may say so once, while what was waited for came after all: then the next wait
  /// is what ends.
  bool interrupted() const;
  Clock::time_point deadline() const { return deadline_; }
  /// When to look again, at the latest.
  Clock::time_point next_look() const;
  int64_t left_ms() const;
  /// Why not to wait any longer; what is waited for is `what`. Under no lock.
  Status look(const std::string& what) const;
  /// Waits until `holds`, which is guarded by `lock`.
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

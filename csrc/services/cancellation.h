#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <mutex>

namespace tinytf {

/// Says to everybody who works for one step (or one session) that it is over. Thread-safe. `cancelled()` is one relaxed
/// load. Callbacks run once, on the cancelling thread, outside the lock.
class Cancellation {
 public:
  using Token = int64_t;

  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }

  /// Idempotent.
  void cancel() {
    std::map<Token, std::function<void()>> callbacks;
    {
      std::lock_guard lock(mutex_);
      if (cancelled_.exchange(true)) return;
      callbacks.swap(callbacks_);
    }
    for (auto& [token, callback] : callbacks) callback();
  }

  /// Registers a callback; false (and nothing registered) if already cancelled.
  bool on_cancel(Token* token, std::function<void()> callback) {
    std::lock_guard lock(mutex_);
    if (cancelled()) return false;
    *token = next_token_++;
    callbacks_.emplace(*token, std::move(callback));
    return true;
  }
  /// False if the callback has run or is running.
  bool remove(Token token) {
    std::lock_guard lock(mutex_);
    return callbacks_.erase(token) == 1;
  }
  /// For reuse by the next step; nobody may be using it.
  void reset() {
    cancelled_ = false;
    callbacks_.clear();
  }

 private:
  std::atomic<bool> cancelled_{false};
  std::mutex mutex_;
  Token next_token_ = 0;
  std::map<Token, std::function<void()>> callbacks_;
};

}  // namespace tinytf

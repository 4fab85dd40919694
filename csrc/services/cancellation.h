#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

namespace tinytf {

/// Tells all parts of a step (or of a session) that it is over. Thread-safe. `cancelled()` is one relaxed load.
/// Callbacks run once, on the cancelling thread, outside the lock; they must not run nodes, because the cancelling
/// thread may hold other locks.
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
      calling_ = !callbacks.empty();
    }
    if (callbacks.empty()) return;
    for (auto& [token, callback] : callbacks) callback();
    calling_.store(false, std::memory_order_release);
  }

  /// Registers a callback and sets *token. Returns false, without registering it, if already cancelled.
  bool on_cancel(Token* token, std::function<void()> callback) {
    std::lock_guard lock(mutex_);
    if (cancelled()) return false;
    *token = next_token_++;
    callbacks_.emplace(*token, std::move(callback));
    return true;
  }
  /// Removes a callback. Returns false if it has run or is running.
  bool remove(Token token) {
    std::lock_guard lock(mutex_);
    return callbacks_.erase(token) == 1;
  }
  /// Removes a callback, or waits until it has run. Must not be called from within a callback.
  void remove_and_wait(Token token) {
    if (remove(token)) return;
    while (calling_.load(std::memory_order_acquire)) std::this_thread::yield();  // callbacks are short
  }

 private:
  std::atomic<bool> cancelled_{false};
  std::mutex mutex_;
  std::atomic<bool> calling_{false};
  Token next_token_ = 0;
  std::map<Token, std::function<void()>> callbacks_;
};

/// While this lives, the cancellation of `outer` cancels `inner` too.
class CancelledWith {
 public:
  CancelledWith(Cancellation& outer, Cancellation& inner) : outer_(outer) {
    if (!outer_.on_cancel(&token_, [&inner] { inner.cancel(); })) inner.cancel();
  }
  ~CancelledWith() {
    if (token_ >= 0) outer_.remove_and_wait(token_);
  }
  CancelledWith(const CancelledWith&) = delete;
  CancelledWith& operator=(const CancelledWith&) = delete;

 private:
  Cancellation& outer_;
  Cancellation::Token token_ = -1;
};

}  // namespace tinytf

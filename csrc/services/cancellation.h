#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace tinytf {

class CancelledWith;

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
    CancelledWith* followers = nullptr;
    {
      std::lock_guard lock(mutex_);
      if (cancelled_.exchange(true)) return;
      callbacks.swap(callbacks_);
      followers = std::exchange(followers_, nullptr);
      if (callbacks.empty() && followers == nullptr) return;
      calling_ = true;
    }
    cancel_all(followers);
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
    if (!remove(token)) wait_for_callbacks();
  }

 private:
  friend class CancelledWith;
  static void cancel_all(CancelledWith* followers);
  void wait_for_callbacks() const {
    while (calling_.load(std::memory_order_acquire)) std::this_thread::yield();  // callbacks are short
  }

  std::atomic<bool> cancelled_{false};
  std::mutex mutex_;
  std::atomic<bool> calling_{false};
  Token next_token_ = 0;
  std::map<Token, std::function<void()>> callbacks_;
  CancelledWith* followers_ = nullptr;  // A list, whose elements their owners remove.
};

/// While this lives, the cancellation of `outer` cancels `inner` too. Needs no memory of its own. Must not be destroyed
/// from within a callback of `outer`.
class CancelledWith {
 public:
  CancelledWith(Cancellation& outer, Cancellation& inner) : outer_(outer), inner_(inner) {
    {
      std::lock_guard lock(outer_.mutex_);
      is_listed_ = !outer_.cancelled();
      if (is_listed_) {
        next_ = outer_.followers_;
        if (next_ != nullptr) next_->previous_ = this;
        outer_.followers_ = this;
      }
    }
    if (!is_listed_) inner_.cancel();
  }
  ~CancelledWith() {
    if (!is_listed_) return;
    {
      std::lock_guard lock(outer_.mutex_);
      if (!outer_.cancelled()) {
        (previous_ != nullptr ? previous_->next_ : outer_.followers_) = next_;
        if (next_ != nullptr) next_->previous_ = previous_;
        return;
      }
    }
    outer_.wait_for_callbacks();
  }
  CancelledWith(const CancelledWith&) = delete;
  CancelledWith& operator=(const CancelledWith&) = delete;

 private:
  friend class Cancellation;
  Cancellation& outer_;
  Cancellation& inner_;
  bool is_listed_ = false;  // At construction. A cancel takes the whole list.
  CancelledWith* previous_ = nullptr;
  CancelledWith* next_ = nullptr;
};

inline void Cancellation::cancel_all(CancelledWith* followers) {
  for (; followers != nullptr; followers = followers->next_) followers->inner_.cancel();
}

}  // namespace tinytf

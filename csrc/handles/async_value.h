#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "base/ref_ptr.h"
#include "base/status.h"
#include "tensor/tensor.h"

namespace tinytf {

class TensorHandle;

/// Charges a value that has arrived to the core of the handle that waits for it. Defined with SessionCore.
void charge_arrived_value(TensorHandle& handle, const Tensor& value) noexcept;

/// A producer of asynchronous values.
class ValueSource : public RefCounted {
 public:
  /// In a forked child: continues the remaining work on a new thread. Otherwise it costs one load.
  virtual void start_anew_if_forked() = 0;
};

/// A value that is set later, or the error that replaces it. Set once; thread-safe.
class AsyncValue final : public RefCounted {
 public:
  /// `source` may be null: then a forked child relies on other code to produce the value.
  explicit AsyncValue(RefPtr<ValueSource> source = nullptr) : source_(std::move(source)) {}

  bool done() const { return done_.load(std::memory_order_acquire); }
  /// Waits for the value and returns its error, if any. Must not be called with the GIL held.
  Status wait() const {
    if (!done()) {
      if (source_) source_->start_anew_if_forked();
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return done(); });
    }
    return status_;
  }
  /// Waits for at most `time`; returns whether the value is done.
  bool wait_for(std::chrono::milliseconds time) const {
    if (done()) return true;
    if (source_) source_->start_anew_if_forked();
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [this] { return done(); });
  }
  /// Valid only after a successful wait().
  const Tensor& value() const { return value_; }

  /// Counts the users of the value: live handles, and operations that take it (which call this themselves). A value
  /// without users need not be computed.
  void want() { wanters_.fetch_add(1, std::memory_order_relaxed); }
  void unwant() { wanters_.fetch_sub(1, std::memory_order_relaxed); }
  bool wanted() const { return wanters_.load(std::memory_order_relaxed) > 0; }

  void set(Tensor value) { finish(Status(), std::move(value)); }
  void fail(Status status) { finish(std::move(status), Tensor()); }

 private:
  friend class CoreHandles;

  void finish(Status status, Tensor value) {
    std::lock_guard lock(mutex_);
    status_ = std::move(status);
    value_ = std::move(value);
    if (charged_ != nullptr && status_.ok()) charge_arrived_value(*charged_, value_);
    done_.store(true, std::memory_order_release);
    changed_.notify_all();
  }
  /// Sets the handle whose core is charged when the value arrives; only the first call counts. False if it has arrived.
  bool charge_to(TensorHandle* handle) {
    std::lock_guard lock(mutex_);
    if (done()) return false;
    if (charged_ == nullptr) charged_ = handle;
    return true;
  }
  void charge_no_more(const TensorHandle* handle) {
    if (done()) return;
    std::lock_guard lock(mutex_);
    if (charged_ == handle) charged_ = nullptr;
  }

  const RefPtr<ValueSource> source_;
  std::atomic<bool> done_{false};
  std::atomic<int> wanters_{0};
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  Status status_;
  Tensor value_;
  TensorHandle* charged_ = nullptr;
};

}  // namespace tinytf

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

/// Charges a value that has come to the core of the handle that waits for it. Defined with SessionCore.
void charge_arrived_value(TensorHandle& handle, const Tensor& value) noexcept;

/// Who yields values.
class ValueSource : public RefCounted {
 public:
  /// In a forked child: what still runs here goes on, with a thread of its own. Costs a load elsewhere.
  virtual void start_anew_if_forked() = 0;
};

/// A value that somebody will yield, or the error why there is none. Set once; thread-safe.
class AsyncValue final : public RefCounted {
 public:
  /// `source` may be null: then who waits in a forked child relies on others that the value comes.
  explicit AsyncValue(RefPtr<ValueSource> source = nullptr) : source_(std::move(source)) {}

  bool done() const { return done_.load(std::memory_order_acquire); }
  /// Waits; not with the GIL held.
  Status wait() const {
    if (!done()) {
      if (source_) source_->start_anew_if_forked();
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return done(); });
    }
    return status_;
  }
  /// Waits no longer than that; whether it is done.
  bool wait_for(std::chrono::milliseconds time) const {
    if (done()) return true;
    if (source_) source_->start_anew_if_forked();
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [this] { return done(); });
  }
  /// After a successful wait().
  const Tensor& value() const { return value_; }

  /// Those who will look at the value: live handles, and operations that take it (which say so themselves). Without any
  /// it need not be made.
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
  /// The handle whose core is told of the value when it comes; the first that asks. False if it is there already.
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

#pragma once

#include <algorithm>
#include <deque>
#include <mutex>
#include <new>
#include <utility>

#include "data/iterator.h"
#include "services/fork_renewal.h"

namespace tinytf::ops {

/// Lets at most a number of background stages work at a time. Thread-safe.
class WorkLimit final : public RefCounted {
 public:
  /// `tuned`: the number in place of `most`, or null.
  explicit WorkLimit(int64_t most, RefPtr<data::TunedNumber> tuned = nullptr) : most_(most), tuned_(std::move(tuned)) {}

  int64_t most() const { return tuned_ ? tuned_->value() : most_; }

  /// Whether the stage may work; then leave() is due. If not, it is woken when it may try again.
  bool enter(data::Waker& stage) {
    renew_if_forked();
    const std::lock_guard lock(mutex_);
    if (working_ < most()) {
      ++working_;
      return true;
    }
    const auto is_stage = [&](const auto& waiting) { return waiting.get() == &stage; };
    if (std::none_of(waiting_.begin(), waiting_.end(), is_stage)) {
      waiting_.push_back(RefPtr<data::Waker>::share(&stage));
    }
    return false;
  }
  void leave() {
    renew_if_forked();
    {
      const std::lock_guard lock(mutex_);
      if (working_ > 0) --working_;
    }
    wake_next();
  }
  /// A stage cannot work, maybe one that was woken because it was its turn: the next one gets the turn. Called by
  /// wake() of a stage, so stages are woken one after the other, not one inside the other.
  void wake_next() {
    renew_if_forked();
    {
      const std::lock_guard lock(mutex_);
      ++turns_;
      if (std::exchange(is_waking_, true)) return;
    }
    while (const RefPtr<data::Waker> next = take_next()) next->wake();
  }

 private:
  /// The stage whose turn it is; null: the thread that wakes stages has ended.
  RefPtr<data::Waker> take_next() {
    const std::lock_guard lock(mutex_);
    if (turns_ == 0 || waiting_.empty()) {
      turns_ = 0;
      is_waking_ = false;
      return nullptr;
    }
    --turns_;
    RefPtr<data::Waker> next = std::move(waiting_.front());
    waiting_.pop_front();
    return next;
  }
  void renew_if_forked() noexcept {
    renewal_.run_if_due([this] {
      new (&mutex_) std::mutex;
      new (&waiting_) std::deque<RefPtr<data::Waker>>;  // The parent's are leaked, as they may be half-written.
      working_ = turns_ = 0;
      is_waking_ = false;
    });
  }

  const int64_t most_;
  const RefPtr<data::TunedNumber> tuned_;
  std::mutex mutex_;  // Guards the members below. Held briefly, and together with no other lock.
  int64_t working_ = 0;
  int64_t turns_ = 0;       // Stages to be woken by the thread that wakes them.
  bool is_waking_ = false;  // Whether there is such a thread.
  std::deque<RefPtr<data::Waker>> waiting_;
  ForkRenewal renewal_;
};

}  // namespace tinytf::ops

#include "handles/drain_tracker.h"

namespace tinytf {

DrainTracker::Drain::Drain(DrainTracker& drains) : drains_(drains) {
  std::lock_guard lock(drains.lock_.mutex);
  number_ = ++drains.begun_;
  older_ = drains.newest_;
  (older_ == nullptr ? drains.oldest_ : older_->newer_) = this;
  drains.newest_ = this;
}

DrainTracker::Drain::~Drain() {
  std::lock_guard lock(drains_.lock_.mutex);
  (older_ == nullptr ? drains_.oldest_ : older_->newer_) = newer_;
  (newer_ == nullptr ? drains_.newest_ : newer_->older_) = older_;
  if (older_ == nullptr && drains_.waiting_ > 0) drains_.lock_.changed.notify_all();
}

Status DrainTracker::wait(const Waiting& waiting) {
  std::unique_lock lock(lock_.mutex);
  const int64_t last = begun_;
  ++waiting_;
  const Status status = waiting.wait(
      lock, lock_.changed, [&] { return oldest_ == nullptr || oldest_->number_ > last; },
      [] { return "dropped values are still being freed"; });
  --waiting_;
  return status;
}

}  // namespace tinytf

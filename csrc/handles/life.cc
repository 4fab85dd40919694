#include "handles/life.h"

#include "base/ref_ptr.h"

namespace tinytf {

Status CoreLife::refuse_inside(const char* name) const {
  if (gate_.users_on_this_thread() == 0 && !operations_.on_their_thread()) return Status();
  return failed_precondition(str_cat(name, "() was called from inside an operation of this session"));
}

// Requires the lock.
Status CoreLife::refuse_within(const char* name) const {
  if (!busy_ || closer_ != std::this_thread::get_id()) return Status();
  return failed_precondition(str_cat(name, "() was called while this thread is in close() or reset() of this session"));
}

void CoreLife::begin() {
  busy_ = true;
  closer_ = std::this_thread::get_id();
}

Status CoreLife::wait_for_use(const Waiting& waiting, std::unique_lock<std::mutex>& lock) {
  const Status status = gate_.wait_until_empty(waiting, lock);
  lock.unlock();
  return status.ok() ? operations_.wait(waiting) : status;
}

Status CoreLife::close(int64_t timeout_ms, bool cancel_pending, const std::function<bool()>& interrupted) {
  TINYTF_RETURN_IF_ERROR(refuse_inside("close"));
  const Waiting waiting(timeout_ms, interrupted);
  std::unique_lock lock(lock_.mutex);
  if (abandoned_) return Status();
  TINYTF_RETURN_IF_ERROR(refuse_within("close"));
  if (now() == Life::kOpen) {
    life_.store(Life::kClosing, std::memory_order_release);
    gate_.close();
    reaper_.want_no_more();
  }
  if (cancel_pending && now() == Life::kClosing) {
    lock.unlock();
    operations_.cancel();
    lock.lock();
  }
  TINYTF_RETURN_IF_ERROR(waiting.wait(
      lock, lock_.changed, [this] { return !busy_ || now() == Life::kClosed; },
      [] { return "another thread is closing or resetting it"; }));
  if (now() == Life::kClosed) return Status();
  begin();
  lock.unlock();
  operations_.cancel_background();
  lock.lock();
  Status status = wait_for_use(waiting, lock);
  if (status.ok()) {
    operations_.stop_resources();
    points_.at(TestPoint::kClosingBeforeJoin);
    status = reaper_.end(waiting);
  }
  if (status.ok()) {
    free_everything();
    operations_.close();
  }
  lock.lock();
  busy_ = false;
  if (status.ok()) life_.store(Life::kClosed, std::memory_order_release);
  lock_.changed.notify_all();
  lock.unlock();
  if (status.ok()) handles_.release(1);
  return status;
}

void CoreLife::free_everything() {
  reclaim_.close_queues();
  reclaim_.close_retained();
  reclaim_.wait_for_drains();
  {
    const ForkGate::Pass pass;
    handles_.invalidate_live();
  }
  operations_.let_go_of_parts();
  memory_.allocator().retire();
}

void CoreLife::abandon() {
  bool frees_here = false;
  {
    std::lock_guard lock(lock_.mutex);
    if (now() == Life::kClosed || abandoned_) return;
    abandoned_ = true;
    const bool has_reaper = reaper_.let_go_of_thread();   // frees the queued values and closes the queues at its end
    frees_here = !has_reaper || now() == Life::kClosing;  // a close() gave up waiting, and the reaper may have ended
  }
  if (frees_here) reclaim_.close_queues();
  reclaim_.close_retained();
  operations_.let_go();
  handles_.release(1);
}

Status CoreLife::reset(int64_t timeout_ms, const std::function<bool()>& interrupted) {
  TINYTF_RETURN_IF_ERROR(refuse_inside("reset"));
  const Waiting waiting(timeout_ms, interrupted);
  std::unique_lock lock(lock_.mutex);
  TINYTF_RETURN_IF_ERROR(refuse_within("reset"));
  TINYTF_RETURN_IF_ERROR(waiting.wait(
      lock, lock_.changed, [this] { return !busy_ || !is_open(); },
      [] { return "another thread is closing or resetting it"; }));
  if (!is_open()) return failed_precondition("The session was closed.");
  begin();
  gate_.close();
  const Status status = wait_for_use(waiting, lock);
  if (status.ok()) {
    reclaim_.reset();
    reclaim_.wait_for_drains();
    {
      const ForkGate::Pass pass;
      handles_.invalidate_live();
    }
    memory_.allocator().trim();
    operations_.clear_error();
  }
  lock.lock();
  busy_ = false;
  if (now() == Life::kOpen) gate_.open();
  lock_.changed.notify_all();
  return status;
}

void CoreLife::start_anew() {
  busy_ = false;
  if (now() == Life::kOpen) gate_.open();
  gate_.forget_other_threads();
  const bool had_reaper = reaper_.forget();
  if (abandoned_) {
    reclaim_.close_queues();
  } else if (had_reaper && now() == Life::kOpen) {
    reaper_.want();
  }
}

}  // namespace tinytf

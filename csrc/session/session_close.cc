// The end of a session's core, and its beginning anew: close, abandon, reset, a fork's child.

#include <sched.h>

#include <algorithm>
#include <new>

#include "base/deadline.h"
#include "session/core_testing.h"
#include "session/session_core.h"

namespace tinytf {

namespace {
constexpr auto kPoll = std::chrono::milliseconds(20);
}

/// How long a call may wait, and for what else it ends.
struct SessionCore::Waiting {
  explicit Waiting(int64_t timeout_ms = -1, std::function<bool()> interrupted = nullptr)
      : timeout_ms(timeout_ms),
        deadline(timeout_ms < 0 ? Clock::time_point::max() : deadline_after(timeout_ms)),
        interrupted_(std::move(interrupted)) {}

  /// Whether the caller wants to stop. It may say so once, while what was waited for came after all: then the next wait
  /// is what ends.
  bool interrupted() const {
    if (!was_interrupted_) was_interrupted_ = interrupted_ && interrupted_();
    return was_interrupted_;
  }

  Clock::time_point next_look() const { return std::min(deadline, Clock::now() + kPoll); }
  int64_t left_ms() const {
    if (timeout_ms < 0) return -1;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    return std::max<int64_t>(0, left);
  }
  /// Why not to wait any longer; what is waited for is `what`. Under no lock.
  Status look(const std::string& what) const {
    if (Clock::now() >= deadline) {
      return Status(Code::kDeadlineExceeded,
                    str_cat("The session did not end within ", timeout_ms, " ms: ", what, "."));
    }
    if (interrupted()) return Status(Code::kCancelled, "Closing the session was interrupted.");
    return Status();
  }
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

  const int64_t timeout_ms;
  const Clock::time_point deadline;

 private:
  const std::function<bool()> interrupted_;
  mutable bool was_interrupted_ = false;
};

CoreStats::Life SessionCore::life() const { return life_.load(std::memory_order_acquire); }

bool SessionCore::inside_on_this_thread() const {
  for (const Entry* entry = Entry::innermost_; entry != nullptr; entry = entry->around_) {
    if (&entry->core_ == this && entry->inside_) return true;
  }
  const AsyncQueue* async = async_.load(std::memory_order_acquire);
  return async != nullptr && async->on_its_thread();
}

void SessionCore::tell_waiting() noexcept {
  std::lock_guard lock(mutex_);
  changed_.notify_all();
}

Status SessionCore::wait_for_users(const Waiting& waiting, std::unique_lock<std::mutex>& lock) {
  const auto users = [this] { return active_.load(std::memory_order_acquire) / 2; };
  return waiting.wait(
      lock, changed_, [&] { return users() == 0; },
      [&] { return str_cat(users(), users() == 1 ? " operation is still running" : " operations are still running"); });
}

void SessionCore::cancel_operations() {
  cancelled_ = true;
  RefPtr<SessionParts> parts;
  {
    std::lock_guard lock(mutex_);
    parts = attached_;
  }
  if (parts) parts->cancel();
  if (AsyncQueue* async = async_.load(std::memory_order_acquire)) async->cancel_pending();
}

Status SessionCore::wait_for_operations(const Waiting& waiting) {
  AsyncQueue* async = async_.load(std::memory_order_acquire);
  if (async == nullptr) return Status();
  if (cancelled_) async->cancel_pending();  // what those that were inside have added since
  const auto poll = [&] { return waiting.interrupted(); };
  while (async->pending() > 0) {
    const Status status = async->wait(waiting.left_ms(), poll);
    if (async->pending() == 0) break;
    if (waiting.interrupted()) return status;
    TINYTF_RETURN_IF_ERROR(waiting.look(str_cat(async->pending(), " asynchronous operations are pending")));
  }
  return Status();
}

Status SessionCore::wait_for_reaper(const Waiting& waiting) {
  if (!reaper_.started()) return Status();
  reaper_.tell_stop();
  if (CoreHooks* hooks = hooks_.load(std::memory_order_acquire)) hooks->reaper_told_to_stop();
  while (!reaper_.wait_done(waiting.next_look())) {
    TINYTF_RETURN_IF_ERROR(waiting.look("what was dropped is still being freed"));
  }
  reaper_.join();
  return Status();
}

// Drains that begin from now on find what was queued since; with the queues closed, nothing.
Status SessionCore::wait_for_drains(const Waiting& waiting) {
  const auto what = [] { return "what was dropped is still being freed"; };
  std::unique_lock lock(mutex_);
  TINYTF_RETURN_IF_ERROR(waiting.wait(lock, changed_, [this] { return !waiting_for_drains_.load(); }, what));
  waiting_for_drains_.store(true, std::memory_order_seq_cst);
  Status status;
  for (int turn = 0; turn < 2 && status.ok(); ++turn) {  // a drain may have read an epoch and not yet count in it
    const int epoch = drain_epoch_.fetch_add(1, std::memory_order_seq_cst) & 1;
    status = waiting.wait(lock, changed_, [&] { return draining_[epoch].load(std::memory_order_seq_cst) == 0; }, what);
  }
  waiting_for_drains_.store(false, std::memory_order_seq_cst);
  changed_.notify_all();
  return status;
}

void SessionCore::close_queues() {
  const ForkGate::Pass pass;
  int64_t freed = 0;
  large_.close([&](TensorHandle* chain) {
    if (chain != nullptr) free_chain(chain, {}, queued_.large, &freed);
  });
  small_.close([&](TensorHandle* chain) {
    if (chain != nullptr) free_chain(chain, {}, queued_.small, &freed);
  });
  free_blocks(blocks_.close());
}

void SessionCore::free_retained(TensorHandle* chain) {
  if (chain == nullptr) return;
  // They become queued ones, which nobody else sees.
  int64_t count = 0;
  int64_t bytes = 0;
  for (TensorHandle* handle = chain; handle != nullptr; handle = handle->queue_next) {
    bytes += std::max<int64_t>(0, handle->bytes_.load(std::memory_order_relaxed));
    ++count;
  }
  queued_.retained.fetch_sub(count, std::memory_order_relaxed);
  queued_.retained_bytes.fetch_sub(bytes, std::memory_order_relaxed);
  queued_.small.fetch_add(count, std::memory_order_relaxed);
  queued_.bytes.fetch_add(bytes, std::memory_order_relaxed);
  const ForkGate::Pass pass;
  int64_t freed = 0;
  free_chain(chain, {}, queued_.small, &freed);
}

void SessionCore::invalidate_live() {
  const ForkGate::Pass pass;
  int64_t count = 0;
  int64_t bytes = 0;
  slabs_.for_each([&](TensorHandle& handle) {
    auto state = TensorHandle::State::kLive;
    if (!handle.state_.compare_exchange_strong(state, TensorHandle::State::kInvalidated, std::memory_order_acq_rel,
                                               std::memory_order_relaxed)) {
      return;
    }
    if (handle.pending_) handle.pending_->unwant();
    bytes += free_value(handle);
    ++count;
  });
  held_.bytes.fetch_sub(bytes, std::memory_order_relaxed);
  freed_.invalidated.fetch_add(count, std::memory_order_relaxed);
}

Status SessionCore::flush(int64_t timeout_ms, const std::function<bool()>& interrupted) {
  if (generation_.load(std::memory_order_relaxed) != ForkGate::generation()) start_anew_in_child();
  const Waiting waiting(timeout_ms, interrupted);
  Extent extent;
  extent.until = waiting.deadline;
  for (;;) {
    const int64_t put_back = put_back_.load(std::memory_order_seq_cst);
    drain_all(extent);
    if (Clock::now() >= waiting.deadline && !nothing_queued()) return waiting.look("not everything is freed");
    TINYTF_RETURN_IF_ERROR(wait_for_drains(waiting));
    // Others had taken it, and have freed it unless they put something back.
    if (put_back_.load(std::memory_order_seq_cst) == put_back) return Status();
  }
}

Status SessionCore::close(int64_t timeout_ms, bool cancel_pending, const std::function<bool()>& interrupted) {
  if (generation_.load(std::memory_order_relaxed) != ForkGate::generation()) start_anew_in_child();
  if (inside_on_this_thread()) {
    return failed_precondition("close() was called from inside an operation of this session");
  }
  const Waiting waiting(timeout_ms, interrupted);
  std::unique_lock lock(mutex_);
  if (abandoned_) return Status();
  if (busy_closing_ && closer_ == std::this_thread::get_id()) {
    return failed_precondition("close() was called while this thread is in close() or reset() of this session");
  }
  if (life() == CoreStats::Life::kOpen) {
    life_.store(CoreStats::Life::kClosing, std::memory_order_release);
    active_.fetch_or(kClosingBit, std::memory_order_acq_rel);
    reaper_wanted_ = false;
  }
  if (cancel_pending && life() == CoreStats::Life::kClosing) {
    lock.unlock();
    cancel_operations();
    lock.lock();
  }
  TINYTF_RETURN_IF_ERROR(waiting.wait(
      lock, changed_, [this] { return !busy_closing_ || life() == CoreStats::Life::kClosed; },
      [] { return "another thread is closing it"; }));
  if (life() == CoreStats::Life::kClosed) return Status();
  busy_closing_ = true;
  closer_ = std::this_thread::get_id();
  Status status = wait_for_users(waiting, lock);
  lock.unlock();
  if (status.ok()) status = wait_for_operations(waiting);
  if (status.ok()) {
    at(CorePoint::kClosingBeforeJoin);
    status = wait_for_reaper(waiting);
  }
  if (status.ok()) {
    free_everything();
    if (AsyncQueue* async = async_.load(std::memory_order_acquire)) async->close();
  }
  lock.lock();
  busy_closing_ = false;
  if (status.ok()) life_.store(CoreStats::Life::kClosed, std::memory_order_release);
  changed_.notify_all();
  lock.unlock();
  if (status.ok()) release_units(1);
  return status;
}

void SessionCore::free_everything() {
  close_queues();
  free_retained(retained_.close());
  (void)wait_for_drains(Waiting());  // without a limit
  invalidate_live();
  RefPtr<SessionParts> parts;
  {
    std::lock_guard lock(mutex_);
    parts = std::move(attached_);
  }
  parts.reset();
  allocator_->retire();
}

void SessionCore::abandon() {
  if (generation_.load(std::memory_order_relaxed) != ForkGate::generation()) start_anew_in_child();
  const RefPtr<SessionCore> self = RefPtr<SessionCore>::share(this);
  bool has_reaper = false;
  bool closing = false;
  {
    std::lock_guard lock(mutex_);
    if (life() == CoreStats::Life::kClosed || abandoned_) return;
    closing = life() == CoreStats::Life::kClosing;  // somebody gave up waiting
    abandoned_.store(true, std::memory_order_release);
    reaper_wanted_ = false;
    has_reaper = reaper_.started();
    if (has_reaper) {  // it frees what is queued, and closes the queues at its end
      reaper_.detach();
      reaper_.tell_stop();
      if (CoreHooks* hooks = hooks_.load(std::memory_order_acquire)) hooks->reaper_told_to_stop();
    }
  }
  if (!has_reaper || closing) close_queues();  // the reaper may be past that
  free_retained(retained_.close());
  if (AsyncQueue* async = async_.load(std::memory_order_acquire)) async->let_go();
  release_units(1);
}

Status SessionCore::reset(int64_t timeout_ms, const std::function<bool()>& interrupted) {
  if (generation_.load(std::memory_order_relaxed) != ForkGate::generation()) start_anew_in_child();
  if (inside_on_this_thread()) {
    return failed_precondition("reset() was called from inside an operation of this session");
  }
  const Waiting waiting(timeout_ms, interrupted);
  std::unique_lock lock(mutex_);
  if (busy_closing_ && closer_ == std::this_thread::get_id()) {
    return failed_precondition("reset() was called while this thread is in close() or reset() of this session");
  }
  const auto is_open = [this] { return life() == CoreStats::Life::kOpen && !abandoned_; };
  TINYTF_RETURN_IF_ERROR(waiting.wait(
      lock, changed_, [&] { return !busy_closing_ || !is_open(); }, [] { return "another thread is ending it"; }));
  if (!is_open()) return failed_precondition("The session was closed.");
  busy_closing_ = true;
  closer_ = std::this_thread::get_id();
  active_.fetch_or(kClosingBit, std::memory_order_acq_rel);
  Status status = wait_for_users(waiting, lock);
  lock.unlock();
  if (status.ok()) status = wait_for_operations(waiting);
  if (status.ok()) {
    drain_all({});
    free_retained(retained_.take_all());
    (void)wait_for_drains(Waiting());
    invalidate_live();
    allocator_->trim();
    warned_ = false;
    if (AsyncQueue* async = async_.load(std::memory_order_acquire)) async->clear_error();
  }
  lock.lock();
  busy_closing_ = false;
  if (life() == CoreStats::Life::kOpen) active_.fetch_and(~kClosingBit, std::memory_order_acq_rel);
  changed_.notify_all();
  return status;
}

void SessionCore::start_anew_in_child() noexcept {
  constexpr int kBusy = -1;
  const int now = ForkGate::generation();
  int known = generation_.load(std::memory_order_acquire);
  if (known == now) return;
  if (known == kBusy || !generation_.compare_exchange_strong(known, kBusy, std::memory_order_acquire)) {
    while (generation_.load(std::memory_order_acquire) != now) sched_yield();
    return;
  }
  new (&mutex_) std::mutex;  // held by nobody here, waited for by nobody
  new (&changed_) std::condition_variable;
  busy_closing_ = false;
  slabs_.forget_other_threads();
  int64_t mine = 0;
  for (const Entry* entry = Entry::innermost_; entry != nullptr; entry = entry->around_) {
    if (&entry->core_ == this && entry->inside_) ++mine;
  }
  const int64_t closing = life() == CoreStats::Life::kOpen ? 0 : kClosingBit;
  const int64_t before = active_.exchange(2 * mine + closing);
  freed_.orphaned.fetch_add(before / 2 - mine, std::memory_order_relaxed);
  draining_[0] = 0;
  draining_[1] = 0;
  waiting_for_drains_ = false;
  const bool had_reaper = reaper_.started() || reaper_.alive();
  if (had_reaper) {
    reaper_.forget();
    unref();  // the thread's
  }
  if (abandoned_) {
    close_queues();
  } else if (had_reaper && life() == CoreStats::Life::kOpen) {
    reaper_wanted_ = true;
  }
  generation_.store(now, std::memory_order_release);
}

}  // namespace tinytf

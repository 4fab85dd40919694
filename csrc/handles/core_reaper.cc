#include "handles/core_reaper.h"

namespace tinytf {

void CoreReaper::start() {
  std::lock_guard lock(lock_.mutex);
  if (!wanted_.exchange(false)) return;
  life_.ref();                          // reference of the thread
  if (!reaper_.start()) life_.unref();  // then threads that make handles free, at the hard mark at the latest
}

Status CoreReaper::end(const Waiting& waiting) {
  if (!reaper_.started()) return Status();
  reaper_.tell_stop();
  points_.reaper_told_to_stop();
  while (!reaper_.wait_done(waiting.next_look())) {
    TINYTF_RETURN_IF_ERROR(waiting.look("dropped values are still being freed"));
  }
  reaper_.join();
  return Status();
}

bool CoreReaper::let_go_of_thread() {
  let_go_.store(true, std::memory_order_release);
  wanted_ = false;
  if (!reaper_.started()) return false;
  reaper_.detach();
  reaper_.tell_stop();
  points_.reaper_told_to_stop();
  return true;
}

bool CoreReaper::forget() {
  if (!reaper_.started() && !reaper_.alive()) return false;
  reaper_.forget();
  life_.unref();  // reference of the thread
  return true;
}

void CoreReaper::count(CoreStats& stats) const {
  stats.reaper_alive = reaper_.alive();
  stats.wakeups = reaper_.wakeups();
  stats.batches = reaper_.batches();
  stats.max_batch = reaper_.max_batch();
  stats.busy_us = reaper_.busy_us();
}

}  // namespace tinytf

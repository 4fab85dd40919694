#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "services/native_thread.h"
#include "services/wake_signal.h"

namespace tinytf {

/// The work of a reaper.
class ReaperWork {
 public:
  /// Frees a batch of queued values and returns their number; 0: nothing was queued. Called on the reaper's thread.
  virtual int64_t free_batch() = 0;
  virtual bool nothing_queued() const = 0;
  /// Whether values can be queued without a preceding rouse().
  virtual bool more_may_come() const = 0;
  /// Whether so much is queued that it should not wait.
  virtual bool urgent() const = 0;
  /// Called before each batch, and when the thread found no work and is about to rest. Tests hold the thread here.
  virtual void before_batch() = 0;
  virtual void before_rest() = 0;
  /// Called after the last batch, before the thread reports its end.
  virtual void before_end() {}
  /// Called last on the thread; may destroy the reaper.
  virtual void at_end() = 0;

 protected:
  ~ReaperWork() = default;
};

/// The thread that frees a session's values. It never touches Python and stops only when told to. To wake it from sleep
/// may cost the waking thread 10 µs. Therefore it naps instead, for increasing periods: for a quarter of a second after
/// the last work, and as long as more may come, up to a second per nap. During that time, dropping a value wakes no
/// thread. `notify*` and `rouse` neither lock nor wait; the other functions must be called by one thread at a time.
class Reaper {
 public:
  /// `nap_us` is the first nap in microseconds; naps get up to 8 times as long while there is little to do, and up to
  /// 1024 times as long while there is nothing. 0: it does not nap.
  explicit Reaper(ReaperWork& work, int64_t nap_us = 1000);

  /// Starts the thread; false if the system cannot create it.
  bool start();
  /// True until the thread is joined or detached.
  bool started() const { return thread_.started(); }
  bool alive() const { return alive_.load(std::memory_order_acquire); }

  /// Called when something was queued in an empty queue.
  void notify() noexcept {
    if (rest_.load(std::memory_order_seq_cst) == Rest::kAsleep) wake(Rest::kAsleep);
  }
  /// Called when work may come soon: ends long naps and sleep, so that short naps follow. Costs one load otherwise.
  void rouse() noexcept {
    const Rest rest = rest_.load(std::memory_order_seq_cst);
    if (rest == Rest::kAsleep || rest == Rest::kDrowsing) wake(rest);
  }
  /// Called when urgent work was queued: ends naps, too.
  void notify_urgent() noexcept {
    const Rest rest = rest_.load(std::memory_order_seq_cst);
    if (rest != Rest::kNone) wake(rest);
  }

  /// Tells the thread to end after its current batch; idempotent.
  void tell_stop();
  bool told_to_stop() const { return stop_.load(std::memory_order_seq_cst); }
  /// Waits until the thread has done its last batch, but not beyond `until`; returns whether it has.
  bool wait_done(std::chrono::steady_clock::time_point until);
  /// Joins the thread, after tell_stop. Then it may be started again.
  void join();
  /// Detaches the thread, which ends once it was told to stop.
  void detach();
  /// Resets this object in a forked child, where the thread does not exist.
  void forget();

  // Statistics.
  int64_t wakeups() const { return wakeups_.load(std::memory_order_relaxed); }
  int64_t batches() const { return batches_.load(std::memory_order_relaxed); }
  int64_t max_batch() const { return max_batch_.load(std::memory_order_relaxed); }
  int64_t busy_us() const { return busy_ns_.load(std::memory_order_relaxed) / 1000; }

 private:
  enum class Rest : uint8_t { kNone, kNapping, kDrowsing, kAsleep };  // drowsing: a long nap
  void wake(Rest rest) noexcept;
  void run();
  int64_t work();
  /// Returns whether it was woken.
  bool nap(int64_t us, bool idle);
  void sleep();

  ReaperWork& work_;
  const int64_t first_nap_us_;
  NativeThread thread_;
  std::atomic<Rest> rest_{Rest::kNone};
  std::atomic<bool> stop_{false};
  std::atomic<bool> alive_{false};
  WakeSignal wake_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool done_ = false;

  // Written only by the reaper's thread.
  std::atomic<int64_t> wakeups_{0}, batches_{0}, max_batch_{0}, busy_ns_{0};
};

}  // namespace tinytf

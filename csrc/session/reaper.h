#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "services/native_thread.h"
#include "services/wake_signal.h"

namespace tinytf {

/// What a reaper is to do.
class ReaperWork {
 public:
  /// Frees some of what is queued; how many. 0: nothing was queued. Called on the reaper's thread.
  virtual int64_t free_batch() = 0;
  virtual bool nothing_queued() const = 0;
  /// Whether something can be queued although nobody rouses the thread first.
  virtual bool more_may_come() const = 0;
  /// Whether so much is queued that it should not wait.
  virtual bool urgent() const = 0;
  /// Before each batch, and when the thread found nothing and is about to rest: tests hold it here.
  virtual void before_batch() = 0;
  virtual void before_rest() = 0;
  /// The thread takes no batch any more; then it says that it has ended.
  virtual void before_end() {}
  /// The thread's last deed: the reaper may go with it.
  virtual void at_end() = 0;

 protected:
  ~ReaperWork() = default;
};

/// The thread that frees a session's values. It never touches Python and stops only when told to. Told of work it wakes
/// at once if it sleeps, which may cost who tells it 10 µs. So it naps, longer each time: for a quarter of a second
/// after the last work, and as long as more may come, when the naps grow to a second. Dropping a value then wakes
/// nobody. `notify*` and `rouse` neither lock nor wait; the rest is for one thread at a time.
class Reaper {
 public:
  /// It naps so long at first, up to 8 times as long while there is little to do, and up to 1024 times as long when
  /// there is nothing; 0: it does not nap.
  explicit Reaper(ReaperWork& work, int64_t nap_us = 1000);

  /// False if no thread can be had.
  bool start();
  /// Until it is joined or detached.
  bool started() const { return thread_.started(); }
  bool alive() const { return alive_.load(std::memory_order_acquire); }

  /// Something was queued where nothing was.
  void notify() noexcept {
    if (rest_.load(std::memory_order_seq_cst) == Rest::kAsleep) wake(Rest::kAsleep);
  }
  /// There may be something soon: short naps instead of long ones or sleep. Costs a load where it is awake or naps.
  void rouse() noexcept {
    const Rest rest = rest_.load(std::memory_order_seq_cst);
    if (rest == Rest::kAsleep || rest == Rest::kDrowsing) wake(rest);
  }
  /// Something is queued that should not wait: ends naps too.
  void notify_urgent() noexcept {
    const Rest rest = rest_.load(std::memory_order_seq_cst);
    if (rest != Rest::kNone) wake(rest);
  }

  /// Tells it to end, after the batch that it is at; idempotent.
  void tell_stop();
  bool told_to_stop() const { return stop_.load(std::memory_order_seq_cst); }
  /// Waits until the thread has done its last batch, but not beyond `until`; whether it has.
  bool wait_done(std::chrono::steady_clock::time_point until);
  /// After tell_stop. Then it may start again.
  void join();
  /// It ends when it was told to stop, whenever that is.
  void detach();
  /// In a forked child, where the thread does not exist.
  void forget();

  // Figures.
  int64_t wakeups() const { return wakeups_.load(std::memory_order_relaxed); }
  int64_t batches() const { return batches_.load(std::memory_order_relaxed); }
  int64_t max_batch() const { return max_batch_.load(std::memory_order_relaxed); }
  int64_t busy_us() const { return busy_ns_.load(std::memory_order_relaxed) / 1000; }

 private:
  enum class Rest : uint8_t { kNone, kNapping, kDrowsing, kAsleep };  // drowsing: a long nap
  void wake(Rest rest) noexcept;
  void run();
  int64_t work();
  /// Whether it was woken.
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

  // Written by the thread alone.
  std::atomic<int64_t> wakeups_{0}, batches_{0}, max_batch_{0}, busy_ns_{0};
};

}  // namespace tinytf

#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "base/ref_ptr.h"
#include "base/status.h"
#include "services/fork_gate.h"
#include "session/async_queue.h"
#include "session/async_value.h"
#include "session/drain_queue.h"
#include "session/handle_slabs.h"
#include "session/reaper.h"
#include "tensor/tensor.h"

namespace tinytf {

/// When what a program no longer refers to is freed; whatever is left goes when the session is closed.
enum class CleanupStrategy : uint8_t {
  kInBackground,    ///< soon, by the session's reaper thread
  kOnSafePoints,    ///< by the next call of the session that is a safe point; there is no thread
  kOnSessionClose,  ///< by close only
  kImmediately,     ///< by whoever drops it: values outside any session
};

struct CoreOptions {
  CleanupStrategy strategy = CleanupStrategy::kInBackground;
  // Above a soft mark the next operation wakes the reaper from a nap; above a hard mark it frees down to the soft mark.
  int64_t soft_bytes = int64_t{64} << 20;
  int64_t soft_handles = 4096;
  int64_t hard_bytes = int64_t{256} << 20;
  int64_t hard_handles = 65536;
  int64_t safe_point_budget_us = 0;    ///< longest drain of one safe point; 0: no bound
  int64_t memory_limit_bytes = 0;      ///< of the values that the session holds; 0: none
  int64_t retained_warning_bytes = 0;  ///< under kOnSessionClose; 0: no warning
  bool lazy_reaper = false;            ///< its thread starts with the first handle or large block, not with the core
};

class CoreHooks;
class SessionCore;

/// What goes with a session beside its values.
class SessionParts : public RefCounted {
 public:
  /// Ends operations that wait, now and later. Thread-safe.
  virtual void cancel() {}
};

/// A value that has left its handle; it goes with this object, which may take long.
struct HandleValue {
  Tensor tensor;
  RefPtr<AsyncValue> pending;
};

enum class CorePoint : uint8_t;

/// One value of an eager session, held by one owner (a Python tensor). Lives in a slab of its core, at the same address
/// until the core goes, and is used again after it was freed. `state` moves by compare-and-swap only, and whoever wins
/// frees: exactly once. The value may be read by threads inside an Entry of the core, as long as the owner is there and
/// `take_value` is kept from them: readers and takers that are not the same thread share a lock (Python's are under the
/// GIL, from `live()` to their copy of the value).
class TensorHandle {
 public:
  enum class State : uint8_t {
    kVacant,       ///< no value
    kLive,         ///< held by its owner
    kQueued,       ///< dropped, waits for the reaper or a safe point
    kRetained,     ///< dropped, waits for the session's close
    kClosed,       ///< freed ahead of its owner's end, by close_handle
    kInvalidated,  ///< freed ahead of its owner's end, by the session's close
  };

  State state() const { return state_.load(std::memory_order_acquire); }
  bool live() const { return state() == State::kLive; }
  SessionCore& core() const { return *core_; }
  /// Known even before the value is.
  DType dtype() const { return dtype_; }
  /// Whether the value is there, so that `tensor` may be used.
  bool ready() const { return pending_ == nullptr || pending_->done(); }
  /// Waits for the value; the error of the operation that should have made it. Not with the GIL held unless ready().
  Status wait() const { return pending_ == nullptr ? Status() : pending_->wait(); }
  /// After a successful wait().
  const Tensor& tensor() const { return pending_ == nullptr ? tensor_ : pending_->value(); }
  /// Null if the value was there when the handle was made.
  const RefPtr<AsyncValue>& pending() const { return pending_; }

  int32_t device = 0;                  ///< number of the CPU device that made it
  TensorHandle* queue_next = nullptr;  ///< the queue's, or the list's of vacant handles

 private:
  friend class SessionCore;
  friend class CoreTesting;
  std::atomic<State> state_{State::kVacant};
  DType dtype_ = DType::kInvalid;
  SessionCore* core_ = nullptr;
  std::atomic<int64_t> bytes_{0};  ///< charged to the core; kUncharged: nothing will be any more
  Tensor tensor_;
  RefPtr<AsyncValue> pending_;

  static constexpr int64_t kUncharged = -1;
  friend void charge_arrived_value(TensorHandle& handle, const Tensor& value) noexcept;
};
static_assert(sizeof(TensorHandle) <= 128);

struct CoreStats {
  enum class Life : uint8_t { kOpen, kClosing, kClosed };
  Life life = Life::kOpen;
  CleanupStrategy strategy = CleanupStrategy::kInBackground;
  // Handles. At quiescence created = live + queued + retained + freed + invalidated.
  int64_t created = 0, live = 0, queued = 0, retained = 0, freed = 0, invalidated = 0;
  // Bytes. `exported` are those of arrays that others hold, whatever became of their tensors.
  int64_t live_bytes = 0, queued_bytes = 0, retained_bytes = 0, exported_bytes = 0, pooled_bytes = 0;
  int64_t peak_bytes = 0;       ///< most that live, queued and retained have been together
  int64_t allocated_bytes = 0;  ///< of values once, of variables, queues, kernels: what the allocator has in use
  int64_t peak_queued_bytes = 0;
  int64_t pending_ops = 0, active_ops = 0;
  // Of the reaper.
  bool reaper_alive = false;
  int64_t wakeups = 0, batches = 0, max_batch = 0, max_lag_us = 0, busy_us = 0;
  // Of safe points.
  int64_t drains = 0, max_pause_us = 0;
  int64_t backpressure_events = 0, free_errors = 0, fork_orphaned = 0, fork_generation = 0;
  int64_t allocations = 0, pool_hits = 0;
  // Blocks of memory that no pool kept, large ones: waiting to be given back to the system, and given back so far.
  int64_t returning_bytes = 0, returned_blocks = 0;
};

/// What a session is to the values that it owns: their memory, counts, clean-up, and whether they may still be used.
/// Knows nothing of Python and never needs the GIL; thread-safe. Holders: the session, and every handle that is not
/// vacant, so it may outlive its session. Whoever makes one ends it with close() or abandon().
class SessionCore final : public RefCounted, private ReaperWork, private BlockDisposer {
 public:
  explicit SessionCore(CoreOptions options);

  /// Where values outside any session live (kImmediately). Never closed nor destroyed.
  static SessionCore& outside();

  /// Between begin and end of every use of the session's values. `close` waits for those that are inside.
  class Entry {
   public:
    explicit Entry(SessionCore& core) : core_(core), around_(innermost_), inside_(core.enter()) { innermost_ = this; }
    ~Entry() {
      innermost_ = around_;
      if (inside_) core_.leave();
    }
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;
    /// False once the session is closing or closed.
    explicit operator bool() const { return inside_; }

   private:
    friend class SessionCore;
    SessionCore& core_;
    Entry* const around_;
    const bool inside_;
    static inline thread_local Entry* innermost_ = nullptr;
  };

  // -- Handles. Makers are inside an Entry.

  /// Null when memory is out.
  TensorHandle* make_handle(Tensor value);
  /// Of a value that an asynchronous operation will yield.
  TensorHandle* make_handle(DType dtype, RefPtr<AsyncValue> pending);
  /// Its owner is gone: to be freed as the strategy says. Neither locks, allocates, waits nor throws, in any state.
  void drop(TensorHandle* handle) noexcept;
  /// The value leaves the handle, whose owner stays; false if it was freed before.
  bool take_value(TensorHandle* handle, HandleValue* value) noexcept;
  /// Frees the value now; false if it was freed before. The handle itself stays until it is dropped.
  bool close_handle(TensorHandle* handle) noexcept {
    HandleValue value;
    return take_value(handle, &value);
  }
  /// The value, for whoever keeps it beyond the session; then as close_handle. An invalid Tensor if it was freed.
  Tensor detach(TensorHandle* handle);

  /// Counts bytes of an array that shares a value's memory, until `unexport`.
  void note_export(int64_t bytes) noexcept;
  void note_unexport(int64_t bytes) noexcept;

  // -- Freeing. Not with the GIL held where it may take long.

  /// Under kOnSafePoints frees what is queued, within the budget; else nothing. Cheap where nothing is queued.
  void safe_point() {
    if (options_.strategy != CleanupStrategy::kOnSafePoints) return;
    if (queued_.small.load(std::memory_order_relaxed) > 0) drain_at_safe_point();
  }
  /// Before an operation: what nobody else has freed in time is freed here. True if `relieve` would do something.
  bool pressed() const {
    const int64_t small = queued_.small.load(std::memory_order_relaxed);
    return small > help_handles_ || queued_.bytes.load(std::memory_order_relaxed) > options_.hard_bytes ||
           small + queued_.large.load(std::memory_order_relaxed) > options_.hard_handles;
  }
  void relieve();
  /// Whether `relieve` may take long.
  bool above_hard_mark() const;
  /// Bytes of live, queued and retained values.
  int64_t held_bytes() const { return held_.bytes.load(std::memory_order_relaxed); }
  /// Frees all that is queued now, whatever the strategy (kOnSessionClose queues nothing); how many.
  int64_t collect();
  /// As collect, and gives all memory that waits for new values back to the system; how many bytes. May take long.
  int64_t trim();
  /// Waits until all that was queued before the call is freed. DeadlineExceeded; below 0: no time limit. Cancelled
  /// if `interrupted` says so.
  Status flush(int64_t timeout_ms, const std::function<bool()>& interrupted = nullptr);

  // -- End.

  /// Keeps new entries out, waits for those inside and for pending operations (`cancel_pending` ends those that wait or
  /// have not begun, also for another call that closes already, and for ever), joins the reaper, frees everything.
  /// Idempotent; concurrent calls wait for the first. DeadlineExceeded
  /// leaves it closing, with nothing freed early, to be tried again; so does `interrupted` (polled while it waits;
  /// null: never) with Cancelled. FailedPrecondition from a thread that is inside an Entry of this core, or in one of
  /// its asynchronous operations, or in close() already (in a signal handler). After abandon() it does nothing.
  Status close(int64_t timeout_ms = -1, bool cancel_pending = false,
               const std::function<bool()>& interrupted = nullptr);
  /// The session went without close: handles that are left stay valid, and whoever drops the last frees the rest.
  void abandon();
  /// Open, closing or closed.
  CoreStats::Life life() const;
  /// Everything is freed as at the start; figures go on. The session stays open. Same errors as close, after which it
  /// is as before.
  Status reset(int64_t timeout_ms = -1, const std::function<bool()>& interrupted = nullptr);

  // -- Figures and parts.

  /// What goes with the session: let go by close, or with the core. Set once, before others use the core.
  void attach(RefPtr<SessionParts> parts) { attached_ = std::move(parts); }
  /// Null once the session is closed. For those inside an Entry.
  SessionParts* attached() const { return attached_.get(); }

  CoreStats stats() const;
  /// Calls `see` for every live handle; handles that come or go meanwhile may be missed. For reports.
  void for_each_live(const std::function<void(TensorHandle&)>& see);
  const CoreOptions& options() const { return options_; }
  Allocator& allocator() { return *allocator_; }
  /// Where operations of an asynchronous session run; its thread starts with the first. close() waits for it.
  AsyncQueue& async();
  /// True once, when dropped values have come to hold more than `retained_warning_bytes`.
  bool retained_warning_due();

 private:
  friend class CoreTesting;
  friend class TensorHandle;
  friend void charge_arrived_value(TensorHandle& handle, const Tensor& value) noexcept;
  using Clock = std::chrono::steady_clock;
  using Queue = DrainQueue<TensorHandle>;

  /// How far one drain goes; it frees at least one handle.
  struct Extent {
    int64_t handles = INT64_MAX;
    int64_t bytes = INT64_MAX;
    Clock::time_point until = Clock::time_point::max();
    bool to_soft_mark = false;
  };
  /// What close and reset wait with.
  struct Waiting;
  /// A block of memory that nobody uses, at its begin.
  struct UnusedBlock {
    UnusedBlock* queue_next;
    int64_t bytes;
  };

  ~SessionCore() override;
  bool enter() noexcept {
    if (generation_.load(std::memory_order_relaxed) != ForkGate::generation()) start_anew_in_child();
    if ((active_.fetch_add(2, std::memory_order_acq_rel) & kClosingBit) == 0) return true;
    leave();
    return false;
  }
  void leave() noexcept {
    if (active_.fetch_sub(2, std::memory_order_acq_rel) == (2 | kClosingBit)) tell_waiting();
  }
  void tell_waiting() noexcept;

  TensorHandle* take_handle() noexcept;
  void hold(int64_t bytes) noexcept;
  /// Gives back memory of `count` freed handles; the core may go with them.
  void vacate(TensorHandle* first, TensorHandle* last, int64_t count) noexcept;
  void release_units(int64_t count) noexcept;
  /// Drops the value of a handle whose state is the caller's; the bytes that it was charged with.
  int64_t free_value(TensorHandle& handle) noexcept;
  void free_now(TensorHandle* handle) noexcept;
  void retain(TensorHandle* handle, int64_t bytes) noexcept;
  void enqueue(TensorHandle* handle, int64_t bytes) noexcept;
  static bool is_small(const TensorHandle& handle, int64_t bytes);

  /// Frees the oldest of what is queued; how many.
  int64_t drain(Queue& queue, const Extent& extent);
  int64_t drain_all(const Extent& extent);
  /// For other drains, what this one has no time for; what it returns stays the caller's, as the queue was closed.
  TensorHandle* put_back(Queue& queue, TensorHandle* chain);
  /// Gives large blocks back to the system; how many.
  int64_t return_blocks();
  int64_t free_blocks(UnusedBlock* block) noexcept;
  /// Frees `chain` as far as `extent` says; the rest of it.
  TensorHandle* free_chain(TensorHandle* chain, const Extent& extent, std::atomic<int64_t>& queued, int64_t* freed);
  bool above_soft_mark() const;
  /// Whether the time is over, or the mark was come down to.
  bool is_reached(const Extent& extent) const;
  void drain_at_safe_point();
  void at(CorePoint point);
  void note_free_error(const char* what) noexcept;
  int64_t now_ns() const;

  /// What is being freed, for those who wait for it and for forks.
  class Draining;

  bool dispose(void* block, size_t bytes) noexcept override;
  void grown() noexcept override;
  /// Gives back what memory lay idle for some seconds, the process's too.
  void let_memory_decay();

  // The reaper's work.
  int64_t free_batch() override;
  bool nothing_queued() const override;
  bool more_may_come() const override;
  bool urgent() const override { return above_soft_mark(); }
  void before_batch() override;
  void before_rest() override;
  void before_end() override;
  void at_end() override;
  void start_reaper();

  bool inside_on_this_thread() const;
  Status wait_for_users(const Waiting& waiting, std::unique_lock<std::mutex>& lock);
  Status wait_for_operations(const Waiting& waiting);
  void cancel_operations();
  Status wait_for_reaper(const Waiting& waiting);
  /// For all drains that began before.
  Status wait_for_drains(const Waiting& waiting);
  void close_queues();
  void free_retained(TensorHandle* chain);
  void free_everything();
  void invalidate_live();
  void start_anew_in_child() noexcept;

  static constexpr int64_t kClosingBit = 1;

  const CoreOptions options_;
  const int64_t help_handles_;  // more small values queued than this are freed by who makes the next
  const RefPtr<Allocator> allocator_;
  std::atomic<int> generation_;             // of the process that the threads in here are of
  std::atomic<bool> reaper_wanted_{false};  // it is to start with the next handle
  std::atomic<bool> abandoned_{false};
  std::atomic<bool> warned_{false};
  std::atomic<CoreHooks*> hooks_{nullptr};
  HandleSlabs slabs_;

  // What different threads write lies in different cache lines.
  struct alignas(64) Held {
    std::atomic<int64_t> bytes{0}, peak_bytes{0}, exported_bytes{0};
    std::atomic<int64_t> units{1};  // the core's session, handles that are not vacant: together one reference
  } held_;
  struct alignas(64) Queued {
    std::atomic<int64_t> small{0}, large{0}, bytes{0}, peak_bytes{0};
    std::atomic<int64_t> retained{0}, retained_bytes{0};
  } queued_;
  std::atomic<bool> urgent_{false};  // the soft mark was passed, and the reaper may nap
  struct alignas(64) Freed {
    std::atomic<int64_t> handles{0}, invalidated{0}, errors{0}, orphaned{0};
    std::atomic<int64_t> drains{0}, max_pause_us{0}, backpressure_events{0};
    std::atomic<int64_t> oldest_ns{0};  // when the first of what is queued came; 0: nobody noted it
    std::atomic<int64_t> max_lag_us{0};
  } freed_;
  alignas(64) Queue small_;  // plain memory of little size, worth its while in the maker's cache
  Queue large_;
  MpscQueue<TensorHandle> retained_;
  MpscQueue<UnusedBlock> blocks_;
  std::atomic<int64_t> returning_bytes_{0}, returned_blocks_{0};
  alignas(64) std::atomic<int64_t> active_{0};  // 2 * entries, and kClosingBit

  // Drains under way by the epoch in which they began, for those who wait for all that began before now.
  std::atomic<int> drain_epoch_{0};
  std::atomic<int> draining_[2] = {{0}, {0}};
  std::atomic<bool> waiting_for_drains_{false};
  std::atomic<int64_t> put_back_{0};  // times that a drain put something back into a queue

  mutable std::mutex mutex_;
  std::condition_variable changed_;  // active_, draining_, life_, busy_closing_
  std::atomic<CoreStats::Life> life_{CoreStats::Life::kOpen};
  bool busy_closing_ = false;
  std::atomic<bool> cancelled_{false};  // a close does not wait for what can be ended
  std::thread::id closer_;              // while busy_closing_
  Reaper reaper_;
  std::atomic<AsyncQueue*> async_{nullptr};
  RefPtr<SessionParts> attached_;  // guarded by mutex_ once the session is closing
};

}  // namespace tinytf

#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "base/ref_ptr.h"
#include "base/status.h"
#include "base/weak_link.h"
#include "handles/core_handles.h"
#include "handles/core_options.h"
#include "handles/core_reaper.h"
#include "handles/core_stats.h"
#include "handles/drain_tracker.h"
#include "handles/gate.h"
#include "handles/life.h"
#include "handles/memory.h"
#include "handles/operations.h"
#include "handles/reclaim.h"
#include "handles/test_hooks.h"
#include "handles/waiting.h"
#include "services/fork_renewal.h"

namespace tinytf {

/// The part of a session that owns values: their memory, statistics, clean-up, and whether they may still be used.
/// Knows nothing of Python and never needs the GIL; thread-safe. Kept alive by the session and by every handle that is
/// not vacant, so it may outlive its session. Its creator must end it with close() or abandon().
class SessionCore final : public RefCounted {
 public:
  explicit SessionCore(const CoreOptions& options);

  /// The core of values outside any session (kImmediately). Never closed or destroyed.
  static SessionCore& outside();

  /// Must exist during every use of the session's values. False once the session is closing or closed. `close` waits
  /// for existing entries.
  class Entry : public CoreGate::Entry {
   public:
    explicit Entry(SessionCore& core) : CoreGate::Entry(core.gate()) {}
  };

  // -- Handles. make_handle must be called inside an Entry; it returns null when memory is exhausted.

  TensorHandle* make_handle(Tensor value);
  /// For a value that an asynchronous operation will yield.
  TensorHandle* make_handle(DType dtype, RefPtr<AsyncValue> pending);
  /// Called when a handle's owner is gone; the handle is freed as the strategy says. Neither allocates nor throws, in
  /// any state, and locks only for some instructions.
  void drop(TensorHandle* handle) noexcept {
    renew_if_forked();
    reclaim_.drop(handle);
  }

  // -- End.

  /// Rejects new entries, waits for existing ones and for pending operations, joins the reaper and frees everything.
  /// `cancel_pending` cancels operations that wait or have not begun, now and later, even if another call is already
  /// closing. Idempotent; concurrent calls wait for the first. DeadlineExceeded (after `timeout_ms` milliseconds;
  /// negative: no time limit) and Cancelled (if `interrupted`, which is polled, returns true; null: never) leave the
  /// core closing, with nothing freed early, and close can be called again. FailedPrecondition on a thread that is
  /// inside an Entry or an asynchronous operation of this core, or within close() already (in a signal handler). After
  /// abandon() it does nothing.
  Status close(int64_t timeout_ms = -1, bool cancel_pending = false,
               const std::function<bool()>& interrupted = nullptr) {
    renew_if_forked();
    return life_.close(timeout_ms, cancel_pending, interrupted);
  }
  /// Called when the session goes away without close: remaining handles stay valid, and dropping the last one frees the
  /// rest.
  void abandon();
  /// Frees everything, so that the core is as at its start, but keeps statistics. The session stays open. Returns the
  /// same errors as close; after an error, the core is as before.
  Status reset(int64_t timeout_ms = -1, const std::function<bool()>& interrupted = nullptr) {
    renew_if_forked();
    return life_.reset(timeout_ms, interrupted);
  }
  /// Open, closing or closed.
  CoreStats::Life life() const { return life_.now(); }

  // -- Parts and overall state.

  CoreHandles& handles() { return handles_; }
  CoreReclaim& reclaim() {
    renew_if_forked();
    return reclaim_;
  }
  CoreMemory& memory() { return memory_; }
  Allocator& allocator() { return memory_.allocator(); }
  CoreOperations& operations() { return operations_; }
  /// Finds the core as long as it lives.
  const RefPtr<WeakLink<SessionCore>>& link() const { return link_; }
  const CoreOptions& options() const { return options_; }
  CoreStats stats() const;
  /// Calls `see` for every live handle. Handles that are made or dropped meanwhile may be missed. For reports.
  void for_each_live(const std::function<void(TensorHandle&)>& see);

 private:
  friend class CoreTesting;
  ~SessionCore() override;
  void destroy() noexcept override;

  CoreGate& gate() noexcept {
    renew_if_forked();
    return gate_;
  }
  void renew_if_forked() noexcept {
    if (renewal_.due()) start_anew_in_child();
  }
  void start_anew_in_child() noexcept;
  /// Calls `make`; when memory is exhausted, frees everything that is queued and calls it once more.
  template <class Make>
  TensorHandle* made(Make make);

  const CoreOptions options_;
  const RefPtr<WeakLink<SessionCore>> link_;
  TestPoints points_;
  ForkRenewal renewal_;
  CoreLock lock_;
  CoreGate gate_{lock_};
  CoreHandles handles_;
  DrainTracker drains_{lock_};
  CoreOperations operations_{lock_};
  CoreReaper reaper_;
  CoreMemory memory_;
  CoreReclaim reclaim_;
  CoreLife life_;
};

}  // namespace tinytf

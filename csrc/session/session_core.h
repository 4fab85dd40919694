#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "base/ref_ptr.h"
#include "base/status.h"
#include "services/fork_renewal.h"
#include "session/core_options.h"
#include "session/core_points.h"
#include "session/core_reaper.h"
#include "session/core_stats.h"
#include "session/drains.h"
#include "session/gate.h"
#include "session/handles.h"
#include "session/life.h"
#include "session/memory.h"
#include "session/operations.h"
#include "session/reclaim.h"
#include "session/waiting.h"

namespace tinytf {

/// What a session is to the values that it owns: their memory, counts, clean-up, and whether they may still be used.
/// Knows nothing of Python and never needs the GIL; thread-safe. Holders: the session, and every handle that is not
/// vacant, so it may outlive its session. Whoever makes one ends it with close() or abandon().
class SessionCore final : public RefCounted {
 public:
  explicit SessionCore(const CoreOptions& options);

  /// Where values outside any session live (kImmediately). Never closed nor destroyed.
  static SessionCore& outside();

  /// Between begin and end of every use of the session's values; false once the session is closing or closed. `close`
  /// waits for those that are inside.
  class Entry : public CoreGate::Entry {
   public:
    explicit Entry(SessionCore& core) : CoreGate::Entry(core.gate()) {}
  };

  // -- Handles. Makers are inside an Entry. Null when memory is out.

  TensorHandle* make_handle(Tensor value);
  /// Of a value that an asynchronous operation will yield.
  TensorHandle* make_handle(DType dtype, RefPtr<AsyncValue> pending);
  /// Its owner is gone: to be freed as the strategy says. Neither allocates nor throws, in any state, and locks for
  /// some instructions only.
  void drop(TensorHandle* handle) noexcept {
    renew_if_forked();
    reclaim_.drop(handle);
  }

  // -- End.

  /// Keeps new entries out, waits for those inside and for pending operations (`cancel_pending` ends those that wait or
  /// have not begun, also for another call that closes already, and for ever), joins the reaper, frees everything.
  /// Idempotent; concurrent calls wait for the first. DeadlineExceeded
  /// leaves it closing, with nothing freed early, to be tried again; so does `interrupted` (polled while it waits;
  /// null: never) with Cancelled. FailedPrecondition from a thread that is inside an Entry of this core, or in one of
  /// its asynchronous operations, or in close() already (in a signal handler). After abandon() it does nothing.
  Status close(int64_t timeout_ms = -1, bool cancel_pending = false,
               const std::function<bool()>& interrupted = nullptr) {
    renew_if_forked();
    return life_.close(timeout_ms, cancel_pending, interrupted);
  }
  /// The session went without close: handles that are left stay valid, and whoever drops the last frees the rest.
  void abandon();
  /// Everything is freed as at the start; figures go on. The session stays open. Same errors as close, after which it
  /// is as before.
  Status reset(int64_t timeout_ms = -1, const std::function<bool()>& interrupted = nullptr) {
    renew_if_forked();
    return life_.reset(timeout_ms, interrupted);
  }
  /// Open, closing or closed.
  CoreStats::Life life() const { return life_.now(); }

  // -- Parts, and what is about all of them.

  CoreHandles& handles() { return handles_; }
  CoreReclaim& reclaim() {
    renew_if_forked();
    return reclaim_;
  }
  CoreMemory& memory() { return memory_; }
  Allocator& allocator() { return memory_.allocator(); }
  CoreOperations& operations() { return operations_; }
  const CoreOptions& options() const { return options_; }
  CoreStats stats() const;
  /// Calls `see` for every live handle; handles that come or go meanwhile may be missed. For reports.
  void for_each_live(const std::function<void(TensorHandle&)>& see);

 private:
  friend class CoreTesting;
  ~SessionCore() override;

  CoreGate& gate() noexcept {
    renew_if_forked();
    return gate_;
  }
  void renew_if_forked() noexcept {
    if (renewal_.due()) start_anew_in_child();
  }
  void start_anew_in_child() noexcept;
  /// What `make` makes; where memory is out, once more after all that is queued was freed.
  template <class Make>
  TensorHandle* made(Make make);

  const CoreOptions options_;
  CorePoints points_;
  ForkRenewal renewal_;
  CoreLock lock_;
  CoreGate gate_{lock_};
  CoreHandles handles_;
  CoreDrains drains_{lock_};
  CoreOperations operations_{lock_};
  CoreReaper reaper_;
  CoreMemory memory_;
  CoreReclaim reclaim_;
  CoreLife life_;
};

}  // namespace tinytf

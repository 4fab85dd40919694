#pragma once

#include <atomic>
#include <utility>

#include "base/ref_ptr.h"
#include "session/async_queue.h"
#include "session/waiting.h"

namespace tinytf {

/// What goes with a session beside its values.
class SessionParts : public RefCounted {
 public:
  /// Ends operations that wait, now and later. Thread-safe.
  virtual void cancel() {}
};

/// What runs in a core: its asynchronous operations, and the session's parts, which can end those that wait.
class CoreOperations {
 public:
  explicit CoreOperations(CoreLock& lock) : lock_(lock) {}
  ~CoreOperations() {
    if (AsyncQueue* queue = made()) queue->unref();
  }
  CoreOperations(const CoreOperations&) = delete;
  CoreOperations& operator=(const CoreOperations&) = delete;

  /// What goes with the session: let go by close, or with the core. Set once, before others use the core.
  void attach(RefPtr<SessionParts> parts) { attached_ = std::move(parts); }
  /// Null once the session is closed. For those inside.
  SessionParts* attached() const { return attached_.get(); }
  void let_go_of_parts();

  /// Where operations of an asynchronous session run; its thread starts with the first.
  AsyncQueue& async();
  int64_t pending() const { return made() == nullptr ? 0 : made()->pending(); }
  /// Whether the caller is one of them.
  bool on_their_thread() const { return made() != nullptr && made()->on_its_thread(); }
  /// Ends those that wait or have not begun, now and later.
  void cancel();
  /// Until all asynchronous ones have ended.
  Status wait(const Waiting& waiting);
  void clear_error() {
    if (AsyncQueue* queue = made()) queue->clear_error();
  }
  /// There are none any more.
  void close() {
    if (AsyncQueue* queue = made()) queue->close();
  }
  /// Nobody waits for them.
  void let_go() {
    if (AsyncQueue* queue = made()) queue->let_go();
  }

 private:
  AsyncQueue* made() const { return async_.load(std::memory_order_acquire); }

  CoreLock& lock_;
  std::atomic<bool> cancelled_{false};
  std::atomic<AsyncQueue*> async_{nullptr};
  RefPtr<SessionParts> attached_;  // guarded by the lock once the session is closing
};

}  // namespace tinytf

#pragma once

#include <atomic>
#include <utility>

#include "base/ref_ptr.h"
#include "handles/async_queue.h"
#include "handles/waiting.h"

namespace tinytf {

/// State of a session, besides its values, that is freed with it.
class SessionParts : public RefCounted {
 public:
  /// Cancels waiting operations, now and later. Thread-safe.
  virtual void cancel() {}
  /// Cancels the session's background work, without waiting for it. Called when the core admits no more entries; the
  /// work is inside the core, so close waits for it as for operations.
  virtual void cancel_background() {}
  /// Stops the resources that go with the session (Resource::stop). Called when nothing is inside the core any more,
  /// before anything is freed.
  virtual void stop_resources() {}
};

/// The operations of a core: its asynchronous queue, and the session's parts, which can cancel waiting operations.
class CoreOperations {
 public:
  explicit CoreOperations(CoreLock& lock) : lock_(lock) {}
  ~CoreOperations() {
    if (AsyncQueue* queue = made()) queue->unref();
  }
  CoreOperations(const CoreOperations&) = delete;
  CoreOperations& operator=(const CoreOperations&) = delete;

  /// Sets the parts, which are released by close or with the core. Call once, before other threads use the core.
  void attach(RefPtr<SessionParts> parts) { attached_ = std::move(parts); }
  /// Null once the session is closed. The caller must be inside the core.
  SessionParts* attached() const { return attached_.get(); }
  void let_go_of_parts();

  /// The queue of an asynchronous session, created by the first call. Its thread starts with the first operation.
  AsyncQueue& async();
  int64_t pending() const { return made() == nullptr ? 0 : made()->pending(); }
  /// Whether the caller is inside an asynchronous operation.
  bool on_their_thread() const { return made() != nullptr && made()->on_its_thread(); }
  /// Cancels operations that wait or have not begun, now and later.
  void cancel();
  void cancel_background() {
    if (const RefPtr<SessionParts> parts = this->parts()) parts->cancel_background();
  }
  void stop_resources() {
    if (const RefPtr<SessionParts> parts = this->parts()) parts->stop_resources();
  }
  /// Waits until all asynchronous operations have ended.
  Status wait(const Waiting& waiting);
  void clear_error() {
    if (AsyncQueue* queue = made()) queue->clear_error();
  }
  /// Called when all operations have ended.
  void close() {
    if (AsyncQueue* queue = made()) queue->close();
  }
  /// Called when no thread will wait for the operations.
  void let_go() {
    if (AsyncQueue* queue = made()) queue->let_go();
  }

 private:
  AsyncQueue* made() const { return async_.load(std::memory_order_acquire); }
  RefPtr<SessionParts> parts() const {
    std::lock_guard lock(lock_.mutex);
    return attached_;
  }

  CoreLock& lock_;
  std::atomic<bool> cancelled_{false};
  std::atomic<AsyncQueue*> async_{nullptr};
  RefPtr<SessionParts> attached_;  // guarded by the lock once the session is closing
};

}  // namespace tinytf

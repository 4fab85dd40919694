#pragma once

#include <pthread.h>

#include <cstddef>

namespace tinytf {

/// A named thread of the engine that starts with all signals blocked, so that other threads handle them. Not
/// thread-safe: its owner has to synchronize. It must be joined, detached or forgotten before it is destroyed or
/// started again.
class NativeThread {
 public:
  NativeThread() = default;
  NativeThread(const NativeThread&) = delete;
  NativeThread& operator=(const NativeThread&) = delete;

  /// Runs body(argument) on a stack of about `stack_bytes` bytes (0: the system's default). `yields`: when the thread
  /// wakes up, it does not preempt the thread that woke it. Returns false if the system cannot create a thread.
  bool start(const char* name, size_t stack_bytes, bool yields, void (*body)(void*), void* argument);
  bool started() const { return started_; }
  /// Whether the caller is this thread.
  bool is_current() const { return started_ && pthread_equal(thread_, pthread_self()) != 0; }
  void join();
  /// Lets the thread end without a join.
  void detach();
  /// Resets this object in a forked child, where the thread does not exist.
  void forget() { started_ = false; }

 private:
  pthread_t thread_{};
  bool started_ = false;
};

}  // namespace tinytf

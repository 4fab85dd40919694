#pragma once

#include <pthread.h>

#include <cstddef>

namespace tinytf {

/// A named thread of the engine that gets no signals, so that they go to threads that handle them. Not thread-safe:
/// whoever owns it sees to that. Joined, detached or forgotten before it is destroyed or started again.
class NativeThread {
 public:
  NativeThread() = default;
  NativeThread(const NativeThread&) = delete;
  NativeThread& operator=(const NativeThread&) = delete;

  /// Runs body(argument) on a stack of about so many bytes (0: the system's size). `yields`: when it wakes up it does
  /// not push the waking thread off its processor. False if no thread can be had.
  bool start(const char* name, size_t stack_bytes, bool yields, void (*body)(void*), void* argument);
  bool started() const { return started_; }
  /// Whether the caller is this thread.
  bool is_current() const { return started_ && pthread_equal(thread_, pthread_self()) != 0; }
  void join();
  /// It ends by itself.
  void detach();
  /// In a forked child, where it does not exist.
  void forget() { started_ = false; }

 private:
  pthread_t thread_{};
  bool started_ = false;
};

}  // namespace tinytf

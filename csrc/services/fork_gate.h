#pragma once

#include <atomic>
#include <chrono>

namespace tinytf {

/// Protects critical sections against forks: a section may hold locks, which the child would find locked forever. A
/// fork keeps threads from entering and waits until the sections have ended, but only for a limited time: a section
/// that goes on (a step that blocks, or needs a lock of the forking thread) is then most likely waiting, or inside a
/// kernel, and holds no lock. Thread-safe.
class ForkGate {
 public:
  /// The thread is inside a section while this lives. Passes nest.
  class Pass {
   public:
    Pass() noexcept { enter(1); }
    ~Pass() { leave(1); }
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;
  };

  /// The thread is outside all sections while this lives, whatever passes it has. For waiting, without any lock that
  /// other threads need.
  class Outside {
   public:
    Outside() noexcept : passes_(depth_) {
      if (passes_ > 0) leave(passes_);
    }
    ~Outside() {
      if (passes_ > 0) enter(passes_);
    }
    Outside(const Outside&) = delete;
    Outside& operator=(const Outside&) = delete;

   private:
    const int passes_;
  };

  /// Number of forks between the process that loaded this code and the current one. State recorded under another
  /// generation is the parent's, and the threads that it refers to do not exist here.
  static int generation() noexcept { return generation_.load(std::memory_order_relaxed); }

  /// Sets how long a fork waits for sections to end; one second by default. Must not be called while a fork may be in
  /// progress.
  static void set_patience(std::chrono::milliseconds patience) noexcept { patience_ = patience; }

 private:
  static void enter(int passes) noexcept {
    depth_ += passes;
    inside_.fetch_add(passes);
    if (closed_.load()) wait_outside(passes);
  }
  static void leave(int passes) noexcept {
    depth_ -= passes;
    inside_.fetch_sub(passes);
    if (closed_.load()) tell();
  }
  static void wait_outside(int passes) noexcept;
  static void tell() noexcept;
  static void before_fork();
  static void after_fork_in_parent();
  static void after_fork_in_child();
  static bool watch_forks();

  static inline thread_local int depth_ = 0;  // passes of this thread, included in inside_
  static inline std::atomic<int> inside_{0};
  static inline std::atomic<bool> closed_{false};
  static inline std::atomic<int> generation_{0};
  static inline std::chrono::milliseconds patience_{1000};
  static const bool watching_;
};

}  // namespace tinytf

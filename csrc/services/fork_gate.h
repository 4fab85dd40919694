#pragma once

#include <atomic>
#include <chrono>

namespace tinytf {

/// Work that a fork must not cut through: it may hold locks, which the child would find locked for ever. A fork keeps
/// new work out and waits until what is inside has left, but not for long: what stays (a step that blocks, or that
/// needs a lock of the forking thread) is then most likely waiting, or inside a kernel, and holds nothing. Thread-safe.
class ForkGate {
 public:
  /// Inside for as long as it lives. May be nested.
  class Pass {
   public:
    Pass() noexcept { enter(1); }
    ~Pass() { leave(1); }
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;
  };

  /// Outside for as long as it lives, whatever passes the thread has: for waiting, without any lock that others need.
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

  /// How often this process was forked off from one that knew the gate: who remembers another number than this was the
  /// parent's, and threads that it knows do not exist here.
  static int generation() noexcept { return generation_.load(std::memory_order_relaxed); }

  /// How long a fork waits; a second at first. Not while a fork may be under way.
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

  static inline thread_local int depth_ = 0;  // of this thread; part of inside_
  static inline std::atomic<int> inside_{0};
  static inline std::atomic<bool> closed_{false};
  static inline std::atomic<int> generation_{0};
  static inline std::chrono::milliseconds patience_{1000};
  static const bool watching_;
};

}  // namespace tinytf

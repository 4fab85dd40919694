#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>

#include "runtime/plan/program.h"

namespace tinytf {

/// Measurements of a plan's steps. From the first steps: each unit's time, the time of the longest path from its start
/// to the end of the step, whether threads might shorten a step, and whether a step is long enough to check for
/// interrupts after every node. If threads might shorten it, also recent times of steps with and without threads.
/// Thread-safe: a few steps write, all read.
struct PlanProfile {
  explicit PlanProfile(size_t units)
      : unit_ns(std::make_unique<std::atomic<int32_t>[]>(units)),
        tail_ns(std::make_unique<std::atomic<int64_t>[]>(units)) {}

  std::unique_ptr<std::atomic<int32_t>[]> unit_ns;
  std::unique_ptr<std::atomic<int64_t>[]> tail_ns;
  std::atomic<int32_t> steps{0};
  std::atomic<bool> use_threads{false};
  std::atomic<bool> is_long{false};
  std::atomic<uint32_t> trials{0};
  std::atomic<int64_t> alone_ns{0}, together_ns{0};  ///< Recent estimates; 0: none yet.
};

/// In steps longer than this, every node is followed by a check whether the step should end.
inline constexpr int64_t kLongStepNs = 5'000'000;

/// Counts a plan's first steps, and records unit times in the measured ones. The very first step is not measured, since
/// it runs with cold caches.
class MeasuredStep {
 public:
  using Clock = std::chrono::steady_clock;
  MeasuredStep(const Program& program, PlanProfile& profile) : program_(program), profile_(profile) {
    number_ = profile.steps.load(std::memory_order_relaxed);
    if (number_ <= kLast) number_ = profile.steps.fetch_add(1, std::memory_order_relaxed);
  }
  bool is_early() const { return number_ <= kLast; }
  bool is_measured() const { return is_early() && number_ > 0; }
  /// Records the time since `begin` as the unit's time. Thread-safe.
  void note(size_t unit, Clock::time_point begin);
  /// To be called after a step without errors. The last measured step decides about threads and checks for interrupts.
  void end() {
    if (number_ == kLast) decide();
  }

 private:
  static constexpr int32_t kLast = 2;
  void decide();
  const Program& program_;
  PlanProfile& profile_;
  int32_t number_;
};

/// Whether threads would shorten a step, according to the measured times.
bool threads_would_pay(const Program& program, PlanProfile& profile);

/// A step of a plan that threads might shorten. It runs in the way, with or without threads, that was faster recently;
/// from time to time in the other way, since feeds and the load of the machine change.
class Trial {
 public:
  explicit Trial(PlanProfile& profile);
  bool together() const { return together_; }
  /// To be called after a step without errors.
  void end();

 private:
  PlanProfile& profile_;
  const MeasuredStep::Clock::time_point begin_;
  bool together_;
};

}  // namespace tinytf

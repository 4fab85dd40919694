#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>

#include "runtime/plan/program.h"

namespace tinytf {

/// What the first steps of a plan told about it: the time of each unit, of the longest way from its beginning to the
/// end of the step, whether threads might shorten a step, whether it is long enough to look out for interrupts. If
/// threads might, also what later steps told: how long those with threads and those without took. Thread-safe; measured
/// by a few steps, read by all.
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
  std::atomic<int64_t> alone_ns{0}, together_ns{0};  ///< of late; 0: none yet
};

/// Steps longer than this look after every node whether they should end.
inline constexpr int64_t kLongStepNs = 5'000'000;

/// Whether a step is one of a plan's first, and notes the times of those that are measured: not of the very first,
/// which pays for cold caches.
class MeasuredStep {
 public:
  using Clock = std::chrono::steady_clock;
  MeasuredStep(const Program& program, PlanProfile& profile) : program_(program), profile_(profile) {
    number_ = profile.steps.load(std::memory_order_relaxed);
    if (number_ <= kLast) number_ = profile.steps.fetch_add(1, std::memory_order_relaxed);
  }
  bool is_early() const { return number_ <= kLast; }
  bool is_measured() const { return is_early() && number_ > 0; }
  /// The time since `begin` as the unit's. Thread-safe.
  void note(size_t unit, Clock::time_point begin);
  /// After a step without errors: the last measured one decides about threads and watching.
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

/// Decides from measured times whether threads would shorten a step.
bool threads_would_pay(const Program& program, PlanProfile& profile);

/// A step of a plan that threads might shorten. It is taken the way that took less time of late, and now and then the
/// other way, since feeds and what else the machine does change.
class Trial {
 public:
  explicit Trial(PlanProfile& profile);
  bool together() const { return together_; }
  /// After a step without errors.
  void end();

 private:
  PlanProfile& profile_;
  const MeasuredStep::Clock::time_point begin_;
  bool together_;
};

}  // namespace tinytf

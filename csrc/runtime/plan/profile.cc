#include "runtime/plan/profile.h"

#include <algorithm>
#include <limits>

namespace tinytf {

void MeasuredStep::note(size_t unit, Clock::time_point begin) {
  const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
  const int64_t most = std::numeric_limits<int32_t>::max();
  profile_.unit_ns[unit].store(static_cast<int32_t>(std::min<int64_t>(ns, most)), std::memory_order_relaxed);
}

void MeasuredStep::decide() {
  int64_t total = 0;
  for (size_t u = 0; u < program_.units.size(); ++u) total += profile_.unit_ns[u].load(std::memory_order_relaxed);
  if (total >= kLongStepNs) profile_.is_long = true;
  profile_.use_threads = threads_would_pay(program_, profile_);
}

bool threads_would_pay(const Program& program, PlanProfile& profile) {
  constexpr int64_t kWorthwhile = 40'000;  // In ns per step. Below, waking threads costs more than it gains.
  constexpr int64_t kExpensive = 10'000;
  int64_t total = 0, critical = 0;
  int expensive = 0;
  for (size_t u = program.units.size(); u-- > 0;) {
    const int64_t ns = profile.unit_ns[u].load(std::memory_order_relaxed);
    total += ns;
    expensive += ns >= kExpensive;
    int64_t after = 0;
    for (int32_t i = program.units[u].consumers_begin; i < program.units[u].consumers_end; ++i) {
      after = std::max(after, profile.tail_ns[program.consumers[i]].load(std::memory_order_relaxed));
    }
    profile.tail_ns[u].store(ns + after, std::memory_order_relaxed);
    critical = std::max(critical, ns + after);
  }
  return total >= kWorthwhile && expensive >= 2 && critical * 4 < total * 3;
}

Trial::Trial(PlanProfile& profile) : profile_(profile), begin_(MeasuredStep::Clock::now()) {
  constexpr uint32_t kAgain = 32;
  const int64_t alone = profile.alone_ns.load(std::memory_order_relaxed);
  const int64_t together = profile.together_ns.load(std::memory_order_relaxed);
  const uint32_t number = profile.trials.fetch_add(1, std::memory_order_relaxed);
  together_ = number < 4 ? number % 2 == 0 : (together <= alone) != (number % kAgain == 0);
}

void Trial::end() {
  // Other load of the machine only lengthens times: shorter ones count at once, longer ones gradually.
  std::atomic<int64_t>& estimate = together_ ? profile_.together_ns : profile_.alone_ns;
  const int64_t ns = std::chrono::nanoseconds(MeasuredStep::Clock::now() - begin_).count();
  const int64_t before = estimate.load(std::memory_order_relaxed);
  estimate.store(before == 0 || ns < before ? ns : before + (ns - before) / 8, std::memory_order_relaxed);
}

}  // namespace tinytf

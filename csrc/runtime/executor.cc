#include "runtime/executor.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>

#include "op/guarded.h"
#include "runtime/node_run.h"

namespace tinytf {

namespace {

/// Steps longer than this look after every node whether they should end.
constexpr int64_t kLongStepNs = 5'000'000;

inline Status run_node(const Plan& plan, const PlanNode& node, const StepLoan& loan, Slot* slots) {
  if (node.is_plain && loan.observer == nullptr) {
    KernelContext ctx(*node.info, loan.to(node), slots, plan.input_slots.data() + node.first_input,
                      slots + node.first_output, node.last_use);
    Status status = compute_guarded(*node.kernel, ctx);
    return status.ok() ? status : tagged(std::move(status), node.info->name);
  }
  NodeRun run(plan, node, loan, slots, node.last_use);
  return guarded([&] {
    TINYTF_RETURN_IF_ERROR(run.begin());
    return run.end(compute_guarded(*node.kernel, run.context()));
  });
}

}  // namespace

MeasuredStep::MeasuredStep(Plan& plan) : plan_(plan) {
  number_ = plan.profile.steps.load(std::memory_order_relaxed);
  if (number_ <= kLast) number_ = plan.profile.steps.fetch_add(1, std::memory_order_relaxed);
}

void MeasuredStep::note(size_t node, Clock::time_point begin) {
  const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
  const int64_t most = std::numeric_limits<int32_t>::max();
  plan_.profile.node_ns[node].store(static_cast<int32_t>(std::min<int64_t>(ns, most)), std::memory_order_relaxed);
}

void MeasuredStep::end() {
  if (number_ != kLast) return;
  int64_t total = 0;
  for (size_t n = 0; n < plan_.nodes.size(); ++n) total += plan_.profile.node_ns[n].load(std::memory_order_relaxed);
  if (total >= kLongStepNs) plan_.profile.is_long = true;
  plan_.profile.use_threads = threads_would_pay(plan_);
}

Status run_sequentially(Plan& plan, const StepLoan& loan, Slot* slots, StepWatch& watch) {
  MeasuredStep step(plan);
  const bool measure = step.is_measured();
  const bool watchful = step.is_early() || watch.has_deadline() || plan.profile.is_long.load(std::memory_order_relaxed);
  for (size_t n = 0; n < plan.nodes.size(); ++n) {
    const PlanNode& node = plan.nodes[n];
    if (loan.cancellation->cancelled()) return watch.ended().ok() ? step_cancelled() : watch.ended();
    const auto begin = measure ? MeasuredStep::Clock::now() : MeasuredStep::Clock::time_point();
    Status status = run_node(plan, node, loan, slots);
    if (!status.ok()) return watch.ended().ok() ? status : watch.ended();
    if (measure) step.note(n, begin);
    for (int32_t i = node.releases_begin; i < node.releases_end; ++i) slots[plan.releases[i]].tensor = Tensor();
    if (watchful || n % 16 == 15) {
      TINYTF_RETURN_IF_ERROR(watch.look());
      // Larger feeds than before can make a short step long.
      if (!watchful && watch.since_last_look().count() >= kLongStepNs) plan.profile.is_long = true;
    }
  }
  step.end();
  return loan.cancellation->cancelled() ? step_cancelled() : Status();
}

bool threads_would_pay(Plan& plan) {
  constexpr int64_t kWorthwhile = 40'000;  // ns of a step; below, waking threads costs what they bring
  constexpr int64_t kExpensive = 10'000;
  int64_t total = 0, critical = 0;
  int expensive = 0;
  for (size_t n = plan.nodes.size(); n-- > 0;) {
    const int64_t ns = plan.profile.node_ns[n].load(std::memory_order_relaxed);
    total += ns;
    expensive += ns >= kExpensive;
    int64_t after = 0;
    for (int32_t i = plan.nodes[n].consumers_begin; i < plan.nodes[n].consumers_end; ++i) {
      after = std::max(after, plan.profile.tail_ns[plan.consumers[i]].load(std::memory_order_relaxed));
    }
    plan.profile.tail_ns[n].store(ns + after, std::memory_order_relaxed);
    critical = std::max(critical, ns + after);
  }
  return total >= kWorthwhile && expensive >= 2 && critical * 4 < total * 3;
}

namespace {

/// A step of a plan that threads might shorten. It is taken the way that took less time of late, and now and then the
/// other way, since feeds and what else the machine does change.
class Trial {
 public:
  explicit Trial(PlanProfile& profile) : profile_(profile), begin_(MeasuredStep::Clock::now()) {
    constexpr uint32_t kAgain = 32;
    const int64_t alone = profile.alone_ns.load(std::memory_order_relaxed);
    const int64_t together = profile.together_ns.load(std::memory_order_relaxed);
    const uint32_t number = profile.trials.fetch_add(1, std::memory_order_relaxed);
    together_ = number < 4 ? number % 2 == 0 : (together <= alone) != (number % kAgain == 0);
  }
  bool together() const { return together_; }
  /// After a step without errors. What else the machine does only ever adds to a time: shorter ones count at once,
  /// longer ones little by little.
  void end() {
    std::atomic<int64_t>& estimate = together_ ? profile_.together_ns : profile_.alone_ns;
    const int64_t ns = std::chrono::nanoseconds(MeasuredStep::Clock::now() - begin_).count();
    const int64_t before = estimate.load(std::memory_order_relaxed);
    estimate.store(before == 0 || ns < before ? ns : before + (ns - before) / 8, std::memory_order_relaxed);
  }

 private:
  PlanProfile& profile_;
  const MeasuredStep::Clock::time_point begin_;
  bool together_;
};

}  // namespace

Status execute(Plan& plan, const StepLoan& loan, StepSlots& memory, StepThreads threads, StepWatch& watch,
               std::vector<Tensor>& feeds, std::vector<Tensor>& fetches) {
  std::vector<Slot>& slots = memory.slots;
  for (size_t i = 0; i < feeds.size(); ++i) {
    if (plan.feed_slots[i] >= 0) slots[plan.feed_slots[i]].tensor = std::move(feeds[i]);
  }
  std::optional<Trial> trial;
  if (!plan.may_wait && threads.pool != nullptr && plan.profile.use_threads.load(std::memory_order_relaxed)) {
    trial.emplace(plan.profile);
  }
  Status status = plan.may_wait || (trial && trial->together()) ? run_concurrently(plan, loan, memory, threads, watch)
                                                                : run_sequentially(plan, loan, slots.data(), watch);
  if (trial && status.ok()) trial->end();
  if (status.ok()) {
    fetches.reserve(plan.fetch_slots.size());
    for (int32_t slot : plan.fetch_slots) fetches.push_back(slots[slot].tensor);
    for (int32_t slot : plan.fetch_slots) slots[slot].tensor = Tensor();
  } else {
    for (Slot& slot : slots) slot.tensor = Tensor();
  }
  // Fetched constants were cleared with the rest.
  for (const auto& [slot, value] : plan.constants) {
    if (!slots[slot].tensor.valid()) slots[slot].tensor = value;
  }
  return status;
}

}  // namespace tinytf

#include "runtime/executor.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "services/step_stats.h"

namespace tinytf {

namespace {

Status uninitialized(const PlanNode& node, int32_t slot, const Plan& plan) {
  // The reference's own node is the one the message names.
  for (const PlanNode& producer : plan.nodes) {
    if (slot >= producer.first_output && slot < producer.first_output + producer.origin->num_outputs()) {
      return failed_precondition("Attempting to use uninitialized value ", producer.info->name)
          .at_node(node.info->name);
    }
  }
  return failed_precondition("Attempting to use uninitialized value").at_node(node.info->name);
}

Status read_references(const Plan& plan, const PlanNode& node, Slot* slots) {
  for (int32_t i = node.derefs_begin; i < node.derefs_end; ++i) {
    const Deref& deref = plan.derefs[i];
    RefVariable& variable = *slots[deref.from].ref;
    std::lock_guard lock(variable.mutex);
    if (!variable.tensor.valid() && !node.info->op->allows_uninitialized_input)
      return uninitialized(node, deref.from, plan);
    if (deref.to >= 0) slots[deref.to].tensor = variable.tensor;
  }
  return Status();
}

/// A fetched reference yields the value right after its node ran, whatever the rest of the step does to the variable.
Status take_snapshots(const Plan& plan, const PlanNode& node, Slot* slots, Allocator& allocator) {
  for (int32_t i = node.snapshots_begin; i < node.snapshots_end; ++i) {
    const Deref& snapshot = plan.snapshots[i];
    RefVariable& variable = *slots[snapshot.from].ref;
    std::lock_guard lock(variable.mutex);
    if (!variable.tensor.valid()) return uninitialized(node, snapshot.from, plan);
    TINYTF_ASSIGN_OR_RETURN(slots[snapshot.to].tensor, variable.tensor.clone(allocator));
  }
  return Status();
}

int32_t elapsed_ns(std::chrono::steady_clock::time_point begin) {
  const auto ns =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - begin).count();
  return static_cast<int32_t>(std::min<int64_t>(ns, std::numeric_limits<int32_t>::max()));
}

/// Of a plan's first steps, which ones are measured. The very first pays for cold caches.
bool is_measured(int32_t step) { return step == 1 || step == 2; }

Status run_untraced(const Plan& plan, const PlanNode& node, const StepServices& services, Slot* slots,
                    uint64_t last_use) {
  if (node.derefs_begin != node.derefs_end) TINYTF_RETURN_IF_ERROR(read_references(plan, node, slots));
  KernelContext ctx(*node.info, services, slots, plan.input_slots.data() + node.first_input, slots + node.first_output,
                    last_use);
  Status status = node.kernel->compute(ctx);
  if (!status.ok()) return status.at_node(node.info->name);
  if (node.snapshots_begin != node.snapshots_end) return take_snapshots(plan, node, slots, *services.allocator);
  return Status();
}

Status run_traced(const Plan& plan, const PlanNode& node, const StepServices& services, Slot* slots,
                  uint64_t last_use) {
  NodeStats stats;
  stats.node = node.info->name;
  stats.thread = StepStats::this_thread();
  stats.start_ns = services.stats->now();
  const Status status = run_untraced(plan, node, services, slots, last_use);
  stats.end_ns = services.stats->now();
  for (int i = 0; i < node.origin->num_outputs(); ++i) {
    const Tensor& output = slots[node.first_output + i].tensor;
    if (!output.valid()) continue;
    stats.outputs.push_back({i, output.dtype(), output.shape(), static_cast<int64_t>(output.bytes())});
  }
  services.stats->add(std::move(stats));
  return status;
}

}  // namespace

Status run_node(const Plan& plan, const PlanNode& node, const StepServices& services, Slot* slots, uint64_t last_use) {
  if (services.stats != nullptr) return run_traced(plan, node, services, slots, last_use);
  return run_untraced(plan, node, services, slots, last_use);
}

Status run_sequentially(Plan& plan, const StepServices& services, Slot* slots, bool profile) {
  for (size_t n = 0; n < plan.nodes.size(); ++n) {
    const PlanNode& node = plan.nodes[n];
    if (services.cancellation->cancelled()) return Status(Code::kCancelled, "Run call was cancelled");
    const auto begin = profile ? std::chrono::steady_clock::now() : std::chrono::steady_clock::time_point();
    TINYTF_RETURN_IF_ERROR(run_node(plan, node, services, slots, node.last_use));
    if (profile) plan.profile.node_ns[n].store(elapsed_ns(begin), std::memory_order_relaxed);
    for (int32_t i = node.releases_begin; i < node.releases_end; ++i) slots[plan.releases[i]].tensor = Tensor();
  }
  return Status();
}

bool threads_would_pay(const Plan& plan) {
  constexpr int64_t kWorthwhile = 40'000;  // ns of a step; below, waking threads costs what they bring
  constexpr int64_t kExpensive = 10'000;
  std::vector<int64_t> finish(plan.nodes.size(), 0);  // with unlimited threads
  int64_t total = 0, critical = 0;
  int expensive = 0;
  for (size_t n = 0; n < plan.nodes.size(); ++n) {
    const int64_t ns = plan.profile.node_ns[n].load(std::memory_order_relaxed);
    total += ns;
    expensive += ns >= kExpensive;
    finish[n] += ns;
    critical = std::max(critical, finish[n]);
    for (int32_t i = plan.nodes[n].consumers_begin; i < plan.nodes[n].consumers_end; ++i) {
      int64_t& start = finish[plan.consumers[i]];
      start = std::max(start, finish[n]);
    }
  }
  return total >= kWorthwhile && expensive >= 2 && critical * 4 < total * 3;
}

Status execute(Plan& plan, const StepServices& services, StepSlots& memory, ThreadPool* pool,
               std::vector<Tensor>& feeds, std::vector<Tensor>& fetches) {
  std::vector<Slot>& slots = memory.slots;
  for (size_t i = 0; i < feeds.size(); ++i) {
    if (plan.feed_slots[i] >= 0) slots[plan.feed_slots[i]].tensor = std::move(feeds[i]);
  }
  Status status;
  if (pool != nullptr && plan.profile.use_threads.load(std::memory_order_relaxed)) {
    status = run_threaded(plan, services, memory, *pool);
  } else {
    int32_t step = plan.profile.steps.load(std::memory_order_relaxed);
    if (step < 4 && pool != nullptr) step = plan.profile.steps.fetch_add(1, std::memory_order_relaxed);
    status = run_sequentially(plan, services, slots.data(), pool != nullptr && is_measured(step));
    if (step == 2 && pool != nullptr && status.ok()) plan.profile.use_threads = threads_would_pay(plan);
  }
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

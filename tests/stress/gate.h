#pragma once

// A kernel that blocks inside a step until the step is cancelled or the gate is opened.

#include <condition_variable>
#include <mutex>

#include "op/kernel_registry.h"
#include "tests/stress/graphs.h"

namespace tinytf {
namespace testing {

/// Blocks threads of steps. Thread-safe; must outlive the steps.
class Gate {
 public:
  /// Blocks; returns false if the step was cancelled before the gate was opened.
  bool pass(Cancellation& step) {
    bool cancelled = false;
    Cancellation::Token token = 0;
    const bool registered = step.on_cancel(&token, [&] {
      std::lock_guard lock(mutex_);
      cancelled = true;
      changed_.notify_all();
    });
    std::unique_lock lock(mutex_);
    ++arrived_;
    changed_.notify_all();
    if (!registered) return false;
    changed_.wait(lock, [&] { return open_ || cancelled; });
    if (cancelled) return false;
    lock.unlock();
    if (step.remove(token)) return true;
    // The callback has run or is running; it must finish before its captures are destroyed.
    lock.lock();
    changed_.wait(lock, [&] { return cancelled; });
    return false;
  }

  void wait_for_arrivals(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return arrived_ >= count; });
  }

  void open() {
    std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int arrived_ = 0;
  bool open_ = false;
};

/// An Identity kernel that passes a gate first.
class GateKernel final : public Kernel {
 public:
  explicit GateKernel(Gate& gate) : gate_(gate) {}

  Status compute(KernelContext& ctx) override {
    if (!gate_.pass(*ctx.step().cancellation)) return Status(Code::kCancelled, "cancelled at the gate");
    ctx.set_output(0, ctx.input(0));
    return Status();
  }

 private:
  Gate& gate_;
};

/// A plan for a signature in which kernels of Identity nodes wait at `gate`.
inline RefPtr<Plan> plan_with_gate(Graph& graph, const RunSignature& signature, Gate& gate) {
  const auto lock = graph.lock();
  auto subgraph = prune(signature.feeds, signature.fetches, signature.targets);
  TINYTF_CHECK(subgraph.ok());
  const auto kernel_of = [&gate](const SubgraphNode& node) -> Result<std::shared_ptr<Kernel>> {
    if (node.info->op->name == "Identity") return std::shared_ptr<Kernel>(std::make_shared<GateKernel>(gate));
    TINYTF_ASSIGN_OR_RETURN(std::unique_ptr<Kernel> made, KernelRegistry::global().create(*node.info));
    return std::shared_ptr<Kernel>(std::move(made));
  };
  auto plan = build_plan(subgraph.value(), signature.feeds, kernel_of);
  TINYTF_CHECK(plan.ok());
  return plan.take();
}

}  // namespace testing
}  // namespace tinytf

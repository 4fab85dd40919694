#pragma once

// Plans and steps without a session, with kernels of the test's own in place of some nodes'.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "op/kernel_registry.h"
#include "runtime/executor.h"
#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace testing {

/// The node's registered kernel.
inline const auto registered_kernel = [](const Node& node) -> Result<std::shared_ptr<Kernel>> {
  TINYTF_ASSIGN_OR_RETURN(std::unique_ptr<Kernel> made, KernelRegistry::global().create(node.info));
  return std::shared_ptr<Kernel>(std::move(made));
};

/// Plans and runs parts of a graph, with a pool of two threads at hand.
struct ExecutorFixture : GraphFixture {
  ThreadPool pool{2};
  StepThreads threads{&pool, 3};
  SerialParallel serial;
  ResourceManager resources;
  std::optional<Cancellation> cancellation{std::in_place};  ///< `emplace` for each step that might be cancelled
  StepLoan services{StepServices{&Allocator::process(), &serial, &resources, &resources, &*cancellation}};
  std::vector<Tensor> fetches;
  int64_t timeout_ms = 0;
  Interrupt* interrupt = nullptr;

  static RefPtr<Plan> plan(const std::vector<Endpoint>& feeds, const std::vector<Endpoint>& fetches,
                           KernelSource kernels = registered_kernel) {
    Subgraph subgraph = prune(feeds, fetches, {}).take();
    fold_constants(subgraph, 10 << 20);
    return build_plan(subgraph, feeds, kernels).take();
  }
  /// One step; checks that it leaves nothing but constants behind.
  Status run(Plan& plan, std::vector<Tensor> feeds) {
    fetches.clear();
    auto memory = plan.take_slots();
    StepWatch watch(timeout_ms, interrupt);
    const Status status = execute(plan, services, *memory, threads, watch, feeds, fetches);
    size_t left = 0;
    for (const Slot& slot : memory->slots) left += slot.tensor.valid();
    EXPECT_EQ(left, plan.constants.size());
    plan.return_slots(std::move(memory));
    return status;
  }
};

/// Both ways to run a plan.
template <class Body>
void for_each_way(Plan& plan, Body body) {
  for (const bool threaded : {false, true}) {
    for (size_t n = 0; n < plan.nodes.size(); ++n) plan.profile.node_ns[n] = threaded ? 1'000'000 : 0;
    plan.profile.steps = 4;  // measured already
    plan.profile.use_threads = threaded;
    body();
  }
}

}  // namespace testing
}  // namespace tinytf

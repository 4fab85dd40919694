#pragma once

// Plans and steps without a session, with custom kernels for some nodes.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/step/execute.h"
#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/plans.h"

namespace tinytf {
namespace testing {

/// Plans and runs parts of a graph, with a pool of two threads.
struct ExecutorFixture : GraphFixture {
  ThreadPool pool{2};
  StepThreads threads{&pool, 3};
  SerialParallel serial;
  ResourceManager resources;
  std::optional<Cancellation> cancellation{std::in_place};  ///< `emplace` for each step that may be cancelled
  StepServices services{KernelServices{&Allocator::process(), &serial, &resources, &resources, &*cancellation}};
  std::vector<Tensor> fetches;
  int64_t timeout_ms = 0;
  Interrupt* interrupt = nullptr;

  static RefPtr<Plan> plan(const std::vector<Endpoint>& feeds, const std::vector<Endpoint>& fetches,
                           KernelSource kernels = registered_kernel, bool compiles = true) {
    Subgraph subgraph = prune(feeds, fetches, {}).take();
    fold_constants(subgraph, 10 << 20);
    return build_plan(subgraph, feeds, kernels, compiles).take();
  }
  /// Runs one step; checks that only constants remain in its memory.
  Status run(Plan& plan, std::vector<Tensor> feeds) {
    fetches.clear();
    auto memory = plan.take_slots();
    StepStopCheck stop_check(timeout_ms, interrupt);
    const Status status = execute(plan, services, *memory, threads, stop_check, feeds, fetches);
    size_t left = 0;
    for (const Slot& slot : memory->slots) left += slot.tensor.valid();
    EXPECT_EQ(left, plan.program().constants.size());
    plan.return_slots(std::move(memory));
    return status;
  }
};

/// Runs `body` with both ways to run a plan.
template <class Body>
void for_each_way(Plan& plan, Body body) {
  for (const bool threaded : {false, true}) {
    pretend_measured(plan, threaded ? 1'000'000 : 0);
    plan.profile().use_threads = threaded;
    body();
  }
}

}  // namespace testing
}  // namespace tinytf

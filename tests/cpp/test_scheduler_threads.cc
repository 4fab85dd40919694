#include "runtime/step/scheduler.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tests/cpp/executor_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::floats;
using Fixture = testing::ExecutorFixture;

/// The node "last" waits until the given number of other nodes have run.
struct LastKernel final : Kernel {
  LastKernel(std::atomic<int>& ran, int others) : ran(ran), others(others) {}
  Status compute(KernelContext& ctx) override {
    ctx.set_output(0, ctx.input(0));
    if (ctx.node().name != "last") {
      ++ran;
      return Status();
    }
    while (ran.load() < others) std::this_thread::yield();
    return Status();
  }
  std::atomic<int>& ran;
  const int others;
};

TINYTF_TEST(executor_leaves_no_node_to_a_thread_that_is_busy) {
  constexpr int kNodes = 8;
  for (int last = 0; last < kNodes; ++last) {
    Fixture f;
    Node* x = f.placeholder("x", {1});
    std::vector<Endpoint> nodes;
    for (int i = 0; i < kNodes; ++i) nodes.push_back({f.add("Neg", i == last ? "last" : str_cat("n", i), {{x, 0}}), 0});
    std::atomic<int> ran{0};
    const auto kernel = [&](const SubgraphNode& node) -> Result<std::shared_ptr<Kernel>> {
      if (node.info->op->name == "Neg") return std::shared_ptr<Kernel>(std::make_shared<LastKernel>(ran, kNodes - 1));
      return testing::registered_kernel(node);
    };
    const RefPtr<Plan> plan = f.plan({{x, 0}}, nodes, kernel);
    testing::pretend_measured(*plan, 1'000'000);
    plan->profile().steps = 4;
    plan->profile().use_threads = true;
    EXPECT_OK(f.run(*plan, {floats({1})}));
    EXPECT_EQ(ran.load(), kNodes - 1);
  }
}

/// Records the threads of nodes.
struct ThreadKernel final : Kernel {
  explicit ThreadKernel(std::map<std::string, std::thread::id>& ran) : ran(ran) {}
  Status compute(KernelContext& ctx) override {
    static std::mutex mutex;
    std::lock_guard lock(mutex);
    ran[ctx.node().name] = std::this_thread::get_id();
    ctx.set_output(0, ctx.input(0));
    return Status();
  }
  std::map<std::string, std::thread::id>& ran;
};

TINYTF_TEST(executor_goes_on_with_the_node_that_most_waits_for) {
  for (const int place : {0, 1, 2, 3}) {
    Fixture f;
    Node* x = f.placeholder("x", {1});
    Node* begin = f.add("Neg", "begin", {{x, 0}});
    std::vector<Endpoint> ends;
    for (int i = 0; i < 4; ++i) ends.push_back({f.add("Neg", i == place ? "next" : str_cat("n", i), {{begin, 0}}), 0});
    for (int i = 0; i < 3; ++i) ends[place] = {f.add("Neg", str_cat("later", i), {ends[place]}), 0};
    std::map<std::string, std::thread::id> ran;
    const RefPtr<Plan> plan = f.plan({{x, 0}}, ends, [&](const SubgraphNode&) -> Result<std::shared_ptr<Kernel>> {
      return std::shared_ptr<Kernel>(std::make_shared<ThreadKernel>(ran));
    });
    testing::pretend_measured(*plan, 1'000'000);
    EXPECT(threads_would_pay(plan->program(), plan->profile()));
    plan->profile().steps = 4;
    plan->profile().use_threads = true;
    EXPECT_OK(f.run(*plan, {floats({1})}));
    EXPECT_EQ(ran.size(), 8u);
    EXPECT(ran["next"] == ran["begin"]);
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

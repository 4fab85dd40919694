#include <random>

#include "op/kernel_registry.h"
#include "runtime/plan/bytecode.h"
#include "tests/cpp/waiting_room.h"
#include "tests/stress/graphs.h"
#include "tests/stress/stress.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

constexpr int kLoops = 4;
constexpr int64_t kSize = 8;

/// Completes later, on another thread.
class LaterKernel final : public AsyncKernel {
 public:
  explicit LaterKernel(ThreadPool& pool) : pool_(pool) {}
  void compute_async(KernelContext& ctx, Done done) override {
    ctx.set_output(0, ctx.input(0));
    auto end = std::make_shared<Done>(std::move(done));
    if (!pool_.try_schedule([end] { (*end)(Status()); })) (*end)(Status());
  }

 private:
  ThreadPool& pool_;
};

/// Loops that repeatedly double a matrix and read one shared matrix, then branches on their results; all independent:
/// the sum of x · 2^(i + 1), negated for half of them if the predicate is true.
struct LoopsAndBranches {
  LoopsAndBranches() {
    const Endpoint x = placeholder(*graph, "x"), p = placeholder(*graph, "p", DType::kBool);
    const Endpoint one = constant(*graph, "one", Tensor::scalar(1));
    std::vector<Endpoint> values;
    for (int i = 0; i < kLoops; ++i) {
      const std::string name = "l" + std::to_string(i);
      const Endpoint doubled = loop(name, x, constant(*graph, name + "/times", Tensor::scalar(i + 1)), one);
      Node* const either = add(*graph, "Switch", name + "/either", {doubled, p});
      const Endpoint no = {either, 0},
                     yes = {add(*graph, i % 2 == 0 ? "Neg" : "Identity", name + "/yes", {{either, 1}}), 0};
      values.push_back({add(*graph, "Merge", name + "/or", {no, yes}, {}, {2}), 0});
    }
    signature.feeds = {x, p};
    signature.fetches = {{add(*graph, "AddN", "sum", values, {}, {kLoops}), 0}};
  }

  Endpoint loop(const std::string& name, Endpoint x, Endpoint times, Endpoint one) {
    const auto in = [&](const char* what) { return name + "/" + what; };
    const auto enter = [&](const char* what, Endpoint value, bool is_constant) {
      return Endpoint{add(*graph, "Enter", in(what), {value},
                          {{"frame_name", name}, {"is_constant", is_constant}, {"parallel_iterations", int64_t{10}}}),
                      0};
    };
    const Endpoint zero = constant(*graph, in("zero"), Tensor::scalar(0));
    const auto variable = [&](const char* what, Endpoint value) {
      const Endpoint entered = enter(what, value, false);
      return add(*graph, "Merge", in(what) + "/merge", {entered, entered}, {}, {2});
    };
    Node* const i = variable("i", zero);
    Node* const y = variable("y", x);
    const Endpoint less{add(*graph, "Less", in("less"), {{i, 0}, enter("limit", times, true)}), 0};
    const Endpoint condition{add(*graph, "LoopCond", in("cond"), {less}), 0};
    Node* const i_switch = add(*graph, "Switch", in("i/switch"), {{i, 0}, condition});
    Node* const y_switch = add(*graph, "Switch", in("y/switch"), {{y, 0}, condition});
    const Endpoint next_i{add(*graph, "Add", in("i/add"), {{i_switch, 1}, enter("one", one, true)}), 0};
    const Endpoint waited{add(*graph, "Identity", in("y/waits"), {{y_switch, 1}}), 0};
    const Endpoint twice{add(*graph, "Add", in("y/add"), {waited, waited}), 0};
    TINYTF_CHECK(graph->update_input(i, 1, {add(*graph, "NextIteration", in("i/next"), {next_i}), 0}).ok());
    TINYTF_CHECK(graph->update_input(y, 1, {add(*graph, "NextIteration", in("y/next"), {twice}), 0}).ok());
    return {add(*graph, "Exit", in("exit"), {{y_switch, 0}}), 0};
  }

  RefPtr<Plan> plan(ThreadPool* later) {
    const auto lock = graph->lock();
    const Subgraph subgraph = prune(signature.feeds, signature.fetches, {}).take();
    const auto kernel_of = [later](const SubgraphNode& node) -> Result<std::shared_ptr<Kernel>> {
      if (later != nullptr && node.info->name.find("waits") != std::string::npos) {
        return std::shared_ptr<Kernel>(std::make_shared<LaterKernel>(*later));
      }
      TINYTF_ASSIGN_OR_RETURN(std::unique_ptr<Kernel> made, KernelRegistry::global().create(*node.info));
      return std::shared_ptr<Kernel>(std::move(made));
    };
    RefPtr<Plan> plan = build_plan(subgraph, signature.feeds, kernel_of).take();
    TINYTF_CHECK(plan->program().code != nullptr);
    force_threads(*plan);
    return plan;
  }

  RefPtr<Graph> graph = make_ref<Graph>();
  RunSignature signature;
};

void run_from_many_threads(LoopsAndBranches& graph, ThreadPool* later) {
  const RefPtr<Plan> plan = graph.plan(later);
  const auto session = threaded_session(graph.graph);
  on_threads(3, [&](int t) {
    std::mt19937 random(t);
    for (int step = 0; step < rounds(40); ++step) {
      const bool negates = random() % 2 == 0;
      const auto x = static_cast<float>(random() % 5);
      std::vector<Tensor> feeds = {filled(Shape({kSize, kSize}), x), Tensor::scalar(negates)}, fetches;
      EXPECT_OK(session->run(*plan, feeds, fetches));
      float expected = 0;
      for (int i = 0; i < kLoops; ++i) {
        expected += (negates && i % 2 == 0 ? -x : x) * static_cast<float>(2 << i);
      }
      EXPECT(all_are(fetches[0], expected));
    }
  });
}

// Loops and branches of one step run on several threads, read shared values and pass theirs on.
TINYTF_TEST(loops_and_branches_run_beside_each_other) {
  LoopsAndBranches graph;
  run_from_many_threads(graph, nullptr);
}

// Asynchronous kernels in iterations complete on other threads, which continue the loop.
TINYTF_TEST(loops_go_on_where_their_kernels_ended) {
  LoopsAndBranches graph;
  ThreadPool later(2);
  run_from_many_threads(graph, &later);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

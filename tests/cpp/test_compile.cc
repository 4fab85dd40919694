#include "runtime/plan/compile.h"

#include <future>
#include <thread>

#include "tests/cpp/functions.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/plans.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::floats;
using testing::GraphFixture;

struct Compiling {
  explicit Compiling(GraphFixture& g, CompileOptions options = {}) : compiler(g.graph(), options) {}

  Result<RefPtr<Plan>> plan(const RunSignature& signature) {
    return compiler.compile(signature, [](const Subgraph&) { return Status(); }, kernels, {&serial});
  }
  Result<RefPtr<Plan>> plan(const FuncRef& function) { return compiler.compile(function, nullptr, kernels, {&serial}); }

  SerialParallel serial;
  KernelStore kernels;
  Compiler compiler;
};

/// f of x is x * (2 + 3).
void add_scaling(GraphFixture& g, const std::string& name) {
  GraphFixture f;
  Node* x = f.placeholder("x");
  Node* two = f.constant("two", Tensor::scalar(2.0f));
  Node* three = f.constant("three", Tensor::scalar(3.0f));
  Node* five = f.add("Add", "five", {{two, 0}, {three, 0}});
  EXPECT_OK(g->add_function(name, body_of(f, {{x, 0}}, {{f.add("Mul", "scaled", {{x, 0}, {five, 0}}), 0}})));
}

TINYTF_TEST(functions_go_through_the_passes_of_plans) {
  GraphFixture g;
  add_scaling(g, "f");
  Compiling compiling(g);
  const RefPtr<Plan> plan = compiling.plan(FuncRef{"f", {}}).take();
  EXPECT_EQ(plan->program().folded, 1);
  EXPECT_EQ(plan->program().nodes.size(), 1u);
  EXPECT(plan->program().feed_types == std::vector<DType>{DType::kFloat});
  EXPECT(plan->program().fetch_types == std::vector<DType>{DType::kFloat});
  CompileOptions options;
  options.fold_constants = options.eliminate_common_subexpressions = false;
  Compiling plain(g, options);
  EXPECT_EQ(plain.plan(FuncRef{"f", {}}).value()->program().folded, 0);
  EXPECT_EQ(compiling.plan(FuncRef{"g", {}}).status().message(), "Function g is not defined.");
}

TINYTF_TEST(values_are_folded_once_for_all_plans) {
  GraphFixture g;
  Node* x = g.placeholder("x");
  Node* c = g.constant("c", floats({1, 2}));
  Node* sum = g.add("Add", "sum", {{c, 0}, {c, 0}});
  Node* y = g.add("Mul", "y", {{x, 0}, {sum, 0}});
  Node* z = g.add("Sub", "z", {{x, 0}, {sum, 0}});
  Compiling compiling(g);
  const auto value = [&](Node* fetch) {
    const RefPtr<Plan> plan = compiling.plan(RunSignature{{{x, 0}}, {{fetch, 0}}, {}}).take();
    EXPECT_EQ(plan->program().folded_values.size(), 1u);
    return plan;
  };
  const RefPtr<Plan> first = value(y), second = value(z);
  EXPECT(first->program().folded_values[0] == second->program().folded_values[0]);
}

TINYTF_TEST(a_place_that_fails_ends_the_compilation) {
  GraphFixture g;
  Node* x = g.placeholder("x");
  Compiling compiling(g);
  const auto failing = [](const Subgraph& needed) { return invalid_argument(needed.nodes.size(), " nodes"); };
  const auto plan =
      compiling.compiler.compile(RunSignature{{}, {{x, 0}}, {}}, failing, compiling.kernels, {&compiling.serial});
  EXPECT_EQ(plan.status().message(), "1 nodes");
}

/// A place to run loops that adds a node to a graph on another thread first.
class AddsNodes final : public Parallel {
 public:
  explicit AddsNodes(GraphFixture& g) : g_(g) {}
  int threads() const override { return 1; }
  void run(int64_t n, int64_t, double, FunctionRef<void(int64_t, int64_t)> body) override {
    std::thread([this] { g_.placeholder("added"); }).join();
    body(0, n);
  }
  void run_in_order(int64_t n, double cost, FunctionRef<void(int64_t, int64_t)> body) override {
    run(n, n, cost, body);
  }

 private:
  GraphFixture& g_;
};

TINYTF_TEST(graphs_may_grow_while_constants_are_evaluated) {
  GraphFixture g;
  Node* c = g.constant("c", Tensor::allocate(Allocator::process(), DType::kFloat, Shape({1 << 20})).take());
  Node* exp = g.add("Exp", "exp", {{c, 0}});
  Compiling compiling(g);
  AddsNodes parallel(g);
  const auto plan = compiling.compiler.compile(
      RunSignature{{}, {{exp, 0}}, {}}, [](const Subgraph&) { return Status(); }, compiling.kernels, {&parallel});
  EXPECT_OK(plan.status());
  EXPECT(g->find("added") != nullptr);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

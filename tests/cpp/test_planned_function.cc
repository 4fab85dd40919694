#include "runtime/functions/planned_function.h"

#include "tests/cpp/executor_fixture.h"
#include "tests/cpp/function_answers.h"
#include "tests/cpp/functions.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::ExecutorFixture;

/// x → x + x, with the types of its fetches, which only the compiler sets.
RefPtr<Plan> doubling_plan(ExecutorFixture& g) {
  Node* x = g.placeholder("x");
  Node* sum = g.add("Add", "sum", {{x, 0}, {x, 0}});
  Subgraph subgraph = prune({{x, 0}}, {{sum, 0}}, {}).take();
  Program program = build_program(subgraph, {{x, 0}}, testing::registered_kernel).take();
  program.fetch_types = {DType::kFloat};
  return make_ref<Plan>(std::move(program));
}

TINYTF_TEST(planned_functions_check_their_arguments) {
  ExecutorFixture g;
  testing::Answers runner;
  auto function = make_ref<PlannedFunction>("f", doubling_plan(g), 1, runner);
  EXPECT(function->argument_types() == std::vector<DType>{DType::kFloat});
  EXPECT(function->result_types() == std::vector<DType>{DType::kFloat});
  const auto run = [&](std::vector<Tensor> arguments) {
    std::vector<Tensor> results;
    const Status status = function->run(g.services, arguments, results);
    return status.ok() ? str_cat(*results[0].data<float>()) : status.message();
  };
  EXPECT_EQ(run({Tensor::scalar(4.0f)}), "8");
  EXPECT_EQ(run({}), "Function f has 1 args, not 0");
  EXPECT_EQ(run({Tensor::scalar<int32_t>(1)}), "Expects arg[0] of function f to be float but int32 is provided");
  EXPECT_EQ(run({Tensor::scalar(5.0f)}), "10");
  g.cancellation->cancel();
  EXPECT_EQ(run({Tensor::scalar(5.0f)}), "Run call was cancelled");
  g.cancellation.emplace();
  function->clear();
  EXPECT_EQ(run({Tensor::scalar(5.0f)}), "Function f is of a session that is closed");
}

TINYTF_TEST(planned_functions_call_functions_of_their_runner) {
  ExecutorFixture g;
  Node* x = g.placeholder("x");
  Node* y = testing::call(g, "call", "inner", {{x, 0}});
  Subgraph subgraph = prune({{x, 0}}, {{y, 0}}, {}).take();
  Program program = build_program(subgraph, {{x, 0}}, testing::registered_kernel).take();
  program.fetch_types = {DType::kFloat};
  testing::Answers runner, of_step;
  runner.answers = {Tensor::scalar(3.0f)};
  auto function = make_ref<PlannedFunction>("f", make_ref<Plan>(std::move(program)), 1, runner);
  g.services.functions = &of_step;
  std::vector<Tensor> arguments{Tensor::scalar(4.0f)}, results;
  EXPECT_OK(function->run(g.services, arguments, results));
  EXPECT_EQ(*results[0].data<float>(), 3.0f);
  EXPECT_EQ(runner.asked, "inner of 1");
  EXPECT_EQ(of_step.instantiated, 0);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

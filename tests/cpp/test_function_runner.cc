#include "op/function_runner.h"

#include "tests/cpp/executor_fixture.h"
#include "tests/cpp/functions.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::ExecutorFixture;
using testing::floats;

/// Returns the answers set by the test.
class Answers final : public FunctionRunner {
 public:
  Status run(const FuncRef& function, const KernelServices&, std::vector<Tensor> arguments,
             std::vector<Tensor>& results, FunctionOwner) override {
    asked = str_cat(function.name, " of ", arguments.size());
    results = answers;
    return status;
  }
  std::string asked;
  std::vector<Tensor> answers;
  Status status;
};

TINYTF_TEST(calls_ask_the_runner_that_the_step_lends) {
  ExecutorFixture g;
  Node* x = g.placeholder("x");
  Node* y = testing::call(g, "call", "f", {{x, 0}, {x, 0}});
  const auto plan = ExecutorFixture::plan({{x, 0}}, {{y, 0}});
  const auto run = [&] { return g.run(*plan, {floats({1})}).message(); };
  EXPECT_EQ(run(), "Function f can only be called while a step runs\n\t [[{{node call}}]]");
  Answers answers;
  g.services.functions = g.services.whole.functions = &answers;
  answers.answers = {floats({1, 2})};
  EXPECT_EQ(run(), "");
  EXPECT_EQ(answers.asked, "f of 2");
  EXPECT_EQ(g.fetches[0].num_elements(), 2);
  answers.answers = {};
  EXPECT_EQ(run(), "Function f yields 0 values, not 1\n\t [[{{node call}}]]");
  answers.answers = {testing::ints({1})};
  EXPECT_EQ(run(), "Value 0 of function f is int32, but expects float\n\t [[{{node call}}]]");
  answers.status = invalid_argument("no").at_node("inner");
  EXPECT_EQ(run(), "no\n\t [[{{node inner}}]]\n\t [[call]]");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

#include "op/function_callee.h"

#include <deque>

#include "tests/cpp/function_answers.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::Answers;

TINYTF_TEST(functions_are_instantiated_once_for_each_runner) {
  FunctionCallee callee({"f", {}});
  KernelServices step;
  EXPECT_EQ(callee.instance(step).status().message(), "Function f can only be called while a step runs");
  Answers first, second;
  step.functions = &first;
  FunctionInstance* const instance = callee.instance(step).take();
  EXPECT(callee.instance(step).value() == instance);
  EXPECT_EQ(first.instantiated, 1);
  step.functions = &second;
  EXPECT(callee.instance(step).value() != instance);
  EXPECT_EQ(second.instantiated, 1);
}

TINYTF_TEST(callees_keep_few_instances) {
  FunctionCallee callee({"f", {}});
  KernelServices step;
  std::deque<Answers> runners(40);
  for (Answers& runner : runners) {
    step.functions = &runner;
    EXPECT_OK(callee.instance(step).status());
  }
  EXPECT_EQ(runners.back().instantiated, 1);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

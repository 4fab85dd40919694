#include "op/function_runner.h"

#include "tests/cpp/background_fixture.h"
#include "tests/cpp/executor_fixture.h"
#include "tests/cpp/function_answers.h"
#include "tests/cpp/functions.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::Answers;
using testing::ExecutorFixture;
using testing::floats;

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
  EXPECT_EQ(answers.instantiated, 1);
  EXPECT_EQ(run(), "no\n\t [[{{node inner}}]]\n\t [[call]]");
}

TINYTF_TEST(functions_run_in_the_background_and_end_once) {
  Answers answers;
  answers.answers = {floats({1, 2})};
  const RefPtr<FunctionInstance> function = answers.instantiate({"f", {}}, KernelServices(), {}).take();
  const auto host = make_ref<testing::OpenHost>();
  testing::Ends ends;
  std::vector<size_t> results;
  const auto done = [&](const Status& status, std::vector<Tensor> yielded) {
    results.push_back(yielded.size());
    ends.add(status);
  };
  BackgroundWork work;
  function->run_async(work, *host, {floats({3})}, done);
  EXPECT_OK(ends.wait_for(1)[0]);
  EXPECT_EQ(answers.asked, "f of 1");
  answers.status = invalid_argument("no");
  function->run_async(work, *host, {}, done);
  EXPECT_EQ(ends.wait_for(2)[1].message(), "no");
  work.stop();
  function->run_async(work, *host, {}, done);
  EXPECT_EQ(ends.wait_for(3)[2].code(), Code::kCancelled);
  EXPECT(results == (std::vector<size_t>{1, 0, 0}));
}

TINYTF_TEST(runners_have_ids_of_their_own) {
  const Answers a, b;
  EXPECT(a.id() != b.id());
  EXPECT(a.id() != 0);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

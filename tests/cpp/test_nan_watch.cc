#include "runtime/observe/nan_watch.h"

#include <cmath>
#include <limits>

#include "tests/cpp/executor_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::floats;
using testing::for_each_way;
using Fixture = testing::ExecutorFixture;

constexpr float kInf = std::numeric_limits<float>::infinity();

/// The error message of a step with the NaN watch.
std::string watched(Fixture& f, Plan& plan, std::vector<Tensor> feeds, bool infinities = true) {
  NanWatch watch(infinities);
  f.services.observer = &watch;
  f.cancellation.emplace();
  const Status status = f.run(plan, std::move(feeds));
  f.services.observer = nullptr;
  return status.message();
}

TINYTF_TEST(nan_watch_names_the_first_node) {
  Fixture f;
  Node* x = f.placeholder("x");
  Node* y = f.placeholder("y");
  Node* ratio = f.add("RealDiv", "scope/ratio", {{x, 0}, {y, 0}});
  const RefPtr<Plan> plan = f.plan({{x, 0}, {y, 0}}, {{f.add("Neg", "after", {{ratio, 0}}), 0}});
  for_each_way(*plan, [&] {
    EXPECT_EQ(
        watched(f, *plan, {floats({0, 1, -6}), floats({0, 2, 2})}),
        "NaN watch: the first NaN comes from {{node scope/ratio}}of type RealDiv: output 0 is float [3] in [-3, 0.5] "
        "and 1 NaN. Its inputs: float [3] in [-6, 1]; float [3] in [0, 2].\n\t [[scope/ratio]]");
    EXPECT_EQ(
        watched(f, *plan, {floats({1}), floats({0})}),
        "NaN watch: the first Inf comes from {{node scope/ratio}}of type RealDiv: output 0 is float [1] 1 Inf. Its "
        "inputs: float [1] all 1; float [1] all 0.\n\t [[scope/ratio]]");
    EXPECT_EQ(watched(f, *plan, {floats({1}), floats({2})}), "");
    EXPECT_EQ(f.fetches[0].data<float>()[0], -0.5f);
  });
}

TINYTF_TEST(nan_watch_may_let_infinities_pass) {
  Fixture f;
  Node* x = f.placeholder("x");
  Node* log = f.add("Log", "log", {{x, 0}});
  const RefPtr<Plan> plan = f.plan({{x, 0}}, {{log, 0}});
  EXPECT_EQ(watched(f, *plan, {floats({0})}, false), "");
  EXPECT(watched(f, *plan, {floats({0})}, true).find("the first Inf") != std::string::npos);
  EXPECT(watched(f, *plan, {floats({0, -1})}, false).find("1 NaN and 1 Inf") != std::string::npos);
}

TINYTF_TEST(nan_watch_looks_at_every_output_and_type) {
  Fixture f;
  Node* x = f.placeholder("x", {2});
  Node* axis = f.constant("axis", Tensor::scalar(int32_t{0}));
  Node* split = f.add("Split", "split", {{axis, 0}, {x, 0}}, {{"num_split", int64_t{2}}});
  const RefPtr<Plan> plan = f.plan({{x, 0}}, {{split, 0}});
  EXPECT(watched(f, *plan, {floats({1, kInf})}).find("output 1 is float [1] 1 Inf") != std::string::npos);
  Node* i = f.placeholder("i", {}, DType::kInt32);
  Node* strings = f.placeholder("strings", {}, DType::kString);
  const RefPtr<Plan> others =
      f.plan({{i, 0}, {strings, 0}}, {{f.add("Neg", "j", {{i, 0}}), 0}, {f.add("Identity", "t", {{strings, 0}}), 0}});
  EXPECT_EQ(watched(f, *others, {testing::ints({0x7F800000}), testing::tensor<std::string>({1}, {"nan"})}), "");
}

TINYTF_TEST(nan_watch_blames_who_writes_or_reads_a_variable) {
  Fixture f;
  Node* v = f.variable("v", {1});
  Node* x = f.placeholder("x", {1});
  Node* assign = f.add("Assign", "assign", {{v, 0}, {x, 0}});
  const RefPtr<Plan> write = f.plan({{x, 0}}, {{assign, 0}});
  EXPECT_EQ(
      watched(f, *write, {floats({kInf})}),
      "NaN watch: the first Inf comes from {{node assign}}of type Assign: output 0 is float [1] 1 Inf. Its inputs: "
      "float [1] 1 Inf; float [1] 1 Inf.\n\t [[assign]]");
  // Nodes that only pass the value on are not blamed.
  const RefPtr<Plan> read = f.plan({}, {{f.add("Neg", "use", {{f.add("Identity", "read", {{v, 0}}), 0}}), 0}});
  EXPECT(watched(f, *read, {}).find("comes from {{node use}}of type Neg") != std::string::npos);
}

TINYTF_TEST(nan_watch_sees_folded_nodes) {
  Fixture f;
  Node* x = f.placeholder("x");
  Node* log = f.add("Log", "log", {{f.constant("c", floats({-1, 0})), 0}});
  Node* square = f.add("Square", "square", {{log, 0}});
  const RefPtr<Plan> plan = f.plan({{x, 0}}, {{f.add("Mul", "use", {{square, 0}, {x, 0}}), 0}});
  EXPECT_EQ(plan->program().nodes.size(), size_t{1});
  EXPECT_EQ(plan->program().not_finite.size(), size_t{2});
  for (int time = 0; time < 2; ++time) {
    EXPECT_EQ(NanWatch(true).folded_nodes(*plan).message(),
              "NaN watch: the first NaN comes from {{node log}}of type Log: output 0 is float [2] 1 NaN and 1 Inf. Its "
              "inputs: float [2] in [-1, 0].\n\t [[log]]");
  }
  Node* far = f.add("Log", "far", {{f.constant("zero", floats({0})), 0}});
  const RefPtr<Plan> infinite = f.plan({{x, 0}}, {{f.add("Mul", "reach", {{far, 0}, {x, 0}}), 0}});
  EXPECT_OK(NanWatch(false).folded_nodes(*infinite));
  EXPECT(NanWatch(true).folded_nodes(*infinite).message().find("{{node far}}") != std::string::npos);
}

TINYTF_TEST(nan_watch_blames_neither_constants_nor_who_hands_them_on) {
  Fixture f;
  Node* x = f.placeholder("x");
  Node* same = f.add("Identity", "same", {{f.constant("c", floats({kInf})), 0}});
  const RefPtr<Plan> plan = f.plan({{x, 0}}, {{f.add("Mul", "use", {{same, 0}, {x, 0}}), 0}});
  EXPECT_OK(NanWatch(true).folded_nodes(*plan));
  EXPECT(watched(f, *plan, {floats({1})}).find("comes from {{node use}}of type Mul") != std::string::npos);
}

TINYTF_TEST(nan_watch_shows_some_inputs) {
  Fixture f;
  std::vector<Endpoint> feeds;
  std::vector<Tensor> values;
  for (int i = 0; i < 10; ++i) {
    feeds.push_back({f.placeholder(str_cat("x", i)), 0});
    values.push_back(floats({3e38f}));
  }
  const RefPtr<Plan> plan = f.plan(feeds, {{f.add_list("AddN", "sum", feeds), 0}});
  const std::string text = watched(f, *plan, values);
  EXPECT(text.find("; float [1] all 3e+38; and 2 more.\n") != std::string::npos);
  Node* shape = f.placeholder("shape", {}, DType::kInt32);
  Node* fill = f.add("Fill", "fill", {{shape, 0}, {f.constant("nan", Tensor::scalar(std::nanf(""))), 0}});
  const RefPtr<Plan> filling = f.plan({{shape, 0}}, {{fill, 0}});
  EXPECT(watched(f, *filling, {testing::ints({2})})
             .find("is float [2] 2 NaN. Its inputs: int32 [1] all 2; float [] 1 NaN.") != std::string::npos);
}

TINYTF_TEST(nan_watch_wants_the_inputs_kept) { EXPECT(NanWatch(true).keeps_inputs() && !NanWatch(true).wants_times()); }

}  // namespace TINYTF_FILE
}  // namespace tinytf

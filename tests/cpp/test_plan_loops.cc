#include "runtime/plan/plan_loops.h"

#include "tests/cpp/executor_fixture.h"
#include "tests/cpp/loops.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::scalar;

TINYTF_TEST(plan_loops_are_told_compiled_or_not) {
  testing::ExecutorFixture f;
  Node* start = f.placeholder("start", PartialShape::scalar(), DType::kInt32);
  Node* p = f.placeholder("p", PartialShape::scalar(), DType::kBool);
  Node* one = f.constant("one", scalar(1));
  const testing::CountingLoop loop(f, "l", {start, 0}, {start, 0}, {one, 0});
  Node* branch = testing::add_switch(f, "branch", {loop.exit, 0}, {p, 0});
  Node* yes = f.add("Neg", "yes", {{branch, 1}});
  const std::vector<Endpoint> feeds{{start, 0}, {p, 0}};
  const RefPtr<Plan> plan = f.plan(feeds, {{yes, 0}});
  const std::vector<PlanLoop> compiled = plan_loops(plan->program());
  EXPECT_EQ(compiled.size(), size_t{1});
  EXPECT_EQ(compiled[0].frame, "l");
  EXPECT_EQ(str_join(compiled[0].nodes, " ", [](const auto& name) { return name; }), "l/less l/sum");
  EXPECT(compiled[0].is_compiled);
  EXPECT_EQ(plan_guards(plan->program()), 2);  // for a fetch and the node
  const RefPtr<Plan> by_tokens = f.plan(feeds, {{yes, 0}}, testing::registered_kernel, /*compiles=*/false);
  const std::vector<PlanLoop> tokens = plan_loops(by_tokens->program());
  EXPECT_EQ(tokens.size(), size_t{1});
  EXPECT(!tokens[0].is_compiled && tokens[0].nodes.size() > 2);
  EXPECT(plan_loops(f.plan({{start, 0}}, {{start, 0}})->program()).empty());
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

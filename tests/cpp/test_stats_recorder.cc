#include "runtime/observe/stats_recorder.h"

#include "tests/cpp/executor_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::floats;
using Fixture = testing::ExecutorFixture;

TINYTF_TEST(stats_recorder_notes_every_node) {
  Fixture f;
  Node* x = f.placeholder("x");  // unknown shape, because known shapes are folded
  Node* axis = f.constant("axis", Tensor::scalar(int32_t{0}));
  Node* split = f.add("Split", "scope/split", {{axis, 0}, {x, 0}}, {{"num_split", int64_t{2}}});
  Node* shape = f.add("Shape", "shape", {{split, 1}});
  const RefPtr<Plan> plan = f.plan({{x, 0}}, {{shape, 0}, {split, 0}});
  StepStats stats;
  StatsRecorder recorder(stats);
  EXPECT(recorder.wants_times() && !recorder.keeps_inputs());
  f.services.observer = &recorder;
  const int64_t before = stats.now();
  EXPECT_OK(f.run(*plan, {floats({1, 2, 3, 4})}));
  const int64_t after = stats.now();
  const std::vector<NodeStats> nodes = stats.take();
  EXPECT_EQ(nodes.size(), size_t{2});
  EXPECT_EQ(nodes[0].node, "scope/split");
  EXPECT_EQ(nodes[0].thread, StepStats::this_thread());
  EXPECT_EQ(nodes[0].outputs.size(), size_t{2});
  EXPECT_EQ(nodes[0].outputs[1].slot, 1);
  EXPECT(nodes[0].outputs[1].dtype == DType::kFloat && nodes[0].outputs[1].shape == Shape{2});
  EXPECT_EQ(nodes[0].outputs[1].bytes, 8);
  EXPECT(nodes[1].outputs[0].dtype == DType::kInt32);
  EXPECT(before <= nodes[0].start_ns && nodes[0].start_ns <= nodes[0].end_ns);
  EXPECT(nodes[0].end_ns <= nodes[1].start_ns && nodes[1].end_ns <= after);
}

TINYTF_TEST(stats_recorder_notes_no_references_and_no_failures) {
  Fixture f;
  Node* v = f.variable("v", {1});
  Node* read = f.add("Neg", "read", {{v, 0}});
  const RefPtr<Plan> plan = f.plan({}, {{read, 0}});
  StepStats stats;
  StatsRecorder recorder(stats);
  f.services.observer = &recorder;
  EXPECT_EQ(f.run(*plan, {}).code(), Code::kFailedPrecondition);
  const std::vector<NodeStats> nodes = stats.take();
  EXPECT_EQ(nodes.size(), size_t{1});
  EXPECT_EQ(nodes[0].node, "v");
  EXPECT(nodes[0].outputs.empty());
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

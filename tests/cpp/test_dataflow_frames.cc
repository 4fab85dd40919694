#include "runtime/step/dataflow_frames.h"

#include "tests/cpp/harness.h"
#include "tests/cpp/loops.h"
#include "tests/cpp/plans.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::CountingLoop;
using testing::GraphFixture;
using testing::scalar;

Program loop_program(GraphFixture& g) {
  Node* start = g.placeholder("start", {}, DType::kInt32);
  const CountingLoop loop(g, "l", {start, 0}, {start, 0}, {start, 0});
  const Subgraph subgraph = prune({{start, 0}}, {{loop.exit, 0}}, {}).take();
  return build_program(subgraph, {{start, 0}}, testing::registered_kernel, /*is_partial=*/false, /*compiles=*/false)
      .take();
}

TINYTF_TEST(dataflow_frames_begin_with_what_nodes_wait_for) {
  GraphFixture g;
  const Program program = loop_program(g);
  DataflowFrames frames(*program.tokens);
  FrameInstance* root = frames.make_frame(0, nullptr, 0);
  FrameInstance* loop = frames.make_frame(1, root, 0);
  EXPECT_EQ(loop->enters_left, 3);
  for (size_t i = 0; i < loop->layout->nodes.size(); ++i) {
    const DataflowNode& node = program.tokens->nodes[loop->layout->nodes[i]];
    const int32_t expected = node.kind == ControlFlow::kMerge ? 1 : node.data_inputs + node.control_inputs;
    EXPECT_EQ(loop->iteration(0).counts[i].pending, expected);
  }
  EXPECT(!loop->is_done() && !loop->is_oldest_done());
  loop->enters_left = 0;
  EXPECT(loop->is_oldest_done());
}

TINYTF_TEST(dataflow_frames_use_the_room_of_old_iterations) {
  GraphFixture g;
  const Program program = loop_program(g);
  DataflowFrames frames(*program.tokens);
  FrameInstance* loop = frames.make_frame(1, nullptr, 0);
  IterationState* const first = &loop->iteration(0);
  first->slots[0].tensor = scalar(7);
  first->counts[0].dead = 5;
  frames.begin_iteration(*loop);
  EXPECT_EQ(loop->last, 1);
  frames.end_oldest(*loop);
  EXPECT_EQ(loop->oldest, 1);
  EXPECT(!first->slots[0].tensor.valid());
  frames.begin_iteration(*loop);
  EXPECT(&loop->iteration(2) == first);
  EXPECT_EQ(first->counts[0].dead, 0);
  frames.forget(loop);
  EXPECT(frames.make_frame(1, nullptr, 0) == loop);
  EXPECT_EQ(loop->last, 0);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

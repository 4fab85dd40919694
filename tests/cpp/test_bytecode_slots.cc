#include "runtime/plan/bytecode_slots.h"

#include "graph/passes/find_guards.h"
#include "tests/cpp/control.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/loops.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::add_merge;
using testing::add_switch;
using testing::Control;
using testing::CountingLoop;
using testing::GraphFixture;
using testing::scalar;

struct Slots : Control {
  explicit Slots(const std::vector<Endpoint>& fetches, const std::vector<Endpoint>& feeds = {})
      : Control(fetches, feeds) {
    program.feed_slots.assign(feeds.size(), -1);
  }
  int32_t of(const Node* node, int output = 0) { return slots.of({index_of(node), output}); }
  bool is_silent(const Node* node) const { return slots.silent()[index_of(node)]; }
  Program program;
  SlotLiveness uses{frames};
  BytecodeSlots slots{structure, uses, program};
};

TINYTF_TEST(slots_are_shared_by_nodes_that_pass_values_on) {
  GraphFixture g;
  Node* p = g.placeholder("p", PartialShape::scalar(), DType::kBool);
  Node* x = g.placeholder("x");
  Node* branch = add_switch(g, "branch", {x, 0}, {p, 0});
  Node* copy = g.add("Identity", "copy", {{branch, 1}});
  Node* no = g.add("Neg", "no", {{branch, 0}});
  Node* merge = add_merge(g, "merge", {{no, 0}, {copy, 0}});
  Slots slots({{merge, 0}, {merge, 1}});
  EXPECT(slots.is_silent(branch) && slots.is_silent(copy));
  EXPECT(slots.of(branch, 0) == slots.of(x) && slots.of(branch, 1) == slots.of(x) && slots.of(copy) == slots.of(x));
  EXPECT(!slots.is_silent(no) && !slots.is_silent(merge));
  EXPECT_EQ(slots.of(no), slots.slots.first_of(slots.index_of(no)));
  EXPECT_EQ(slots.of(merge, 1), slots.of(merge, 0) + 1);
  EXPECT_EQ(slots.uses.slot_count(), 5);  // p, x, no, and two of the Merge
}

TINYTF_TEST(slots_of_loop_variables_are_shared_by_all_iterations) {
  GraphFixture g;
  Node* start = g.placeholder("start", PartialShape::scalar(), DType::kInt32);
  Node* one = g.constant("one", scalar(1));
  const CountingLoop loop(g, "l", {start, 0}, {start, 0}, {one, 0});
  Slots slots({{loop.exit, 0}});
  const int32_t variable = slots.slots.of_variable(slots.index_of(loop.merge));
  EXPECT(slots.is_silent(loop.merge) && slots.is_silent(loop.next) && slots.is_silent(loop.exit));
  EXPECT(slots.of(loop.exit) == variable && slots.of(loop.body) == variable);
  EXPECT_EQ(slots.of(loop.next), slots.of(loop.sum));
  EXPECT(variable != slots.of(start) && variable != slots.of(loop.sum));
}

TINYTF_TEST(slots_of_constants_and_feeds_are_made_once) {
  GraphFixture g;
  Node* one = g.constant("one", scalar(1));
  Node* x = g.placeholder("x", PartialShape::scalar(), DType::kInt32);
  Node* sum = g.add("Add", "sum", {{one, 0}, {x, 0}});
  Slots slots({{sum, 0}}, {{x, 0}});
  EXPECT(slots.is_silent(one));
  EXPECT_EQ(slots.program.constants.size(), size_t{1});
  EXPECT_EQ(slots.program.constants[0].first, slots.of(one));
  EXPECT_EQ(slots.program.feed_slots[0], -1);
  const int32_t fed = slots.of(x);
  EXPECT(slots.program.feed_slots[0] == fed && slots.of(x) == fed);
}

TINYTF_TEST(slots_of_known_values_are_side_by_side) {
  GraphFixture g;
  Node* axis = g.constant("axis", scalar(0));
  Node* split =
      g.add("Split", "split", {{axis, 0}, {g.constant("c", testing::floats({1, 2})), 0}}, {{"num_split", int64_t{2}}});
  Subgraph folded = prune({}, {{split, 0}, {split, 1}}, {}).take();
  fold_constants(folded, 10 << 20);
  const Frames frames = find_frames(folded).take();
  Guards guards = find_guards(folded, frames).take();
  const std::vector<Loop> loops = find_loops(folded, frames, guards).take();
  const ControlStructure control{folded, frames, guards, loops};
  SlotLiveness uses(frames);
  Program program;
  BytecodeSlots slots(control, uses, program);
  const int32_t first = slots.add_known(folded.fetches[0].node);
  EXPECT(slots.of(folded.fetches[0]) == first && slots.of(folded.fetches[1]) == first + 1);
  EXPECT_EQ(program.constants[1].second.data<float>()[0], 2.0f);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

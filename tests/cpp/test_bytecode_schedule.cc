#include "runtime/plan/bytecode_schedule.h"

#include "tests/cpp/control.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/loops.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::add_merge;
using testing::add_switch;
using testing::CountingLoop;
using testing::GraphFixture;
using testing::scalar;

/// The names of the scheduled items; a loop has the name of its frame.
std::string names(const std::vector<Endpoint>& fetches, int frame = 0, bool in_body = false) {
  const testing::Control control(fetches);
  const Subgraph& subgraph = control.subgraph;
  std::vector<bool> silent(subgraph.nodes.size());
  for (size_t i = 0; i < silent.size(); ++i) {
    const ControlFlow kind = subgraph.nodes[i].info->op->control_flow;
    silent[i] = kind == ControlFlow::kSwitch || kind == ControlFlow::kLoopCond ||
                subgraph.nodes[i].info->op->has(Trait::kConstant) || subgraph.nodes[i].info->name == "l/merge";
  }
  const auto items = schedule(control.structure, FrameNodes(control.frames), silent, frame, in_body);
  if (!items) return "no order";
  return str_join(items->items, " ", [&](const BytecodeItem& item) {
    return item.node >= 0 ? subgraph.nodes[item.node].info->name
                          : str_cat("<", control.frames.all[item.frame].name, ">");
  });
}

TINYTF_TEST(schedule_keeps_branches_together) {
  GraphFixture g;
  Node* p = g.placeholder("p", PartialShape::scalar(), DType::kBool);
  Node* x = g.placeholder("x");
  Node* branch = add_switch(g, "branch", {x, 0}, {p, 0});
  Node* no = g.add("Neg", "no", {{branch, 0}});
  Node* yes = g.add("Neg", "yes", {{branch, 1}});
  Node* plain = g.add("Neg", "plain", {{x, 0}});
  Node* no_more = g.add("Exp", "no_more", {{no, 0}});
  Node* yes_more = g.add("Exp", "yes_more", {{yes, 0}});
  Node* merge = add_merge(g, "merge", {{no_more, 0}, {yes_more, 0}});
  EXPECT_EQ(names({{merge, 0}, {plain, 0}}), "p x plain no no_more yes yes_more merge");
}

TINYTF_TEST(schedule_takes_a_loop_as_one) {
  GraphFixture g;
  Node* start = g.placeholder("start", PartialShape::scalar(), DType::kInt32);
  Node* one = g.constant("one", scalar(1));
  const CountingLoop loop(g, "l", {start, 0}, {start, 0}, {one, 0});
  Node* after = g.add("Neg", "after", {{loop.exit, 0}});
  EXPECT_EQ(names({{after, 0}}), "start <l> after");
  EXPECT_EQ(names({{after, 0}}, 1, false), "l/less");
  EXPECT_EQ(names({{after, 0}}, 1, true), "l/body l/sum");
}

TINYTF_TEST(schedule_has_no_order_for_a_loop_that_waits_for_itself) {
  GraphFixture g;
  Node* start = g.placeholder("start", PartialShape::scalar(), DType::kInt32);
  Node* one = g.constant("one", scalar(1));
  const CountingLoop loop(g, "l", {start, 0}, {start, 0}, {one, 0});
  Node* again = testing::add_enter(g, "again", {loop.exit, 0}, "l");
  Node* merge = add_merge(g, "l/other", {{again, 0}, {again, 0}});
  Node* branch = add_switch(g, "l/other_switch", {merge, 0}, {loop.condition, 0});
  EXPECT_OK(g->update_input(merge, 1, {g.add("NextIteration", "l/other_next", {{branch, 1}}), 0}));
  EXPECT_EQ(names({{g.add("Exit", "l/other_exit", {{branch, 0}}), 0}}), "no order");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

#include "graph/passes/loops.h"

#include "graph/passes/find_guards.h"
#include "tests/cpp/control.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/loops.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::add_enter;
using testing::add_merge;
using testing::add_switch;
using testing::CountingLoop;
using testing::GraphFixture;
using testing::scalar;

struct LoopGraph : GraphFixture {
  Node* start = placeholder("start", PartialShape::scalar(), DType::kInt32);
  Node* one = constant("one", scalar(1));
  CountingLoop loop{*this, "loop", {start, 0}, {start, 0}, {one, 0}};

  std::optional<std::vector<Loop>> find(const std::vector<Endpoint>& fetches) {
    const Subgraph subgraph = prune({}, fetches, {}).take();
    const Frames frames = find_frames(subgraph).take();
    Result<Guards> guards = find_guards(subgraph, frames);
    if (!guards.ok()) return std::nullopt;
    Result<std::vector<Loop>> loops = find_loops(subgraph, frames, guards.value());
    return loops.ok() ? std::optional(loops.take()) : std::nullopt;
  }
  Node* enter_one(const char* name) { return add_enter(*this, name, {one, 0}, "loop", true); }
};

TINYTF_TEST(loops_have_a_condition_and_variables) {
  LoopGraph g;
  const auto loops = g.find({{g.loop.exit, 0}});
  EXPECT(loops.has_value());
  EXPECT_EQ(loops->size(), size_t{2});
  EXPECT_EQ((*loops)[1].variables.size(), size_t{1});
  EXPECT((*loops)[1].condition.value);
}

TINYTF_TEST(loops_know_the_merges_of_their_variables) {
  LoopGraph g;
  const testing::Control control({{g.loop.exit, 0}});
  const std::vector<bool> is_variable = loop_variables(control.structure);
  for (size_t i = 0; i < is_variable.size(); ++i) {
    EXPECT_EQ(is_variable[i], control.subgraph.nodes[i].origin == g.loop.merge);
  }
}

TINYTF_TEST(loops_may_stand_in_branches_and_loops) {
  LoopGraph g;
  Node* p = g.placeholder("p", PartialShape::scalar(), DType::kBool);
  Node* branch = add_switch(g, "branch", {g.start, 0}, {p, 0});
  const CountingLoop inner(g, "inner", {branch, 1}, {g.one, 0}, {g.one, 0});
  EXPECT(g.find({{add_merge(g, "merge", {{branch, 0}, {inner.exit, 0}}), 0}}).has_value());
}

TINYTF_TEST(triggers_in_loops_are_for_the_body) {
  {
    LoopGraph g;
    Node* trigger = g.add("ControlTrigger", "trigger", {}, {}, {g.add("Neg", "neg", {{g.loop.body, 0}})});
    Node* second = g.add("ControlTrigger", "second", {}, {}, {trigger, g.loop.condition});
    g->add_control_input(g.loop.next, second);
    EXPECT(g.find({{g.loop.exit, 0}}).has_value());
  }
  {
    LoopGraph g;  // consumers of the ControlTrigger also run in the last iteration
    Node* trigger = g.add("ControlTrigger", "trigger", {}, {}, {g.loop.body});
    Node* last = g.add("Neg", "last", {{g.loop.merge, 0}}, {}, {trigger});
    Node* branch = add_switch(g, "b", {last, 0}, {g.loop.condition, 0});
    EXPECT(!g.find({{g.add("Exit", "e", {{branch, 0}}), 0}}));
  }
}

TINYTF_TEST(loops_of_other_kinds_are_left_to_tokens) {
  {
    LoopGraph g;  // an exit from the middle
    Node* equal = g.add("Equal", "equal", {{g.loop.sum, 0}, {g.enter_one("e"), 0}});
    Node* second = add_switch(g, "second", {g.loop.sum, 0}, {equal, 0});
    EXPECT(!g.find({{g.add("Exit", "early", {{second, 1}}), 0}, {g.loop.exit, 0}}));
  }
  {
    LoopGraph g;  // another node runs at the exit
    Node* at_end = g.add("Neg", "at_end", {{g.loop.branch, 0}});
    Node* sum = g.add("Add", "sum", {{at_end, 0}, {g.enter_one("e"), 0}});
    EXPECT(!g.find({{g.add("Exit", "exit", {{sum, 0}}), 0}}));
  }
  {
    LoopGraph g;  // the condition switches a value that is not a loop variable
    Node* other = add_switch(g, "other", {g.enter_one("e"), 0}, {g.loop.condition, 0});
    EXPECT(!g.find({{g.add("Exit", "exit", {{other, 0}}), 0}}));
  }
  {
    LoopGraph g;  // uses the index output of a Merge
    Node* sum = g.add("Add", "both", {{g.loop.merge, 1}, {g.loop.body, 0}});
    Node* next = g.add("NextIteration", "n", {{sum, 0}});
    Node* enter = add_enter(g, "e", {g.start, 0}, "loop");
    Node* merge = add_merge(g, "m", {{enter, 0}, {enter, 0}});
    EXPECT_OK(g->update_input(merge, 1, {next, 0}));
    Node* branch = add_switch(g, "b", {merge, 0}, {g.loop.condition, 0});
    EXPECT(!g.find({{g.add("Exit", "exit", {{branch, 0}}), 0}}));
  }
  {
    LoopGraph g;  // the next iteration's value has another consumer
    Node* sum = g.add("Add", "late", {{g.loop.body, 0}, {g.loop.next, 0}});
    Node* enter = add_enter(g, "e", {g.start, 0}, "loop");
    Node* merge = add_merge(g, "m", {{enter, 0}, {enter, 0}});
    EXPECT_OK(g->update_input(merge, 1, {g.add("NextIteration", "n", {{sum, 0}}), 0}));
    Node* branch = add_switch(g, "b", {merge, 0}, {g.loop.condition, 0});
    EXPECT(!g.find({{g.add("Exit", "exit", {{branch, 0}}), 0}}));
  }
  {
    LoopGraph g;  // no condition
    Node* enter = add_enter(g, "e", {g.start, 0}, "alone");
    EXPECT(!g.find({{g.add("Exit", "exit", {{enter, 0}}), 0}}));
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

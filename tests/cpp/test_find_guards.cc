#include "graph/passes/find_guards.h"

#include <vector>

#include "tests/cpp/guard_fixture.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/loops.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::add_merge;
using testing::add_switch;
using testing::GraphFixture;
using testing::GuardFixture;

TINYTF_TEST(guards_are_what_switches_ask) {
  GuardFixture g;
  Node* outer = add_switch(g, "outer", {g.x, 0}, {g.p, 0});
  Node* a = g.add("Neg", "a", {{outer, 0}});
  Node* same = g.add("Identity", "pred_id", {{g.q, 0}});
  Node* inner = add_switch(g, "inner", {outer, 1}, {same, 0});
  Node* b = g.add("Neg", "b", {{inner, 0}});
  Node* c = g.add("Neg", "c", {{inner, 1}});
  Node* join = add_merge(g, "join", {{b, 0}, {c, 0}});
  Node* last = add_merge(g, "last", {{a, 0}, {join, 0}});
  const Guards guards = *g.find({{last, 0}});
  EXPECT_EQ(g.guard_of(guards, "outer"), "");
  EXPECT_EQ(g.guard_of(guards, "a"), "!p");
  EXPECT_EQ(g.guard_of(guards, "b"), "p !q");
  EXPECT_EQ(g.guard_of(guards, "c"), "p q");
  EXPECT_EQ(g.guard_of(guards, "join"), "p");
  EXPECT_EQ(g.guard_of(guards, "last"), "");
  const BranchMerge& merge = guards.merges[static_cast<size_t>(g.subgraph.fetches[0].node)];
  EXPECT_EQ(merge.if_true, 1);
  EXPECT_EQ(g.subgraph.nodes[merge.predicate.node].info->name, "p");
}

TINYTF_TEST(guards_of_both_inputs_count) {
  GuardFixture g;
  Node* by_p = add_switch(g, "by_p", {g.x, 0}, {g.p, 0});
  Node* by_q = add_switch(g, "by_q", {g.x, 0}, {g.q, 0});
  Node* sum = g.add("Add", "sum", {{by_p, 1}, {by_q, 0}});
  Node* waits = g.add("Neg", "waits", {{g.x, 0}}, {}, {sum});
  const Guards guards = *g.find({{waits, 0}});
  EXPECT_EQ(g.guard_of(guards, "sum"), "p !q");
  EXPECT_EQ(g.guard_of(guards, "waits"), "p !q");
}

TINYTF_TEST(guards_of_what_both_values_of_a_predicate_lead_to) {
  GuardFixture g;
  Node* outer = add_switch(g, "outer", {g.x, 0}, {g.p, 0});
  Node* inner = add_switch(g, "inner", {outer, 1}, {g.p, 0});
  Node* dead = g.add("Neg", "dead", {{inner, 0}});
  Node* living = g.add("Neg", "living", {{inner, 1}});
  Node* merge = add_merge(g, "merge", {{dead, 0}, {living, 0}});
  Node* none = add_merge(g, "none", {{dead, 0}, {dead, 0}});
  const Guards guards = *g.find({{merge, 0}, {none, 0}});
  EXPECT_EQ(g.guard_of(guards, "inner"), "p");
  EXPECT_EQ(g.guard_of(guards, "dead"), "never");
  EXPECT_EQ(g.guard_of(guards, "living"), "p");
  EXPECT_EQ(g.guard_of(guards, "merge"), "p");
  EXPECT_EQ(g.guard_of(guards, "none"), "never");
  EXPECT_EQ(guards.merges[static_cast<size_t>(g.subgraph.fetches[0].node)].only, 1);
}

TINYTF_TEST(triggers_run_in_any_case) {
  GuardFixture g;
  Node* by_p = add_switch(g, "by_p", {g.x, 0}, {g.p, 0});
  Node* waits = g.add("Neg", "waits", {{by_p, 1}});
  Node* trigger = g.add("ControlTrigger", "trigger", {}, {}, {waits});
  const Guards guards = *g.find({{g.add("Neg", "late", {{g.x, 0}}, {}, {trigger}), 0}});
  EXPECT_EQ(g.guard_of(guards, "waits"), "p");
  EXPECT_EQ(g.guard_of(guards, "trigger"), "");
  EXPECT_EQ(g.guard_of(guards, "late"), "");
}

TINYTF_TEST(guards_tell_what_runs_once_in_every_step) {
  GraphFixture g;
  Node* p = g.placeholder("p", PartialShape::scalar(), DType::kBool);
  Node* start = g.placeholder("start", PartialShape::scalar(), DType::kInt32);
  Node* one = g.constant("one", testing::scalar(1));
  const testing::CountingLoop loop(g, "l", {start, 0}, {start, 0}, {one, 0});
  Node* branch = testing::add_switch(g, "branch", {loop.exit, 0}, {p, 0});
  Node* no = g.add("Neg", "no", {{branch, 0}});
  Node* merge = testing::add_merge(g, "merge", {{no, 0}, {branch, 1}});
  Node* after = g.add("Neg", "after", {{merge, 0}});
  const Subgraph subgraph = prune({}, {{after, 0}}, {}).take();
  const std::vector<bool> unconditional = find_unconditional(subgraph).take();
  for (size_t i = 0; i < subgraph.nodes.size(); ++i) {
    const std::string& name = subgraph.nodes[i].info->name;
    const bool is_inside = name == "no" || (name.substr(0, 2) == "l/" && subgraph.nodes[i].info->op->name != "Enter");
    EXPECT_EQ(unconditional[i], !is_inside);
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

#include "graph/passes/switch_predicates.h"

#include "graph/passes/find_guards.h"
#include "tests/cpp/guard_fixture.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/loops.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::add_merge;
using testing::add_switch;
using testing::GuardFixture;
using testing::scalar;

TINYTF_TEST(switches_ask_what_is_behind_identities) {
  GuardFixture g;
  Node* same = g.add("Identity", "same", {{g.p, 0}});
  Node* branch = add_switch(g, "branch", {g.x, 0}, {g.add("Identity", "again", {{same, 0}}), 0});
  const Guards guards = *g.find({{branch, 1}});
  const SwitchPredicate& asked = guards.switches[static_cast<size_t>(g.subgraph.fetches[0].node)];
  EXPECT_EQ(g.subgraph.nodes[asked.predicate.node].info->name, "p");
  EXPECT(!asked.is_negated && !asked.known);
}

TINYTF_TEST(switches_of_known_values_ask_for_one_predicate) {
  GuardFixture g;
  Node* first = add_switch(g, "first", {g.x, 0}, {g.constant("yes", Tensor::scalar(true)), 0});
  Node* second = add_switch(g, "second", {g.x, 0}, {g.constant("also", Tensor::scalar(true)), 0});
  Node* sum = g.add("Add", "sum", {{first, 1}, {second, 1}});
  Node* never = g.add("Add", "never", {{first, 0}, {second, 1}});
  g.subgraph = prune({}, {{sum, 0}, {never, 0}}, {}).take();
  fold_constants(g.subgraph, 1000);
  const Guards guards = find_guards(g.subgraph, find_frames(g.subgraph).take()).take();
  EXPECT(guards.known[1] && !guards.known[0]);
  EXPECT_EQ(guards.table.size(guards.of[static_cast<size_t>(g.subgraph.fetches[0].node)]), 1);
  EXPECT_EQ(guards.of[static_cast<size_t>(g.subgraph.fetches[1].node)], GuardTable::kNever);
}

TINYTF_TEST(switches_ask_for_the_input_of_a_merge_by_its_predicate) {
  GuardFixture g;
  Node* by_p = add_switch(g, "by_p", {g.x, 0}, {g.p, 0});
  Node* negative = g.add("Neg", "negative", {{by_p, 0}});
  Node* merge = add_merge(g, "merge", {{by_p, 1}, {negative, 0}});
  for (const int number : {0, 1}) {
    Node* wanted = g.constant(str_cat("wanted", number), scalar(number));
    Node* equal = g.add("Equal", str_cat("equal", number), {{merge, 1}, {wanted, 0}});
    Node* back = add_switch(g, str_cat("back", number), {g.x, 0}, {equal, 0});
    Node* taken = g.add("Neg", str_cat("taken", number), {{back, 1}});
    Node* other = g.add("Neg", str_cat("other", number), {{back, 0}});
    const Guards guards = *g.find({{add_merge(g, str_cat("both", number), {{taken, 0}, {other, 0}}), 0}});
    EXPECT_EQ(g.guard_of(guards, str_cat("taken", number)), number == 0 ? "p" : "!p");
    EXPECT_EQ(g.guard_of(guards, str_cat("other", number)), number == 0 ? "!p" : "p");
  }
}

TINYTF_TEST(switches_in_loops_that_a_predicate_leads_to) {
  GuardFixture g;
  Node* start = add_switch(g, "start", {g.constant("zero", scalar(0)), 0}, {g.p, 0});
  Node* limit = g.constant("limit", scalar(3));
  testing::CountingLoop loop(g, "l", {start, 1}, {limit, 0}, {limit, 0});
  Node* entered = testing::add_enter(g, "l/p", {g.p, 0}, "l", true);
  Node* branch = add_switch(g, "l/branch", {loop.body, 0}, {entered, 0});
  Node* dead = g.add("Neg", "l/dead", {{branch, 0}});
  Node* joined = add_merge(g, "l/joined", {{dead, 0}, {branch, 1}});
  EXPECT_OK(g->update_input(loop.next, 0, {joined, 0}));
  const Guards guards = *g.find({{loop.exit, 0}});
  EXPECT_EQ(g.guard_of(guards, "l/enter"), "p");
  EXPECT_EQ(g.guard_of(guards, "l/dead"), "never");
  EXPECT_EQ(g.guard_of(guards, "l/joined"), "l/cond");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

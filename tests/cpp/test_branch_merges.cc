#include "graph/passes/branch_merges.h"

#include "tests/cpp/guard_fixture.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/loops.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::add_merge;
using testing::add_switch;
using testing::GuardFixture;

TINYTF_TEST(merges_take_the_input_that_the_predicate_says) {
  GuardFixture g;
  Node* outer = add_switch(g, "outer", {g.x, 0}, {g.q, 0});
  Node* by_p = add_switch(g, "by_p", {outer, 1}, {g.p, 0});
  for (const int if_true : {0, 1}) {
    Node* merge = add_merge(g, str_cat("merge", if_true), {{by_p, 1 - if_true}, {by_p, if_true}});
    const Guards guards = *g.find({{merge, 0}});
    const BranchMerge& found = guards.merges[static_cast<size_t>(g.subgraph.fetches[0].node)];
    EXPECT_EQ(g.subgraph.nodes[found.predicate.node].info->name, "p");
    EXPECT_EQ(found.if_true, if_true);
    EXPECT_EQ(found.only, -1);
    EXPECT_EQ(g.subgraph.nodes[found.by].info->name, "by_p");
    EXPECT_EQ(g.guard_of(guards, merge->info->name), "q");
  }
}

TINYTF_TEST(merges_of_what_no_predicate_decides_between) {
  GuardFixture g;
  Node* by_p = add_switch(g, "by_p", {g.x, 0}, {g.p, 0});
  Node* by_q = add_switch(g, "by_q", {g.x, 0}, {g.q, 0});
  EXPECT(!g.find({{add_merge(g, "of_two", {{by_p, 0}, {by_q, 1}}), 0}}));
  EXPECT(!g.find({{add_merge(g, "same", {{by_p, 0}, {by_p, 0}}), 0}}));
  EXPECT(!g.find({{add_merge(g, "one", {{by_p, 0}}), 0}}));
  EXPECT(!g.find({{add_merge(g, "in_part", {{by_p, 0}, {g.x, 0}}), 0}}));
}

TINYTF_TEST(merges_of_constants) {
  GuardFixture g;
  Node* constant = g.constant("constant", Tensor::scalar(1.0f));
  Node* by_p = add_switch(g, "by_p", {g.x, 0}, {g.p, 0});
  Node* merge = add_merge(g, "merge", {{by_p, 0}, {constant, 0}});
  const Guards guards = *g.find({{merge, 0}});
  EXPECT_EQ(g.guard_of(guards, "merge"), "");
  EXPECT_EQ(guards.merges[static_cast<size_t>(g.subgraph.fetches[0].node)].only, 1);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

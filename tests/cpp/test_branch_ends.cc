#include "graph/branch_ends.h"

#include "tests/cpp/harness.h"
#include "tests/cpp/loops.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::GraphFixture;

std::string ends(const GraphFixture& g, const std::vector<Node*>& wanted) {
  return str_join(with_branch_ends(g.graph()->nodes(), wanted), " ", [](const Node* node) { return node->name(); });
}

TINYTF_TEST(what_is_in_a_branch_has_run_where_the_branch_has_ended) {
  GraphFixture g;
  Node* x = g.placeholder("x");
  Node* p = g.placeholder("p", PartialShape::scalar(), DType::kBool);
  Node* outside = g.add("Exp", "outside", {{x, 0}});
  EXPECT_EQ(ends(g, {outside, x}), "outside x");  // without branches
  Node* branch = testing::add_switch(g, "switch", {x, 0}, {p, 0});
  Node* effect = g.add("NoOp", "effect", {}, {}, {branch});
  Node* inner = testing::add_switch(g, "inner/switch", {branch, 1}, {p, 0});
  Node* deeper = g.add("Exp", "deeper", {{inner, 0}});
  Node* inner_merge = testing::add_merge(g, "inner/merge", {{deeper, 0}, {inner, 1}});
  Node* waits = g.add("Identity", "waits", {{inner_merge, 0}}, {}, {effect});
  testing::add_merge(g, "merge", {{branch, 0}, {waits, 0}});
  Node* lonely = g.add("Exp", "lonely", {{branch, 0}});
  EXPECT_EQ(ends(g, {outside}), "outside");
  EXPECT_EQ(ends(g, {effect}), "merge");
  EXPECT_EQ(ends(g, {deeper, outside}), "outside merge");
  EXPECT_EQ(ends(g, {lonely}), "");
}

TINYTF_TEST(what_is_in_a_loop_has_run_where_the_loop_has_ended) {
  GraphFixture g;
  Node* zero = g.constant("zero", testing::scalar(0));
  Node* one = g.constant("one", testing::scalar(1));
  const testing::CountingLoop loop(g, "loop", {zero, 0}, {one, 0}, {one, 0});
  EXPECT_EQ(ends(g, {loop.sum}), "loop/exit");
  EXPECT_EQ(ends(g, {loop.less, zero}), "zero loop/exit");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

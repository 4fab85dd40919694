#include "graph/passes/foldable.h"

#include "tests/cpp/harness.h"
#include "tests/cpp/loops.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::add_enter;
using testing::add_switch;
using testing::floats;

struct Foldables : testing::GraphFixture {
  Node* c = constant("c", floats({1, 2}));
  Node* x = placeholder("x", {2});

  Node* call(const std::string& name, Node* input, std::vector<Node*> controls = {}) {
    NodeRequest request;
    request.op = "PyFuncStateless";
    request.name = name;
    request.inputs = {{input, 0}};
    request.group_sizes = {1};
    request.attrs.set("token", std::string("f"));
    request.attrs.set("Tout", std::vector<DType>{DType::kFloat});
    request.control_inputs = std::move(controls);
    return (*this)->add_node(std::move(request)).take();
  }
  /// The control dependencies of the node's folded value: "a b"; "no constant" if it cannot be folded.
  std::string waits_of(Node* node, size_t max_bytes = 1000, const std::vector<Endpoint>& feeds = {}) {
    const Subgraph subgraph = prune(feeds, {{node, 0}}, {}).take();
    FoldableNodes foldable(subgraph, max_bytes);
    bool is_constant = false;
    for (size_t i = 0; i < subgraph.nodes.size(); ++i) is_constant = foldable.add(static_cast<int>(i));
    if (!is_constant) return "no constant";
    const std::vector<int>& waits = foldable.waits(static_cast<int>(subgraph.nodes.size()) - 1);
    return str_join(waits, " ", [&](int wait) { return subgraph.nodes[wait].info->name; });
  }
};

TINYTF_TEST(foldable_nodes_are_made_of_constants) {
  Foldables g;
  EXPECT_EQ(g.waits_of(g.c), "");
  EXPECT_EQ(g.waits_of(g.c, 4), "");
  Node* a = g.add("Neg", "a", {{g.c, 0}});
  EXPECT_EQ(g.waits_of(g.add("Neg", "b", {{a, 0}})), "");
  EXPECT_EQ(g.waits_of(a, 4), "no constant");
  EXPECT_EQ(g.waits_of(a, 1000, {{g.c, 0}}), "no constant");
  EXPECT_EQ(g.waits_of(g.add("Add", "sum", {{a, 0}, {g.x, 0}})), "no constant");
  EXPECT_EQ(g.waits_of(g.add("Neg", "waits", {{a, 0}}, {}, {g.x})), "no constant");  // folding has no use for it
}

TINYTF_TEST(foldable_functions_wait_for_what_they_are_made_of) {
  Foldables g;
  EXPECT_EQ(g.waits_of(g.call("f", g.c)), "");
  EXPECT_EQ(g.waits_of(g.call("of_x", g.x)), "no constant");
  EXPECT_EQ(g.waits_of(g.call("waits", g.c, {g.x})), "x");
  Node* y = g.placeholder("y", {2});
  Node* late = g.add("Const", "late", {}, {{"value", floats({3})}, {"dtype", DType::kFloat}}, {y});
  EXPECT_EQ(g.waits_of(g.call("of_late", g.add("Neg", "a", {{late, 0}}))), "y");
  Node* both = g.call("both", g.add("Neg", "b", {{late, 0}}, {}, {y}), {g.x});
  EXPECT_EQ(g.waits_of(both).size(), std::string("x y").size());
}

TINYTF_TEST(foldable_functions_are_not_behind_switches) {
  Foldables g;
  Node* p = g.placeholder("p", PartialShape::scalar(), DType::kBool);
  Node* branch = add_switch(g, "branch", {g.c, 0}, {p, 0});
  EXPECT_EQ(g.waits_of(g.call("f", branch)), "no constant");
  EXPECT_EQ(g.waits_of(g.call("inside", g.c, {branch})), "branch");
}

TINYTF_TEST(foldable_functions_take_what_loops_keep) {
  Foldables g;
  Node* kept = add_enter(g, "kept", {g.c, 0}, "outer", true);
  Node* inner = add_enter(g, "inner", {kept, 0}, "inner", true);
  EXPECT_EQ(g.waits_of(g.call("f", kept)), "kept");
  EXPECT_EQ(g.waits_of(g.call("in_both", inner)), "inner");
  EXPECT_EQ(g.waits_of(g.call("fed", kept), 1000, {{kept, 0}}), "no constant");
  EXPECT_EQ(g.waits_of(g.call("of_variable", add_enter(g, "variable", {g.c, 0}, "outer"))), "no constant");
}

TINYTF_TEST(foldable_functions_wait_for_a_bounded_number_of_nodes) {
  Foldables g;
  std::vector<Node*> few, many;
  for (int i = 0; i < 65; ++i) {
    many.push_back(g.add("NoOp", str_cat("wait", i)));
    if (i < 64) few.push_back(many.back());
  }
  EXPECT(g.waits_of(g.call("few", g.c, few)) != "no constant");
  EXPECT_EQ(g.waits_of(g.call("many", g.c, many)), "no constant");
}

TINYTF_TEST(foldable_functions_always_yield_the_same) {
  Foldables g;
  const Subgraph subgraph = prune({}, {{g.call("f", g.c), 0}}, {}).take();
  EXPECT(calls_pure_function(subgraph.nodes.back()));
  EXPECT(!calls_pure_function(subgraph.nodes.front()));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

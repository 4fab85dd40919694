#include "graph/passes/subgraph.h"

#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"

// Nodes kept by prune. Rewrites of a Subgraph are tested in test_subgraph_*.cc.
namespace tinytf {
namespace TINYTF_FILE {

using testing::floats;
using testing::GraphFixture;

/// The names of the nodes in execution order, or the error.
std::string order(const std::vector<Endpoint>& feeds, const std::vector<Endpoint>& fetches,
                  const std::vector<Node*>& targets = {}) {
  const auto subgraph = prune(feeds, fetches, targets);
  if (!subgraph.ok()) return subgraph.status().message();
  return str_join(subgraph.value().nodes, " ",
                  [](const SubgraphNode& node) { return str_cat(node.values ? "fed:" : "", node.origin->name()); });
}

TINYTF_TEST(prune_keeps_what_is_asked_for) {
  GraphFixture g;
  Node* x = g.placeholder("x");
  Node* y = g.add("Neg", "y", {{x, 0}});
  Node* z = g.add("Neg", "z", {{y, 0}});
  Node* other = g.add("Neg", "other", {{x, 0}});
  EXPECT_EQ(order({}, {{y, 0}}), "x y");
  EXPECT_EQ(order({}, {}, {z}), "x y z");
  EXPECT_EQ(order({}, {{other, 0}}, {y}), "x y other");
  EXPECT_EQ(order({}, {}), "");
  EXPECT_EQ(order({}, {{y, 0}, {y, 0}}, {y, y}), "x y");
}

TINYTF_TEST(prune_feeds_cut_the_graph) {
  GraphFixture g;
  Node* x = g.placeholder("x");
  Node* y = g.add("Neg", "y", {{x, 0}});
  Node* z = g.add("Neg", "z", {{y, 0}});
  EXPECT_EQ(order({{y, 0}}, {{z, 0}}), "fed:y z");
  EXPECT_EQ(order({{y, 0}}, {{y, 0}}), "fed:y");
  EXPECT_EQ(order({{y, 0}}, {{z, 0}}, {y}), "x y z");  // a fed target still runs
  EXPECT_EQ(order({{z, 0}}, {{y, 0}}), "x y");
  EXPECT_EQ(order({{y, 0}}, {}, {}), "");
  const Subgraph subgraph = prune({{x, 0}, {y, 0}}, {{z, 0}, {y, 0}}, {}).take();
  EXPECT_EQ(subgraph.nodes.size(), size_t{2});
  EXPECT_EQ(subgraph.nodes[0].feeds[0], 1);  // index in the list of feeds
  EXPECT(subgraph.nodes[0].fed(0) && !subgraph.nodes[1].fed(0));
  EXPECT_EQ(subgraph.fetches[0].node, 1);
  EXPECT_EQ(subgraph.fetches[1].node, 0);
}

TINYTF_TEST(prune_runs_a_node_for_outputs_that_are_not_fed) {
  GraphFixture g;
  Node* x = g.placeholder("x", {4});
  Node* axis = g.constant("axis", Tensor::scalar(int32_t{0}));
  Node* split = g.add("Split", "split", {{axis, 0}, {x, 0}}, {{"num_split", int64_t{2}}});
  Node* sum = g.add("Add", "sum", {{split, 0}, {split, 1}});
  EXPECT_EQ(order({{split, 0}, {split, 1}}, {{sum, 0}}), "fed:split sum");
  EXPECT_EQ(order({{split, 1}}, {{sum, 0}}), "x axis split sum");
  const Subgraph subgraph = prune({{split, 1}}, {{sum, 0}}, {}).take();
  EXPECT(!subgraph.nodes[2].fed(0) && subgraph.nodes[2].fed(1));
}

TINYTF_TEST(subgraph_tells_references_from_feeds_of_them) {
  GraphFixture g;
  Node* v = g.variable("v", {1});
  Node* w = g.variable("w", {1});
  Node* sum = g.add("Add", "sum", {{v, 0}, {w, 0}});
  const Subgraph subgraph = prune({{w, 0}}, {{sum, 0}}, {}).take();
  const std::vector<SubgraphNode::Input>& inputs = subgraph.source(subgraph.fetches[0]).inputs;
  EXPECT_EQ(subgraph.source(inputs[0]).origin, v);
  EXPECT(subgraph.is_ref(inputs[0]) && !subgraph.fed(inputs[0]));
  EXPECT(!subgraph.is_ref(inputs[1]) && subgraph.fed(inputs[1]));
  EXPECT(!subgraph.is_ref(subgraph.fetches[0]));
}

TINYTF_TEST(prune_follows_control_edges) {
  GraphFixture g;
  Node* x = g.placeholder("x");
  Node* effect = g.add("NoOp", "effect");
  Node* y = g.add("Neg", "y", {{x, 0}}, {}, {effect});
  Node* z = g.add("Neg", "z", {{x, 0}}, {}, {y});
  EXPECT_EQ(order({}, {{z, 0}}), "x effect y z");
  EXPECT_EQ(order({{x, 0}}, {{z, 0}}), "fed:x effect y z");
  EXPECT_EQ(order({{x, 0}, {y, 0}}, {{z, 0}}), "fed:x fed:y z");  // a feed replaces the awaited node
  const Subgraph subgraph = prune({}, {}, {z}).take();
  EXPECT(subgraph.nodes[3].control_inputs == std::vector<int>{2});
  EXPECT(subgraph.targets == std::vector<int>{3});
}

TINYTF_TEST(prune_runs_older_nodes_first) {
  GraphFixture g;
  Node* a = g.placeholder("a");
  Node* b = g.placeholder("b");
  Node* c = g.add("Neg", "c", {{b, 0}});
  Node* d = g.add("Neg", "d", {{a, 0}});
  EXPECT_EQ(order({}, {{d, 0}, {c, 0}}), "a b c d");
  EXPECT_EQ(order({}, {{c, 0}, {d, 0}}), "a b c d");
  Node* late = g.placeholder("late");
  EXPECT_OK(g->update_input(c, 0, {late, 0}));
  EXPECT_EQ(order({}, {{c, 0}, {d, 0}}), "a d late c");
}

TINYTF_TEST(prune_finds_cycles) {
  GraphFixture g;
  Node* x = g.placeholder("x");
  Node* a = g.add("Neg", "a", {{x, 0}});
  Node* b = g.add("Neg", "b", {{a, 0}});
  Node* c = g.add("Neg", "c", {{x, 0}});
  EXPECT_OK(g->update_input(a, 0, {b, 0}));
  EXPECT_EQ(order({}, {{c, 0}}), "x c");
  EXPECT_EQ(order({}, {{b, 0}}), "Graph is invalid, contains a cycle with 2 nodes, including: a, b");
  EXPECT_EQ(order({{b, 0}}, {{a, 0}}), "fed:b a");  // a feed breaks the cycle
  Node* n = g.add("NoOp", "n");
  g->add_control_input(n, n);
  EXPECT_EQ(prune({}, {}, {n}).status().code(), Code::kInvalidArgument);
}

TINYTF_TEST(prune_takes_deep_graphs) {
  GraphFixture g;
  Node* node = g.placeholder("x", {1});
  for (int i = 0; i < 100'000; ++i) node = g.add("Neg", str_cat("n", i), {{node, 0}});
  EXPECT_EQ(prune({}, {{node, 0}}, {}).value().nodes.size(), size_t{100'001});
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

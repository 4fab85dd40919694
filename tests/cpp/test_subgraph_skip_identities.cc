#include "graph/passes/subgraph.h"
#include "graph/shape_claims.h"
#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::GraphFixture;

/// The subgraph after the pass.
Subgraph skipped(const std::vector<Endpoint>& feeds, const std::vector<Endpoint>& fetches,
                 const std::vector<Node*>& targets = {}) {
  Subgraph subgraph = prune(feeds, fetches, targets).take();
  skip_identities(subgraph);
  for (const SubgraphNode& node : subgraph.nodes) {
    for (const auto& input : node.inputs) EXPECT(node.removed || !subgraph.nodes[input.node].removed);
    for (const int control : node.control_inputs) EXPECT(node.removed || !subgraph.nodes[control].removed);
  }
  return subgraph;
}

/// The names of the nodes that the pass removed.
std::string removed(const Subgraph& subgraph) {
  std::string names;
  for (const SubgraphNode& node : subgraph.nodes) {
    if (node.removed) names += str_cat(names.empty() ? "" : " ", node.origin->name());
  }
  return names;
}

std::string fetched(const Subgraph& subgraph) { return subgraph.nodes[subgraph.fetches[0].node].origin->name(); }

struct Fixture : GraphFixture {
  Node* x = placeholder("x", {2});
  Node* neg = add("Neg", "neg", {{x, 0}});
  Node* copy = add("Identity", "copy", {{neg, 0}});
  Node* again = add("Identity", "again", {{copy, 0}});
};

TINYTF_TEST(skip_identities_hands_consumers_and_fetches_the_value_itself) {
  Fixture f;
  const Subgraph chain = skipped({}, {{f.again, 0}});
  EXPECT_EQ(removed(chain), "copy again");
  EXPECT_EQ(fetched(chain), "neg");
  Node* sum = f.add("Add", "sum", {{f.copy, 0}, {f.again, 0}});
  const Subgraph consumed = skipped({}, {{sum, 0}});
  EXPECT_EQ(removed(consumed), "copy again");
  const SubgraphNode& last = consumed.nodes[consumed.fetches[0].node];
  EXPECT_EQ(last.inputs[0].node, last.inputs[1].node);
}

TINYTF_TEST(skip_identities_takes_arguments_and_outputs_other_than_the_first) {
  Fixture f;
  Node* argument = f.add("Identity", "argument", {{f.x, 0}});
  const Subgraph fed = skipped({{f.x, 0}}, {{argument, 0}});
  EXPECT_EQ(fetched(fed), "x");
  EXPECT(fed.fed(fed.fetches[0]));
  Node* axis = f.constant("axis", Tensor::scalar(int32_t{0}));
  Node* split = f.add("Split", "split", {{axis, 0}, {f.x, 0}}, {{"num_split", int64_t{2}}});
  const Subgraph second = skipped({}, {{f.add("Identity", "half", {{split, 1}}), 0}});
  EXPECT_EQ(fetched(second), "split");
  EXPECT_EQ(second.fetches[0].output, 1);
}

TINYTF_TEST(skip_identities_keeps_nodes_that_order_others) {
  Fixture f;
  Node* waits = f.add("Identity", "waits", {{f.x, 0}}, {}, {f.neg});
  EXPECT_EQ(removed(skipped({}, {{waits, 0}})), "");
  Node* after = f.add("Neg", "after", {{f.x, 0}}, {}, {f.copy});
  EXPECT_EQ(removed(skipped({}, {{after, 0}})), "");
  EXPECT_EQ(removed(skipped({}, {{f.again, 0}}, {f.copy})), "again");
  EXPECT_EQ(removed(skipped({{f.copy, 0}}, {{f.again, 0}})), "again");
}

TINYTF_TEST(skip_identities_keeps_reads_of_references_and_casts) {
  Fixture f;
  Node* variable = f.variable("variable", {2});
  EXPECT_EQ(removed(skipped({}, {{f.add("Identity", "read", {{variable, 0}}), 0}})), "");
  const auto cast = [&](const char* name, DType to) { return f.add("Cast", name, {{f.x, 0}}, {{"DstT", to}}); };
  EXPECT_EQ(removed(skipped({}, {{cast("wide", DType::kDouble), 0}})), "");
  EXPECT_EQ(removed(skipped({}, {{cast("same", DType::kFloat), 0}})), "same");
}

TINYTF_TEST(skip_identities_keeps_nodes_whose_claimed_shape_steps_check) {
  GraphFixture g;
  Node* x = g.placeholder("x");
  Node* claimed = g.add("Identity", "claimed", {{x, 0}});
  EXPECT_OK(g->set_shape({claimed, 0}, {2}));
  Node* copy = g.add("Identity", "copy", {{claimed, 0}});
  rely_on_shapes(*copy);
  EXPECT_EQ(removed(skipped({}, {{copy, 0}})), "copy");
}

TINYTF_TEST(skip_identities_leaves_control_flow_as_it_is) {
  Fixture f;
  Node* predicate = f.placeholder("predicate", {}, DType::kBool);
  Node* gate = f.add("Switch", "gate", {{f.copy, 0}, {predicate, 0}});
  EXPECT_EQ(removed(skipped({}, {{f.add("Identity", "taken", {{gate, 1}}), 0}})), "");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

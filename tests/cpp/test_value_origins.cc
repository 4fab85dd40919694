#include "graph/passes/value_origins.h"

#include "tests/cpp/harness.h"
#include "tests/cpp/loops.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::add_switch;
using testing::GraphFixture;
using testing::scalar;

struct Origins : GraphFixture {
  Node* p = placeholder("p", PartialShape::scalar(), DType::kBool);
  Node* two = constant("two", scalar(2));

  const SubgraphNode& fetched(Node* node, const std::vector<Endpoint>& feeds = {}) {
    subgraph = prune(feeds, {{node, 0}}, {}).take();
    return subgraph.nodes[static_cast<size_t>(subgraph.fetches[0].node)];
  }
  Subgraph subgraph;
};

TINYTF_TEST(values_from_the_beginning_are_those_of_constants) {
  Origins g;
  EXPECT_EQ(scalar_from_beginning<int32_t>(g.fetched(g.two), 0), std::optional(2));
  EXPECT(!scalar_from_beginning<bool>(g.fetched(g.two), 0));
  EXPECT(known_from_beginning(g.fetched(g.p), 0) == nullptr);
  Node* late = g.add("Const", "late", {}, {{"value", scalar(3)}, {"dtype", DType::kInt32}}, {g.p});
  EXPECT(known_from_beginning(g.fetched(late), 0) == nullptr);  // it has a control input
  Node* sum = g.add("Add", "sum", {{g.two, 0}, {g.two, 0}});
  EXPECT(known_from_beginning(g.fetched(sum), 0) == nullptr);
  (void)g.fetched(sum);
  fold_constants(g.subgraph, 1000);
  EXPECT_EQ(g.subgraph.nodes.back().values ? *scalar_from_beginning<int32_t>(g.subgraph.nodes.back(), 0) : 0, 4);
}

TINYTF_TEST(values_that_are_fed_are_not_there_from_the_beginning) {
  Origins g;
  Node* y = g.add("Neg", "y", {{g.two, 0}});
  (void)g.fetched(y, {{g.two, 0}});
  for (const SubgraphNode& node : g.subgraph.nodes) {
    if (node.origin == g.two) EXPECT(known_from_beginning(node, 0) == nullptr);
  }
}

TINYTF_TEST(origins_of_predicates_are_behind_identities) {
  Origins g;
  Node* same = g.add("Identity", "same", {{g.p, 0}});
  Node* again = g.add("Identity", "again", {{same, 0}});
  Node* opposite = g.add("LogicalNot", "opposite", {{again, 0}});
  const auto name_behind = [&](Node* node, const std::vector<Endpoint>& feeds = {}) {
    (void)g.fetched(node, feeds);
    return g.subgraph.nodes[static_cast<size_t>(behind_identities(g.subgraph, g.subgraph.fetches[0]).node)].info->name;
  };
  EXPECT_EQ(name_behind(again), "p");
  EXPECT_EQ(name_behind(again, {{same, 0}}), "same");  // a feed may have another value
  EXPECT_EQ(name_behind(opposite), "opposite");
}

TINYTF_TEST(what_passes_the_output_of_a_switch) {
  Origins g;
  Node* branch = add_switch(g, "branch", {g.two, 0}, {g.p, 0});
  const auto passes = [&](Node* node, const std::vector<Endpoint>& feeds = {}) {
    const SubgraphNode& found = g.fetched(node, feeds);
    return passes_switched_value(g.subgraph, found);
  };
  Node* same = g.add("Identity", "same", {{branch, 1}});
  EXPECT(passes(same));
  EXPECT(!passes(same, {{branch, 1}}));
  EXPECT(!passes(g.add("Neg", "negative", {{branch, 1}})));
  EXPECT(!passes(g.add("Identity", "other", {{same, 0}})));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

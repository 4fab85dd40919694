#include "graph/passes/fold.h"

#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace {

using testing::floats;
using testing::GraphFixture;

struct Over final : LoopWatch {
  bool is_over() override { return true; }
};

/// c → a → b → y, with a placeholder beside b.
struct Chain : GraphFixture {
  Node* c = constant("c", floats({1, 2}));
  Node* a = add("Neg", "a", {{c, 0}});
  Node* b = add("Neg", "b", {{a, 0}});
  Node* y = add("Add", "y", {{b, 0}, {placeholder("x", {2}), 0}});
  Subgraph subgraph = prune({}, {{y, 0}}, {}).take();

  SubgraphNode& find(const Node* node) {
    for (SubgraphNode& found : subgraph.nodes) {
      if (found.origin == node) return found;
    }
    check_failed("the node is there", __FILE__, __LINE__);
  }
};

TINYTF_TEST(folding_keeps_what_is_read) {
  Chain g;
  ConstantFolding folding(g.subgraph, 1000);
  EXPECT(folding.wanted() == std::vector<const Node*>{g.b});
  EXPECT(folding.compute(nullptr).ok());
  EXPECT(g.find(g.a).values && g.find(g.a).values->empty());
  EXPECT_EQ((*g.find(g.b).values)[0].data<float>()[1], 2.0f);
  EXPECT(!g.find(g.y).values);
  EXPECT_EQ(folding.kept().size(), size_t{1});
}

TINYTF_TEST(folding_takes_what_is_known) {
  Chain g;
  ConstantFolding folding(g.subgraph, 1000);
  const auto known = std::make_shared<const std::vector<Tensor>>(std::vector<Tensor>{floats({7, 8})});
  folding.know({{g.b, known}});
  EXPECT(folding.compute(nullptr).ok());
  EXPECT_EQ((*g.find(g.b).values)[0].data<float>()[1], 8.0f);
  EXPECT(folding.kept().at(g.b) == known);
}

TINYTF_TEST(folding_ends_with_its_watch_and_leaves_what_is_beyond_its_budget) {
  Chain g;
  Over over;
  EXPECT_EQ(ConstantFolding(g.subgraph, 1000).compute(nullptr, &over).code(), Code::kCancelled);
  EXPECT(!g.find(g.b).values);
  EXPECT(ConstantFolding(g.subgraph, 1000).compute(nullptr, nullptr, std::chrono::seconds(-1)).ok());
  EXPECT(!g.find(g.b).values);
}

std::vector<bool> all_of(const Subgraph& subgraph, bool value) {
  return std::vector<bool>(subgraph.nodes.size(), value);
}

TINYTF_TEST(folding_takes_shapes_that_are_known) {
  GraphFixture g;
  Node* x = g.placeholder("x", {4, 3});
  Node* y = g.add("Exp", "y", {{x, 0}});
  Node* size = g.add("Size", "size", {{y, 0}});
  Node* twice = g.add("Add", "twice", {{size, 0}, {size, 0}});
  const auto value_of = [&](bool knows_shapes) {
    Subgraph subgraph = prune({}, {{twice, 0}}, {}).take();
    EXPECT(ConstantFolding(subgraph, 1000, all_of(subgraph, knows_shapes)).compute(nullptr).ok());
    EXPECT(!subgraph.nodes[1].values);
    const SubgraphNode& last = subgraph.nodes.back();
    return last.values ? (*last.values)[0].int_at(0) : -1;
  };
  EXPECT_EQ(value_of(true), int64_t{24});
  EXPECT_EQ(value_of(false), int64_t{-1});
  EXPECT_OK(g->update_input(y, 0, {g.placeholder("other", {2}), 0}));
  EXPECT_EQ(value_of(true), int64_t{-1});
}

TINYTF_TEST(folding_takes_no_shapes_of_references) {
  GraphFixture g;
  Node* v = g.variable("v", {4});
  Node* size = g.add("Size", "size", {{v, 0}});
  Subgraph subgraph = prune({}, {{size, 0}}, {}).take();
  EXPECT(ConstantFolding(subgraph, 1000, all_of(subgraph, true)).compute(nullptr).ok());
  EXPECT(!subgraph.nodes[1].values);
  Subgraph fed = prune({{v, 0}}, {{size, 0}}, {}).take();
  EXPECT(ConstantFolding(fed, 1000, all_of(fed, true)).compute(nullptr).ok());
  EXPECT_EQ((*fed.nodes[1].values)[0].int_at(0), int64_t{4});
}

TINYTF_TEST(folding_keeps_the_inputs_of_what_is_not_finite) {
  GraphFixture g;
  Node* c = g.constant("c", floats({-1, 2}));
  Node* bad = g.add("Log", "bad", {{c, 0}});
  Node* worse = g.add("Neg", "worse", {{bad, 0}});
  Subgraph subgraph = prune({}, {{worse, 0}}, {}).take();
  ConstantFolding folding(subgraph, 1000);
  EXPECT(folding.compute(nullptr).ok());
  for (const SubgraphNode& node : subgraph.nodes) EXPECT(!node.values->empty());
  EXPECT(folding.kept().empty());
}

}  // namespace
}  // namespace tinytf

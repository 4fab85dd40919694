#include "graph/passes/subgraph.h"
#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::floats;
using testing::GraphFixture;
using testing::ints;

/// The names of the nodes computed by fold_constants, without constants themselves.
std::string folded(const std::vector<Endpoint>& feeds, const std::vector<Node*>& fetches, size_t max_bytes = 10 << 20) {
  std::vector<Endpoint> endpoints;
  for (Node* node : fetches) endpoints.push_back({node, 0});
  Subgraph subgraph = prune(feeds, endpoints, {}).take();
  fold_constants(subgraph, max_bytes);
  std::string names;
  for (const SubgraphNode& node : subgraph.nodes) {
    if (!node.values || !node.feeds.empty()) continue;
    if (node.origin->op_name() != "Const") names += str_cat(names.empty() ? "" : " ", node.origin->name());
  }
  return names;
}

TINYTF_TEST(fold_computes_what_depends_on_constants) {
  GraphFixture g;
  Node* c = g.constant("c", floats({1, 2}));
  Node* a = g.add("Neg", "a", {{c, 0}});
  Node* b = g.add("Add", "b", {{a, 0}, {a, 0}});
  Node* x = g.placeholder("x", {2});
  Node* y = g.add("Add", "y", {{b, 0}, {x, 0}});
  EXPECT_EQ(folded({}, {y}), "a b");
  Subgraph subgraph = prune({}, {{b, 0}}, {}).take();
  fold_constants(subgraph, 10 << 20);
  EXPECT_EQ((*subgraph.nodes[2].values)[0].data<float>()[1], -4.0f);
}

TINYTF_TEST(fold_leaves_what_is_fed) {
  GraphFixture g;
  Node* c = g.constant("c", floats({1, 2}));
  Node* a = g.add("Neg", "a", {{c, 0}});
  Node* b = g.add("Neg", "b", {{a, 0}});
  EXPECT_EQ(folded({{c, 0}}, {b}), "");
  EXPECT_EQ(folded({{a, 0}}, {b}), "");
  EXPECT_EQ(folded({}, {b}), "a b");
  Node* axis = g.constant("axis", Tensor::scalar(int32_t{0}));
  Node* split = g.add("Split", "split", {{axis, 0}, {c, 0}}, {{"num_split", int64_t{2}}});
  Node* sum = g.add("Add", "sum", {{split, 0}, {split, 1}});
  EXPECT_EQ(folded({{split, 1}}, {sum}), "");
  EXPECT_EQ(folded({}, {sum}), "split sum");
}

TINYTF_TEST(fold_leaves_what_has_a_state_or_waits) {
  GraphFixture g;
  Node* shape = g.constant("shape", ints({2}));
  Node* random = g.add("RandomUniform", "random", {{shape, 0}}, {{"dtype", DType::kFloat}});
  Node* v = g.variable("v", {2});
  Node* read = g.add("Identity", "read", {{v, 0}});
  Node* c = g.constant("c", floats({1, 2}));
  Node* waiting = g.add("Neg", "waiting", {{c, 0}}, {}, {g.add("NoOp", "first")});
  Node* assign = g.add("Assign", "assign", {{v, 0}, {c, 0}});
  EXPECT_EQ(folded({}, {random, read, waiting, assign}), "");
  Node* default_value = g.add("PlaceholderWithDefault", "d", {{c, 0}}, {{"shape", PartialShape({2})}});
  EXPECT_EQ(folded({}, {default_value}), "d");  // if the step does not feed it
}

TINYTF_TEST(fold_leaves_failures_for_run_time) {
  GraphFixture g;
  Node* zero = g.constant("zero", ints({0}));
  Node* bad = g.add("FloorDiv", "bad", {{g.constant("one", ints({1})), 0}, {zero, 0}});
  Node* after = g.add("Neg", "after", {{bad, 0}});
  EXPECT_EQ(folded({}, {after}), "");
}

TINYTF_TEST(fold_leaves_large_values) {
  GraphFixture g;
  Node* c = g.constant("c", floats({1, 2, 3}));
  Node* small = g.add("Neg", "small", {{c, 0}});
  Node* dims = g.constant("dims", ints({100, 3}));
  Node* large = g.add("BroadcastTo", "large", {{small, 0}, {dims, 0}});
  Node* sum = g.add("Sum", "sum", {{large, 0}, {g.constant("axes", ints({0, 1})), 0}});
  EXPECT_EQ(folded({}, {sum}, 1200), "small large sum");
  EXPECT_EQ(folded({}, {sum}, 1199), "small");
}

TINYTF_TEST(fold_does_not_even_compute_values_known_to_be_large) {
  GraphFixture g;
  const int64_t peak = Allocator::process().stats().peak_bytes;
  Node* dims = g.constant("dims", ints({64 << 20}));
  Node* large = g.add("Fill", "large", {{dims, 0}, {g.constant("one", Tensor::scalar(1.0f)), 0}});
  EXPECT_EQ(folded({}, {large}), "");
  EXPECT(Allocator::process().stats().peak_bytes < peak + (64 << 20));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

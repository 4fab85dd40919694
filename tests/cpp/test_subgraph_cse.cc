#include "graph/passes/subgraph.h"
#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::floats;
using testing::GraphFixture;

/// The names of the nodes that were merged into others.
std::string merged(const std::vector<Endpoint>& feeds, const std::vector<Node*>& fetches) {
  std::vector<Endpoint> endpoints;
  for (Node* node : fetches) endpoints.push_back({node, 0});
  Subgraph subgraph = prune(feeds, endpoints, {}).take();
  eliminate_common_subexpressions(subgraph);
  std::string names;
  for (const SubgraphNode& node : subgraph.nodes) {
    if (node.removed) names += str_cat(names.empty() ? "" : " ", node.origin->name());
    for (const auto& input : node.inputs) EXPECT(node.removed || !subgraph.nodes[input.node].removed);
    for (int control : node.control_inputs) EXPECT(node.removed || !subgraph.nodes[control].removed);
  }
  for (const auto& fetch : subgraph.fetches) EXPECT(!subgraph.nodes[fetch.node].removed);
  return names;
}

struct Fixture : GraphFixture {
  Node* x = placeholder("x", {2});
  Node* y = placeholder("y", {2});
  Node* axis = constant("axis", Tensor::scalar(int32_t{0}));
};

TINYTF_TEST(cse_merges_equal_nodes_into_the_first) {
  Fixture f;
  Node* a = f.add("Neg", "a", {{f.x, 0}});
  Node* b = f.add("Neg", "b", {{f.x, 0}});
  Node* c = f.add("Exp", "c", {{a, 0}});
  Node* d = f.add("Exp", "d", {{b, 0}});
  Node* e = f.add("Sub", "e", {{c, 0}, {d, 0}});
  EXPECT_EQ(merged({}, {e}), "b d");  // equal after their inputs were merged
  EXPECT_EQ(merged({}, {a, b}), "b");
  Subgraph subgraph = prune({}, {{a, 0}, {b, 0}}, {b}).take();
  eliminate_common_subexpressions(subgraph);
  EXPECT_EQ(subgraph.fetches[1].node, subgraph.fetches[0].node);
  EXPECT_EQ(subgraph.targets[0], subgraph.fetches[0].node);
}

TINYTF_TEST(cse_ignores_the_order_of_commutative_inputs_only) {
  Fixture f;
  EXPECT_EQ(merged({}, {f.add("Mul", "a", {{f.x, 0}, {f.y, 0}}), f.add("Mul", "b", {{f.y, 0}, {f.x, 0}})}), "b");
  EXPECT_EQ(merged({}, {f.add("Sub", "c", {{f.x, 0}, {f.y, 0}}), f.add("Sub", "d", {{f.y, 0}, {f.x, 0}})}), "");
}

TINYTF_TEST(cse_tells_outputs_attrs_and_devices_apart) {
  Fixture f;
  Node* split = f.add("Split", "s", {{f.axis, 0}, {f.x, 0}}, {{"num_split", int64_t{2}}});
  EXPECT_EQ(merged({}, {f.add("Neg", "a", {{split, 0}}), f.add("Neg", "b", {{split, 1}})}), "");
  const auto cast = [&](const char* name, DType to) { return f.add("Cast", name, {{f.x, 0}}, {{"DstT", to}}); };
  EXPECT_EQ(merged({}, {cast("c", DType::kHalf), cast("d", DType::kInt32), cast("e", DType::kHalf)}), "e");
  Node* here = f.add("Neg", "here", {{f.x, 0}});
  Node* there = f.add("Neg", "there", {{f.x, 0}});
  f->set_device(there, "/device:CPU:1");
  EXPECT_EQ(merged({}, {here, there}), "");
  Node* bound = f.add("Neg", "bound", {{f.x, 0}}, {{"_class", std::vector<std::string>{"loc:@x"}}});
  EXPECT_EQ(merged({}, {here, bound}), "");
  Node* likewise = f.add("Neg", "likewise", {{f.x, 0}}, {{"_class", std::vector<std::string>{"loc:@x"}}});
  EXPECT_EQ(merged({}, {here, bound, likewise}), "likewise");
}

TINYTF_TEST(cse_wants_the_same_control_inputs) {
  Fixture f;
  Node* p = f.add("NoOp", "p");
  Node* q = f.add("NoOp", "q");
  Node* plain = f.add("Neg", "plain", {{f.x, 0}});
  Node* pq = f.add("Neg", "pq", {{f.x, 0}}, {}, {p, q});
  Node* qp = f.add("Neg", "qp", {{f.x, 0}}, {}, {q, p});
  Node* only_p = f.add("Neg", "only_p", {{f.x, 0}}, {}, {p});
  EXPECT_EQ(merged({}, {plain, pq, qp, only_p}), "qp");
  // A control edge from a merged node becomes one from its twin.
  Node* twin = f.add("Neg", "twin", {{f.x, 0}});
  Node* after = f.add("Neg", "after", {{f.y, 0}}, {}, {twin});
  EXPECT_EQ(merged({}, {plain, after}), "twin");
}

TINYTF_TEST(cse_leaves_state_references_placeholders_and_feeds) {
  Fixture f;
  const auto random = [&](const char* name) {
    return f.add("RandomUniform", name, {{f.constant(str_cat(name, "/n"), testing::ints({2})), 0}},
                 {{"dtype", DType::kFloat}});
  };
  EXPECT_EQ(merged({}, {random("r1"), random("r2")}), "");
  Node* shape = f.constant("shape", testing::ints({2}));
  Node* r3 = f.add("RandomUniform", "r3", {{shape, 0}}, {{"dtype", DType::kFloat}});
  Node* r4 = f.add("RandomUniform", "r4", {{shape, 0}}, {{"dtype", DType::kFloat}});
  EXPECT_EQ(merged({}, {r3, r4}), "");
  Node* v = f.variable("v", {2});
  EXPECT_EQ(merged({}, {v, f.variable("w", {2})}), "");
  EXPECT_EQ(merged({}, {f.add("Identity", "i1", {{v, 0}}), f.add("Identity", "i2", {{v, 0}})}), "");
  const auto assign = [&](const char* name) { return f.add("Assign", name, {{v, 0}, {f.x, 0}}); };
  EXPECT_EQ(merged({}, {assign("a1"), assign("a2")}), "");
  EXPECT_EQ(merged({}, {f.placeholder("p1", {2}), f.placeholder("p2", {2})}), "");
  Node* a = f.add("Neg", "a", {{f.x, 0}});
  Node* b = f.add("Neg", "b", {{f.x, 0}});
  Node* sum = f.add("Add", "sum", {{a, 0}, {b, 0}});
  EXPECT_EQ(merged({{a, 0}}, {sum}), "");
  EXPECT_EQ(merged({{b, 0}}, {sum}), "");
  EXPECT_EQ(merged({}, {sum}), "b");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

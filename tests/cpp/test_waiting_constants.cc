#include "graph/passes/waiting_constants.h"

#include "graph/constant_value.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/loops.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::floats;
using testing::scalar;

struct Waiting : testing::GraphFixture {
  /// Makes the outputs of `node` known values 0, 1, …, available after `wait`.
  void place(Node* node, Node* wait) {
    const int index = index_of(node);
    subgraph.nodes[index].values.emplace();
    for (int i = 0; i < node->num_outputs(); ++i) {
      subgraph.nodes[index].values->push_back(floats({static_cast<float>(i)}));
    }
    place_waiting_constants(subgraph, {{index, {index_of(wait)}}});
  }
  int index_of(Node* node) const {
    for (size_t i = 0; i < subgraph.nodes.size(); ++i) {
      if (subgraph.nodes[i].origin == node) return static_cast<int>(i);
    }
    return -1;
  }
  Subgraph subgraph;
};

TINYTF_TEST(waiting_constants_are_one_for_each_output) {
  Waiting g;
  Node* x = g.placeholder("x", {1});
  Node* wait = g.placeholder("wait", {1});
  Node* split = g.add("Split", "split", {{g.constant("axis", scalar(0)), 0}, {x, 0}}, {{"num_split", int64_t{1}}});
  Node* last = g.add("Unique", "unique", {{split, 0}});
  Node* sum = g.add("Add", "sum", {{last, 0}, {last, 0}}, {}, {last});
  Node* index = g.add("Neg", "index", {{last, 1}});
  g.subgraph = prune({}, {{sum, 0}, {index, 0}, {last, 1}}, {last, wait}).take();
  g.place(last, wait);
  const std::vector<SubgraphNode>& nodes = g.subgraph.nodes;
  const int first = g.index_of(last);
  for (const int output : {0, 1}) {
    const SubgraphNode& constant = nodes[first + output];
    EXPECT_EQ(constant.info->name, "unique");
    EXPECT_EQ(*attr_value(*constant.info)->data<float>(), static_cast<float>(output));
    EXPECT(constant.control_inputs == std::vector<int>{g.index_of(wait)});
    EXPECT(constant.inputs.empty() && !constant.values && constant.origin == last);
  }
  EXPECT_EQ(nodes[g.index_of(sum)].inputs[0].node, first);
  EXPECT(nodes[g.index_of(sum)].control_inputs == std::vector<int>{first});
  EXPECT_EQ(nodes[g.index_of(index)].inputs[0].node, first + 1);
  EXPECT_EQ(nodes[g.index_of(index)].inputs[0].output, 0);
  EXPECT_EQ(g.subgraph.fetches[0].node, g.index_of(sum));
  EXPECT_EQ(g.subgraph.fetches[2].node, first + 1);
  EXPECT_EQ(g.subgraph.targets[0], first);
  EXPECT_EQ(g.subgraph.targets[1], g.index_of(wait));
}

TINYTF_TEST(waiting_constants_leave_loops_as_they_are) {
  Waiting g;
  Node* zero = g.constant("zero", scalar(0));
  Node* wait = g.placeholder("wait", {1});
  Node* limit = g.add("Neg", "limit", {{zero, 0}}, {}, {wait});
  const testing::CountingLoop loop(g, "l", {zero, 0}, {limit, 0}, {zero, 0});
  Node* late = g.add("Neg", "late", {{wait, 0}});
  g.subgraph = prune({}, {{loop.exit, 0}, {late, 0}}, {late}).take();
  g.place(limit, wait);
  EXPECT_EQ(g.subgraph.back_edges.size(), size_t{1});
  const BackEdge& edge = g.subgraph.back_edges[0];
  EXPECT_EQ(g.subgraph.nodes[edge.merge].origin, loop.merge);
  EXPECT_EQ(g.subgraph.nodes[edge.from.node].origin, loop.next);
}

TINYTF_TEST(waiting_constants_of_none) {
  Waiting g;
  Node* x = g.placeholder("x", {1});
  g.subgraph = prune({}, {{x, 0}}, {}).take();
  place_waiting_constants(g.subgraph, {});
  EXPECT_EQ(g.subgraph.nodes.size(), size_t{1});
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

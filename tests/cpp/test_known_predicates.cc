#include "graph/passes/known_predicates.h"

#include <algorithm>
#include <numeric>

#include "graph/passes/made_node.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/loops.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::floats;
using testing::ints;
using testing::scalar;

struct Predicates : testing::GraphFixture {
  Node* yes = constant("yes", Tensor::scalar(true));

  Subgraph pruned(Node* fetch, const std::vector<Endpoint>& feeds = {}) {
    return prune(feeds, {{fetch, 0}}, {}).take();
  }
  /// The known value of a node's first output: "true", "false" or "unknown".
  std::string value_of(Node* node, const std::vector<Endpoint>& feeds = {}) {
    const Subgraph subgraph = pruned(node, feeds);
    return told(KnownPredicates(subgraph.nodes).value_of(subgraph.fetches[0]));
  }
  int32_t index_of(Node* node, int32_t unknown = -1) {
    const Subgraph subgraph = pruned(node);
    return KnownPredicates(subgraph.nodes).index_of(subgraph.fetches[0]).value_or(unknown);
  }
  static std::string told(std::optional<bool> value) { return !value ? "unknown" : *value ? "true" : "false"; }
};

TINYTF_TEST(known_predicates_are_computed_of_constants) {
  Predicates g;
  EXPECT_EQ(g.value_of(g.yes), "true");
  Node* no = g.add("LogicalNot", "no", {{g.yes, 0}});
  EXPECT_EQ(g.value_of(no), "false");
  EXPECT_EQ(g.value_of(g.add("LogicalOr", "either", {{no, 0}, {g.yes, 0}})), "true");
  Node* sum = g.add("Add", "sum", {{g.constant("two", scalar(2)), 0}, {g.constant("three", scalar(3)), 0}});
  EXPECT_EQ(g.index_of(sum), 5);
}

TINYTF_TEST(known_predicates_are_scalars_of_their_type) {
  Predicates g;
  Node* two = g.constant("two", scalar(2));
  EXPECT_EQ(g.value_of(two), "unknown");
  EXPECT_EQ(g.index_of(g.yes), -1);
  EXPECT_EQ(g.index_of(g.constant("vector", ints({2}))), -1);
  EXPECT_EQ(g.index_of(g.constant("long", Tensor::scalar(int64_t{2}))), -1);
}

TINYTF_TEST(known_predicates_are_not_fed) {
  Predicates g;
  Node* p =
      g.add("PlaceholderWithDefault", "p", {{g.yes, 0}}, {{"dtype", DType::kBool}, {"shape", PartialShape::scalar()}});
  Node* opposite = g.add("LogicalNot", "opposite", {{p, 0}});
  EXPECT_EQ(g.value_of(opposite), "false");
  EXPECT_EQ(g.value_of(opposite, {{p, 0}}), "unknown");
  EXPECT_EQ(g.value_of(opposite, {{opposite, 0}}), "unknown");
  EXPECT_EQ(g.value_of(g.yes, {{g.yes, 0}}), "unknown");
  Node* q = g.placeholder("q", PartialShape::scalar(), DType::kBool);
  EXPECT_EQ(g.value_of(g.add("LogicalAnd", "both", {{p, 0}, {q, 0}})), "unknown");
}

TINYTF_TEST(known_predicates_do_not_depend_on_state) {
  Predicates g;
  Node* v = g.add("VariableV2", "v", {}, {{"dtype", DType::kBool}, {"shape", PartialShape::scalar()}});
  EXPECT_EQ(g.value_of(g.add("Identity", "read", {{v, 0}})), "unknown");
  Node* random = g.add("RandomUniform", "random", {{g.constant("shape", ints({})), 0}}, {{"dtype", DType::kFloat}});
  Node* bound = g.constant("bound", Tensor::scalar(2.0f));
  EXPECT_EQ(g.value_of(g.add("Less", "less", {{random, 0}, {bound, 0}})), "unknown");
}

TINYTF_TEST(known_predicates_pass_through_switches_and_constant_enters) {
  Predicates g;
  Node* q = g.placeholder("q", PartialShape::scalar(), DType::kBool);
  Node* in_branch = testing::add_switch(g, "in_branch", {g.yes, 0}, {q, 0});
  EXPECT_EQ(g.value_of(g.add("LogicalNot", "one", {{in_branch, 0}})), "false");
  EXPECT_EQ(g.value_of(g.add("LogicalNot", "other", {{in_branch, 1}})), "false");
  EXPECT_EQ(g.value_of(testing::add_enter(g, "constant", {g.yes, 0}, "frame", /*is_constant=*/true)), "true");
  Node* entered = testing::add_enter(g, "variable", {g.yes, 0}, "frame");
  EXPECT_EQ(g.value_of(entered), "true");  // the value in the first iteration
  EXPECT_EQ(g.value_of(g.add("Exit", "left", {{entered, 0}})), "true");
}

TINYTF_TEST(known_predicates_are_variables_that_loops_do_not_change) {
  Predicates g;
  Node* start = g.constant("start", scalar(0));
  Node* limit = g.constant("limit", scalar(3));
  const testing::CountingLoop loop(g, "l", {start, 0}, {limit, 0}, {limit, 0});
  for (const std::string op : {"Identity", "LogicalNot"}) {
    Node* entered = testing::add_enter(g, "l/" + op, {g.yes, 0}, "l");
    Node* merge = testing::add_merge(g, "l/merge_" + op, {{entered, 0}, {entered, 0}});
    Node* branch = testing::add_switch(g, "l/switch_" + op, {merge, 0}, {loop.condition, 0});
    Node* handed_on = g.add(op, "l/on_" + op, {{branch, 1}});
    EXPECT_OK(g->update_input(merge, 1, {g.add("NextIteration", "l/next_" + op, {{handed_on, 0}}), 0}));
    const Subgraph subgraph = g.pruned(g.add("Exit", "l/exit_" + op, {{branch, 0}}));
    const std::vector<int> unchanged = unchanged_variables(subgraph);
    const bool is_same = op == "Identity";
    EXPECT_EQ(unchanged.size(), is_same ? size_t{1} : size_t{0});
    KnownPredicates known(subgraph.nodes);
    for (const int variable : unchanged) {
      EXPECT_EQ(subgraph.nodes[variable].info->name, "l/merge_Identity");
      known.note_unchanged(variable);
      EXPECT_EQ(g.told(known.value_of({variable, 0})), "true");
      EXPECT(!known.index_of({variable, 1}));  // the index of the taken input is unknown
    }
    EXPECT_EQ(g.told(known.value_of(subgraph.fetches[0])), is_same ? "true" : "unknown");
  }
}

TINYTF_TEST(known_predicates_leave_errors_and_nan_to_the_step) {
  Predicates g;
  Node* zero = g.constant("zero", scalar(0));
  EXPECT_EQ(g.index_of(g.add("FloorDiv", "quotient", {{zero, 0}, {zero, 0}})), -1);
  Node* minus = g.constant("minus", Tensor::scalar(-1.0f));
  Node* nan = g.add("Log", "nan", {{minus, 0}});
  EXPECT_EQ(g.value_of(g.add("Less", "less_than_nan", {{minus, 0}, {nan, 0}})), "unknown");
}

TINYTF_TEST(known_predicates_are_computed_of_few_bytes) {
  Predicates g;
  const auto size = [&g](const std::string& name, int count) {
    std::vector<float> values(static_cast<size_t>(count));
    std::iota(values.begin(), values.end(), 0.0f);
    Node* sizes = g.constant(name, floats(values));
    return g.index_of(g.add("Size", name + "/size", {{sizes, 0}}));
  };
  EXPECT_EQ(size("few", 16 << 10), 16 << 10);
  EXPECT_EQ(size("many", (16 << 10) + 1), -1);
}

TINYTF_TEST(known_predicates_are_computed_of_few_nodes) {
  Predicates g;
  const auto chain = [&g](const std::string& name, int length) {
    Node* last = g.yes;
    for (int i = 0; i < length; ++i) last = g.add("LogicalNot", str_cat(name, i), {{last, 0}});
    return g.value_of(last);
  };
  EXPECT_EQ(chain("short", 1000), "true");
  EXPECT_EQ(chain("long", 1001), "unknown");
}

TINYTF_TEST(known_predicates_of_nodes_that_came_later) {
  Predicates g;
  Subgraph subgraph = g.pruned(g.add("LogicalNot", "no", {{g.yes, 0}}));
  const SubgraphNode::Input no = subgraph.fetches[0];
  KnownPredicates known(subgraph.nodes);
  EXPECT_EQ(g.told(known.value_of(no)), "false");
  const SubgraphNode of = subgraph.nodes[no.node];
  subgraph.nodes.push_back(made_identity(of, {DType::kBool, false}, no, {}, false));
  EXPECT_EQ(g.told(known.value_of({static_cast<int>(subgraph.nodes.size()) - 1, 0})), "false");
  subgraph.nodes.push_back(made_node(of, "LogicalNot", {{DType::kBool, false}}, {{DType::kBool, false}}, {}));
  subgraph.nodes.back().inputs = {no};
  EXPECT_EQ(g.told(known.value_of({static_cast<int>(subgraph.nodes.size()) - 1, 0})), "true");
}

TINYTF_TEST(known_predicates_of_folded_values_and_removed_nodes) {
  Predicates g;
  Node* q = g.placeholder("q", PartialShape::scalar(), DType::kBool);
  Subgraph subgraph = g.pruned(g.add("LogicalNot", "opposite", {{q, 0}}));
  const SubgraphNode::Input opposite = subgraph.fetches[0];
  EXPECT_EQ(g.told(KnownPredicates(subgraph.nodes).value_of(opposite)), "unknown");
  subgraph.nodes[opposite.node].values = {Tensor::scalar(true)};
  EXPECT_EQ(g.told(KnownPredicates(subgraph.nodes).value_of(opposite)), "true");
  subgraph.nodes[opposite.node].removed = true;
  EXPECT_EQ(g.told(KnownPredicates(subgraph.nodes).value_of(opposite)), "unknown");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

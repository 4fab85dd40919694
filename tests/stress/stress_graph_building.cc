#include <set>

#include "tests/stress/graphs.h"
#include "tests/stress/stress.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

/// Adds constants and their sums, and queries their values and shapes.
void build(Graph& graph, int thread, int count) {
  Endpoint sum = constant(graph, graph.unique_name("start", true), filled(Shape({4}), 0));
  for (int i = 1; i <= count; ++i) {
    const Endpoint one = constant(graph, graph.unique_name("One", true), filled(Shape({4}), 1));
    sum = {add(graph, "Add", graph.unique_name("sum", true), {sum, one}), 0};
    EXPECT_EQ(graph.shape(sum).to_string(), "[4]");
    EXPECT_EQ(graph.find(sum.node->name()), sum.node);
    if ((i + thread) % 4 == 0) EXPECT(all_are(graph.constant_value(sum), static_cast<float>(i)));
  }
}

// If run alone, this is also the first use of the registries and kernel tables, by all threads at once.
TINYTF_TEST(graphs_are_built_side_by_side) {
  const int count = rounds(20);
  on_threads(6, [count](int t) { build(*make_ref<Graph>(), t, count); });
}

TINYTF_TEST(one_graph_is_built_by_many_threads) {
  constexpr int kThreads = 6;
  const int count = std::min(rounds(20), 200);
  const auto graph = make_ref<Graph>();
  on_threads(kThreads, [&](int t) { build(*graph, t, count); });
  std::set<std::string> names;
  std::set<int> ids;
  for (const Node* node : graph->nodes()) {
    names.insert(node->name());
    ids.insert(node->id);
  }
  const size_t nodes = static_cast<size_t>(kThreads * (2 * count + 1));
  EXPECT_EQ(names.size(), nodes);
  EXPECT_EQ(ids.size(), nodes);
  EXPECT_EQ(static_cast<size_t>(graph->last_id()), nodes);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

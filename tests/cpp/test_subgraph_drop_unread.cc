#include <algorithm>
#include <set>

#include "graph/passes/subgraph.h"
#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::GraphFixture;

Subgraph cleaned(const std::vector<Endpoint>& feeds, const std::vector<Node*>& fetches,
                 const std::vector<Node*>& targets = {}) {
  std::vector<Endpoint> endpoints;
  for (Node* node : fetches) endpoints.push_back({node, 0});
  Subgraph subgraph = prune(feeds, endpoints, targets).take();
  drop_unread(subgraph);
  return subgraph;
}

std::string dropped(const Subgraph& subgraph) {
  std::string names;
  for (const SubgraphNode& node : subgraph.nodes) {
    if (node.removed) names += str_cat(names.empty() ? "" : " ", node.origin->name());
  }
  return names;
}

/// The control inputs of a node, in graph order.
std::string awaited_by(const Subgraph& subgraph, const Node* waiter) {
  for (const SubgraphNode& node : subgraph.nodes) {
    if (node.origin != waiter) continue;
    const std::set<int> controls(node.control_inputs.begin(), node.control_inputs.end());
    EXPECT_EQ(controls.size(), node.control_inputs.size());
    return str_join(controls, " ", [&](int control) { return subgraph.nodes[control].origin->name(); });
  }
  return "not there";
}

struct Fixture : GraphFixture {
  Node* x = placeholder("x", {2});
  Node* first = add("NoOp", "first");
};

TINYTF_TEST(drop_unread_passes_on_what_was_waited_for) {
  Fixture f;
  Node* a = f.add("Neg", "a", {{f.x, 0}}, {}, {f.first});
  Node* b = f.add("Exp", "b", {{a, 0}});
  Node* after = f.add("NoOp", "after", {}, {}, {b, f.first});
  const Subgraph subgraph = cleaned({}, {}, {after});
  EXPECT_EQ(dropped(subgraph), "a b");
  EXPECT_EQ(awaited_by(subgraph, after), "x first");
}

TINYTF_TEST(drop_unread_keeps_what_is_asked_for_or_read) {
  Fixture f;
  Node* a = f.add("Neg", "a", {{f.x, 0}});
  Node* b = f.add("Exp", "b", {{a, 0}}, {}, {a});
  Node* after = f.add("NoOp", "after", {}, {}, {a});
  EXPECT_EQ(dropped(cleaned({}, {b}, {after})), "");
  EXPECT_EQ(dropped(cleaned({}, {a}, {after})), "");
  EXPECT_EQ(dropped(cleaned({}, {}, {after, a})), "");
  EXPECT_EQ(dropped(cleaned({}, {}, {after})), "a");
  EXPECT_EQ(dropped(cleaned({{a, 0}}, {}, {after})), "");  // a fed node does not run
}

TINYTF_TEST(drop_unread_keeps_state_references_and_checks) {
  Fixture f;
  Node* shape = f.constant("shape", testing::ints({2}));
  Node* v = f.variable("v", {2});
  const std::vector<Node*> seen = {
      f.add("RandomUniform", "random", {{shape, 0}}, {{"dtype", DType::kFloat}}),
      f.add("Assign", "assign", {{v, 0}, {f.x, 0}}),
      f.add("Identity", "read", {{v, 0}}),
      f.add("CheckNumerics", "check", {{f.x, 0}}, {{"message", std::string()}}),
      f.add("EnsureShape", "ensure", {{f.x, 0}}, {{"shape", PartialShape({2})}}),
  };
  Node* after = f.add("NoOp", "after", {}, {}, seen);
  EXPECT_EQ(dropped(cleaned({}, {}, {after})), "");
}

TINYTF_TEST(drop_unread_shares_what_several_wait_for) {
  Fixture f;
  Node* a = f.add("Neg", "a", {{f.x, 0}}, {}, {f.first});
  Node* b = f.add("Neg", "b", {{f.x, 0}}, {}, {a});
  Node* one = f.add("NoOp", "one", {}, {}, {a});
  Node* two = f.add("NoOp", "two", {}, {}, {b, a, one});
  const Subgraph subgraph = cleaned({}, {}, {two});
  EXPECT_EQ(dropped(subgraph), "a b");
  EXPECT_EQ(awaited_by(subgraph, one), "x first");
  EXPECT_EQ(awaited_by(subgraph, two), "x first one");
}

TINYTF_TEST(drop_unread_joins_what_many_dropped_nodes_waited_for) {
  Fixture f;
  Node* second = f.add("NoOp", "second");
  std::vector<Node*> unread;
  for (int i = 0; i < 100; ++i) {
    Node* before = i < 2 ? f.x : unread[i - 2];
    unread.push_back(f.add("Neg", str_cat("n", i), {{before, 0}}, {}, {i % 2 == 0 ? f.first : second}));
  }
  Node* after = f.add("NoOp", "after", {}, {}, unread);
  Node* early = f.add("NoOp", "early", {}, {}, {unread[0], unread[2]});
  const Subgraph subgraph = cleaned({}, {}, {after, early});
  EXPECT_EQ(awaited_by(subgraph, after), "x first second");
  EXPECT_EQ(awaited_by(subgraph, early), "x first");
  for (const Node* node : unread) EXPECT(dropped(subgraph).find(node->name()) != std::string::npos);
}

TINYTF_TEST(drop_unread_takes_long_chains) {
  Fixture f;
  constexpr int kLength = 10'000;
  Node* y = f.x;
  for (int i = 0; i < kLength; ++i) {
    y = f.add("Neg", str_cat("n", i), {{y, 0}}, {}, {f.add("NoOp", str_cat("effect", i))});
  }
  Node* after = f.add("NoOp", "after", {}, {}, {y});
  const Subgraph subgraph = cleaned({}, {}, {after});
  size_t edges = 0;
  std::vector<bool> seen(subgraph.nodes.size());  // the nodes that run before the last one
  seen.back() = true;
  for (size_t i = subgraph.nodes.size(); i-- > 0;) {
    edges += subgraph.nodes[i].control_inputs.size();
    if (!seen[i] || subgraph.nodes[i].removed) continue;
    for (int control : subgraph.nodes[i].control_inputs) seen[control] = true;
  }
  EXPECT(edges < 100 * kLength);
  for (size_t i = 0; i < seen.size(); ++i) EXPECT(seen[i] || subgraph.nodes[i].origin->op_name() != "NoOp");
}

/// Gives some nodes known values, as folding does.
struct KnownFixture : Fixture {
  Subgraph cleaned(const std::vector<Node*>& known, const std::vector<Node*>& fetches) {
    std::vector<Endpoint> endpoints;
    for (Node* node : fetches) endpoints.push_back({node, 0});
    Subgraph subgraph = prune({}, endpoints, {}).take();
    for (SubgraphNode& node : subgraph.nodes) {
      if (std::find(known.begin(), known.end(), node.origin) != known.end()) node.values.emplace();
    }
    drop_unread(subgraph);
    return subgraph;
  }
};

TINYTF_TEST(drop_unread_counts_no_reads_by_nodes_with_known_values) {
  KnownFixture f;
  Node* a = f.add("Exp", "a", {{f.x, 0}}, {}, {f.first});
  Node* known = f.add("Shape", "known", {{a, 0}});
  Node* also = f.add("Neg", "also", {{known, 0}});
  Node* reader = f.add("Neg", "reader", {{also, 0}});
  const Subgraph subgraph = f.cleaned({known, also}, {reader});
  EXPECT_EQ(dropped(subgraph), "a");
  EXPECT_EQ(awaited_by(subgraph, known), "x first");  // links two producers with several consumers
  EXPECT_EQ(awaited_by(subgraph, also), "");
  EXPECT_EQ(awaited_by(subgraph, reader), "known");
  // Fetches are available only after all nodes have run.
  EXPECT_EQ(awaited_by(f.cleaned({known, also}, {also}), known), "");
}

TINYTF_TEST(drop_unread_hands_on_the_one_wait_of_a_known_value) {
  KnownFixture f;
  Node* a = f.add("Exp", "a", {{f.x, 0}});
  Node* known = f.add("Shape", "known", {{a, 0}});
  Node* also = f.add("Neg", "also", {{known, 0}});
  Node* reader = f.add("Neg", "reader", {{also, 0}});
  Node* waiter = f.add("Neg", "waiter", {{f.x, 0}}, {}, {also, f.first});
  const Subgraph subgraph = f.cleaned({known, also}, {reader, waiter});
  EXPECT_EQ(dropped(subgraph), "a");
  EXPECT_EQ(awaited_by(subgraph, also), "");
  EXPECT_EQ(awaited_by(subgraph, reader), "x");
  EXPECT_EQ(awaited_by(subgraph, waiter), "x first");
}

TINYTF_TEST(drop_unread_spreads_no_product_of_waits_and_readers) {
  KnownFixture f;
  std::vector<Node*> waits, readers;
  for (int i = 0; i < 50; ++i) waits.push_back(f.add("NoOp", str_cat("wait", i)));
  Node* a = f.add("Exp", "a", {{f.x, 0}}, {}, waits);
  Node* known = f.add("Shape", "known", {{a, 0}});
  std::vector<Node*> known_too{known};
  for (int i = 0; i < 100; ++i) {
    known_too.push_back(f.add("Neg", str_cat("known", i), {{known_too.back(), 0}}));
    readers.push_back(f.add("Neg", str_cat("reader", i), {{known_too.back(), 0}}));
  }
  const Subgraph subgraph = f.cleaned(known_too, readers);
  size_t edges = 0;
  for (const SubgraphNode& node : subgraph.nodes) edges += node.removed ? 0 : node.control_inputs.size();
  EXPECT(edges <= 250);
  EXPECT_EQ(awaited_by(subgraph, readers[99]), "known");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

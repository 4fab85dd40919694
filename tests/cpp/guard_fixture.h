#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/passes/find_guards.h"
#include "tests/cpp/graph_fixture.h"

namespace tinytf {
namespace testing {

/// A graph of branches, and the guards of its nodes for given fetches.
struct GuardFixture : GraphFixture {
  Node* p = placeholder("p", PartialShape::scalar(), DType::kBool);
  Node* q = placeholder("q", PartialShape::scalar(), DType::kBool);
  Node* x = placeholder("x", PartialShape::scalar());

  std::optional<Guards> find(const std::vector<Endpoint>& fetches) {
    subgraph = prune({}, fetches, {}).take();
    const Frames frames = find_frames(subgraph).take();
    Result<Guards> guards = find_guards(subgraph, frames);
    return guards.ok() ? std::optional(guards.take()) : std::nullopt;
  }
  /// The guard of the node with this name as text: "p !q".
  std::string guard_of(const Guards& guards, const std::string& name) const {
    for (size_t i = 0; i < subgraph.nodes.size(); ++i) {
      if (subgraph.nodes[i].info->name != name) continue;
      if (guards.of[i] == GuardTable::kNever) return "never";
      return str_join(guards.table[guards.of[i]], " ", [&](const Literal& literal) {
        return str_cat(literal.value ? "" : "!", subgraph.nodes[literal.predicate.node].info->name);
      });
    }
    return "no such node";
  }
  Subgraph subgraph;
};

}  // namespace testing
}  // namespace tinytf

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "graph/passes/guards.h"
#include "graph/passes/loops.h"

namespace tinytf {

/// A part of a Subgraph whose control flow does not consist of nested conditions and while loops: a Merge, or the nodes
/// of a loop. In a Contraction, one node stands for it. That node has the inputs and control inputs of the region. Its
/// outputs are the values among `outputs`, in order, followed by one boolean scalar for each of `outputs` unless
/// `is_live`: whether the output is live. Node numbers are those of the original Subgraph.
struct Region {
  static constexpr int kControl = -1;       ///< As an output: the node itself, for control edges.
  std::string why;                          ///< The reason why it cannot be compiled.
  std::vector<int> nodes;                   ///< In order.
  std::vector<SubgraphNode::Input> inputs;  ///< Outputs of other nodes that it reads, which may be dead.
  std::vector<int> controls;                ///< Other nodes that it waits for, which may be dead.
  /// By input: false if it only gives a loop a constant, and so has no influence on whether the loop runs.
  std::vector<bool> input_decides, control_decides;
  bool has_roots = false;  ///< Some of its nodes wait for no other node.
  std::vector<SubgraphNode::Input> outputs;
  bool is_live = false;  ///< All outputs are live whenever the node runs that stands for it.
};

/// A set of nodes that becomes a Region.
struct RegionSeed {
  std::vector<int> nodes;  ///< In order.
  std::string why;
  bool is_live = false;  ///< See Region.
};

/// A Subgraph with some regions contracted.
struct Contraction {
  Subgraph subgraph;
  std::vector<std::shared_ptr<const Region>> regions;
  /// By node of `subgraph`: index in the original one; -1 for a node that stands for a region, or for its outputs.
  std::vector<int> original;
  std::vector<int> region_of;  ///< By node of `subgraph`: index of the region that it stands for; else -1.
};

/// Contracts disjoint sets of nodes. Consumers of an output that may be dead read it through a Switch, and are thus
/// guarded by its being live. Nullopt if a region depends on itself through other nodes, or if other nodes read
/// references to variables from it (see grow_regions.h).
std::optional<Contraction> contract(const Subgraph& original, const std::vector<RegionSeed>& seeds);

/// Adds the nodes around a misfit of the contraction of `seeds`: a Merge, or a loop with all that is inside. Regions
/// that these nodes belong to are joined with them. Returns false if no nodes can be added. `frames`: of the
/// contraction's subgraph.
bool add_seed(const Contraction& contraction, const Frames& frames, Misfit& misfit, const std::string& why,
              std::vector<RegionSeed>& seeds);

}  // namespace tinytf

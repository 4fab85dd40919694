#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "graph/graph.h"

namespace tinytf {

/// A node of a Subgraph. Rewrites change these and make others, never the Graph's nodes.
struct SubgraphNode {
  struct Input {
    int node = 0;  ///< index in Subgraph::nodes
    int output = 0;
  };
  /// What it is. A pass that makes a node gives it one of its own, with the name of a user's node: errors name that.
  std::shared_ptr<const NodeInfo> info;
  /// The user's node that it is, or stands for: figures, static shapes and state are that one's.
  const Node* origin = nullptr;
  std::vector<Input> inputs;
  std::vector<int> control_inputs;
  bool removed = false;
  /// Fed outputs of this node have a position in the feed list here; empty if none is fed. A node all of whose needed
  /// outputs are fed does not run.
  std::vector<int> feeds;
  /// Values known at planning time; then the node does not run. Such a node reads none of its inputs, but its readers
  /// wait for what it waits for.
  std::optional<std::vector<Tensor>> values;

  bool fed(int output) const { return !feeds.empty() && feeds[output] >= 0; }
};

/// The part of a graph that one run signature needs, in an order in which it can run. Independent of the order in which
/// the graph's nodes were added only as far as data and control edges say; among ready nodes the older runs first.
struct Subgraph {
  std::vector<SubgraphNode> nodes;
  std::vector<SubgraphNode::Input> fetches;
  std::vector<int> targets;  ///< indices in nodes; -1 when the node needs not run
};

/// Keeps what fetches and targets need; feeds cut the graph. The caller holds the graph's lock. InvalidArgument if
/// there is a cycle without a back edge of a loop.
Result<Subgraph> prune(const std::vector<Endpoint>& feeds, const std::vector<Endpoint>& fetches,
                       const std::vector<Node*>& targets);

/// Computes nodes that depend only on constants, up to `max_bytes` per node. Failures leave the node as it was.
void fold_constants(Subgraph& subgraph, size_t max_bytes);  // at once: see graph/passes/fold.h

/// Merges nodes of equal op, attrs, inputs, control inputs and device. Never stateful ones, placeholders or readers of
/// references.
void eliminate_common_subexpressions(Subgraph& subgraph);

/// Drops nodes that are waited for but not read, and of which nobody can tell otherwise that they ran: neither stateful
/// nor checks. What they waited for, their waiters wait for. Gated gradients of fed inputs are such nodes, and what
/// only its shape was asked for. Nodes with known values wait, by control edges, for what is left of what they waited
/// for: for nothing, or several nodes, of which they then tell their readers.
void drop_unread(Subgraph& subgraph);

/// Has variables changed by large values, gradients, as soon as what is needed for that is there and what came before
/// it and touches the variable is over, so that the value need not live to the end of the step. All that touch a
/// variable keep their order.
void run_updates_early(Subgraph& subgraph);

}  // namespace tinytf

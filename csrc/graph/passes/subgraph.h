#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "graph/graph.h"

namespace tinytf {

/// Where the body of a function was put into its caller: the call, and where that stands itself, null for nodes of the
/// graph that is run.
struct CallPath {
  const Node* call = nullptr;
  std::shared_ptr<const CallPath> caller;
  std::string function = {};  ///< the name of its definition; empty if it has none
  bool shares_state = false;  ///< with all other calls of the function
  int branch = 0;             ///< which of the functions that `call` names it is
};

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
  /// The call of whose function it is a part; null if it is none. Two calls of one function have state of their own, as
  /// far as they do not share it.
  std::shared_ptr<const CallPath> call;
  std::vector<Input> inputs;
  std::vector<int> control_inputs;
  bool removed = false;
  /// Fed outputs of this node have a position in the feed list here; empty if none is fed. A node all of whose needed
  /// outputs are fed does not run.
  std::vector<int> feeds;
  /// Values known at planning time; then the node does not run. Such a node reads none of its inputs, but its readers
  /// wait for what it waits for.
  std::optional<std::vector<Tensor>> values;

  /// The user's node whose outputs are this one's, with their static shapes; null if a pass made it of something else.
  const Node* described() const { return origin->info->op == info->op ? origin : nullptr; }
  bool fed(int output) const { return !feeds.empty() && feeds[output] >= 0; }
  /// Whether something is done in the node's place: it yields known values to readers that wait for others, at least.
  bool runs() const { return !removed && !(values && control_inputs.empty()); }
  ControlFlow control_flow() const { return values ? ControlFlow::kNone : info->op->control_flow; }
};

/// What a Merge gets from the iteration before. Its node has only its other inputs, in their order.
struct BackEdge {
  int merge = 0;
  int position = 0;  ///< among the inputs that the graph's node has
  SubgraphNode::Input from;
};

/// The part of a graph that one run signature needs, in an order in which it can run. Independent of the order in which
/// the graph's nodes were added only as far as data and control edges say; among ready nodes the older runs first.
struct Subgraph {
  std::vector<SubgraphNode> nodes;
  std::vector<BackEdge> back_edges;  ///< of loops
  std::vector<SubgraphNode::Input> fetches;
  std::vector<int> targets;  ///< indices in nodes; -1 when the node needs not run
};

/// Keeps what fetches and targets need; feeds cut the graph. The caller holds the graph's lock. InvalidArgument if
/// there is a cycle without a back edge of a loop, or one brings another type than its Merge takes.
Result<Subgraph> prune(const std::vector<Endpoint>& feeds, const std::vector<Endpoint>& fetches,
                       const std::vector<Node*>& targets);

/// Removes what neither fetches nor targets need, and the edges back to loop variables that are among it.
void drop_unneeded(Subgraph& subgraph);

/// Cuts off branches whose predicates are known when the plan is made: constants, what is computed of them, defaults
/// that are not fed. A Switch becomes what it takes, a Merge the input that is left; what can not run is gone. What
/// fails in another way then is left as it is: dead fetches, graphs that are wired otherwise than branches and loops.
/// The graph's lock is held.
void cut_known_branches(Subgraph& subgraph);

/// Has the variables that branches and loops take as values read by nodes of their own, when all is there that their
/// reader waits for, and at the end those that are fetched as they come out of branches. Predicates that are the same
/// variable, read after the same nodes, become one: a value that another step changes meanwhile decides alike.
void read_variables_once(Subgraph& subgraph);

/// Puts the bodies of called functions in place of the calls, as nodes that are named after both; a call's own name
/// stays with what yields its results. Each node of a body waits for what the call waits for, and results for all that
/// the function does. A call of a function that is being called, and those beyond a bound of what a graph may grow to,
/// stay: their kernels run the function. Of branches whose predicate is known only the one that runs is put in if
/// `cuts_branches`. `graph` has the functions; its lock is held. NotFound for functions that there are not,
/// InvalidArgument for others than the call's types say.
Status inline_functions(Subgraph& subgraph, Graph& graph, bool cuts_branches = false);

/// Computes nodes that depend only on constants, up to `max_bytes` per node. Failures leave the node as it was.
void fold_constants(Subgraph& subgraph, size_t max_bytes);  // at once: see graph/passes/fold.h

/// Merges nodes of equal op, attrs, inputs, control inputs and device. Never stateful ones, placeholders or readers of
/// references.
void eliminate_common_subexpressions(Subgraph& subgraph);

/// Drops nodes that are waited for but not read, and of which nobody can tell otherwise that they ran: neither stateful
/// nor checks, nor what decides on what runs. What they waited for, their waiters wait for. Gated gradients of fed
/// inputs are such nodes, and what only its shape was asked for. Nodes with known values wait, by control edges, for
/// what is left of what they waited for: for nothing, or several nodes, of which they then tell their readers.
void drop_unread(Subgraph& subgraph);

/// Has variables changed by large values, gradients, as soon as what is needed for that is there and what came before
/// it and touches the variable is over, so that the value need not live to the end of the step. All that touch a
/// variable keep their order.
void run_updates_early(Subgraph& subgraph);

}  // namespace tinytf

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "graph/graph.h"

namespace tinytf {

/// The call whose function body was inlined, and the path of the call itself; null for nodes of the graph that is run.
struct CallPath {
  const Node* call = nullptr;
  std::shared_ptr<const CallPath> caller;
  std::string function = {};  ///< Name of the function's definition; empty if it has none.
  bool shares_state = false;  ///< All calls of the function share the state of its nodes.
  int branch = 0;             ///< Index among the functions that `call` names.
};

struct Region;

/// A node of a Subgraph. Passes change and add such nodes, but never change the Graph's nodes.
struct SubgraphNode {
  struct Input {
    int node = 0;  ///< Index in Subgraph::nodes.
    int output = 0;
  };
  /// Op, attrs and types. A pass that makes a node gives it an info of its own with the name of a user's node, for
  /// error messages.
  std::shared_ptr<const NodeInfo> info;
  /// The user's node that this is or represents; statistics, static shapes and state belong to that node.
  const Node* origin = nullptr;
  /// The call whose function body contains the node; null if there is none. Two calls of one function have separate
  /// state unless CallPath::shares_state.
  std::shared_ptr<const CallPath> call;
  std::vector<Input> inputs;
  std::vector<int> control_inputs;
  bool removed = false;
  /// By output: its position in the feed list, or -1; empty if no output is fed. A node does not run if all of its
  /// needed outputs are fed.
  std::vector<int> feeds;
  /// Values known at planning time. A node with known values does not run and reads no inputs, but its consumers wait
  /// for its control inputs.
  std::optional<std::vector<Tensor>> values;
  std::shared_ptr<const Region> region;  ///< The nodes that this one stands for, see regions.h; else null.

  /// The user's node whose outputs, and thus static shapes, are this one's; null if a pass made the node.
  const Node* described() const { return origin->info->op == info->op ? origin : nullptr; }
  bool fed(int output) const { return !feeds.empty() && feeds[output] >= 0; }
  /// Whether the node takes part in a step. A node with known values does if it has control inputs to wait for.
  bool runs() const { return !removed && !(values && control_inputs.empty()); }
  ControlFlow control_flow() const { return values ? ControlFlow::kNone : info->op->control_flow; }
};

/// A back edge: an input of a Merge that comes from the previous iteration. SubgraphNode::inputs of the Merge has only
/// the other inputs, in order.
struct BackEdge {
  int merge = 0;
  int position = 0;  ///< Index among the inputs of the graph's node.
  SubgraphNode::Input from;
};

/// The part of a graph that one run signature needs, in topological order. Among nodes that are ready, the one with the
/// smallest id comes first.
struct Subgraph {
  std::vector<SubgraphNode> nodes;
  std::vector<BackEdge> back_edges;  ///< Of loops.
  std::vector<SubgraphNode::Input> fetches;
  std::vector<int> targets;  ///< Indices in `nodes`; -1 if the node need not run.

  const SubgraphNode& source(const SubgraphNode::Input& input) const { return nodes[input.node]; }
  /// Whether an input is fed.
  bool fed(const SubgraphNode::Input& input) const { return source(input).fed(input.output); }
  /// Whether an input is a reference to a variable. A feed of a reference is a value.
  bool is_ref(const SubgraphNode::Input& input) const {
    return !fed(input) && source(input).info->outputs[input.output].is_ref;
  }
};

/// The subgraph that fetches and targets need; feeds cut off the nodes behind them. The caller holds the graph's lock.
/// InvalidArgument for a cycle without a back edge, and for an input whose dtype is not the one its node expects.
Result<Subgraph> prune(const std::vector<Endpoint>& feeds, const std::vector<Endpoint>& fetches,
                       const std::vector<Node*>& targets);

/// Removes nodes that neither fetches nor targets need, and back edges to removed Merges.
void drop_unneeded(Subgraph& subgraph);

/// Removes branches whose predicates are known at planning time: constants, values computed from them, defaults of
/// placeholders that are not fed. A Switch is replaced by its data input, a Merge by its remaining input; nodes that
/// cannot run are removed. The subgraph is left unchanged if the step would then fail differently, as for dead fetches
/// and for control flow that is not made of branches and loops. The caller holds the graph's lock.
void cut_known_branches(Subgraph& subgraph);

/// Inserts nodes that read the reference variables which control flow ops take as values, after the other inputs and
/// the control inputs of the op; also for fetched references that come out of branches. Predicates that read the same
/// variable after the same nodes are merged, so that they agree even if another step changes the variable meanwhile.
void read_variables_once(Subgraph& subgraph);

/// Replaces calls of functions by the functions' bodies. A body's nodes are named after the call and the node; a node
/// with the call's own name yields the results. Each node of a body waits for the call's control inputs, and the
/// results wait for all targets of the body. Recursive calls, and calls beyond a limit on the number of nodes, stay:
/// their kernels run the function. With `cuts_branches`, only the branch that runs is inlined if its predicate is
/// known. `graph` contains the functions; the caller holds its lock. NotFound for missing functions, InvalidArgument if
/// a function does not match the types of its call.
Status inline_functions(Subgraph& subgraph, Graph& graph, bool cuts_branches = false);

/// Evaluates nodes that depend only on constants, up to `max_bytes` per node. A node that fails stays unchanged.
void fold_constants(Subgraph& subgraph, size_t max_bytes);  // In one phase; see graph/passes/fold.h.

/// Merges nodes with equal op, attrs, inputs, control inputs and device. Nodes that are stateful, are control flow ops,
/// have no inputs, or use references are never merged.
void eliminate_common_subexpressions(Subgraph& subgraph);

/// Removes pure nodes that have only control consumers: not stateful, not a check, not control flow. Their consumers
/// wait for their inputs and control inputs instead. Examples are gated gradients of fed inputs, and nodes whose static
/// shape was all that was used. A node with known values keeps control inputs only to stand between several nodes and
/// its consumers.
void drop_unread(Subgraph& subgraph);

/// Removes nodes that only copy a value, and that no other node or target waits for: their consumers, and fetches, take
/// the value itself. For functions, whose results are such copies. Leaves subgraphs with control flow unchanged.
void skip_identities(Subgraph& subgraph);

/// Moves variable updates by large values, such as gradients, forward to the point where their inputs are ready and
/// earlier accesses to the variable are done, so that the value is freed early. The order of accesses to each variable
/// is preserved.
void run_updates_early(Subgraph& subgraph);

}  // namespace tinytf

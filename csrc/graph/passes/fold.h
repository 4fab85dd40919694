#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "graph/passes/foldable.h"
#include "graph/passes/subgraph.h"
#include "services/thread_pool.h"

namespace tinytf {

/// The values of a folded node; shared by the plans that use them.
using FoldedValues = std::shared_ptr<const std::vector<Tensor>>;

/// Replaces nodes of shape ops (such as Shape and Size) by values where static shapes determine them. `where`: by node,
/// whether it may be folded. A folded node keeps waiting for its inputs, but does not read them. The caller holds the
/// graph's lock.
void fold_shapes(Subgraph& subgraph, const std::vector<bool>& where);

/// Constant folding of one subgraph in two phases: the constructor, under the graph's lock, finds the constants and
/// copies what it needs of their nodes; compute() evaluates them without the lock. An intermediate value is freed as
/// soon as its consumers are folded.
///
/// Constants with control inputs, and constants in branches and loops, are evaluated only if calls of the program's
/// stateless Python functions need them. Such a function is then called once, whether its branch is taken or not, and
/// constants with the same control inputs replace the call.
///
/// For one thread.
class ConstantFolding {
 public:
  using Clock = std::chrono::steady_clock;

  /// Nodes whose outputs are known to exceed `max_bytes` are not folded. `knows_shapes`: by node, whether fold_shapes
  /// may fold it; empty: no shapes are folded. The caller holds the graph's lock.
  ConstantFolding(Subgraph& subgraph, size_t max_bytes, const std::vector<bool>& knows_shapes = {});

  /// Adopts values that are known from another plan, so that the nodes they are computed from need not be evaluated. To
  /// be called before compute().
  void know(const std::unordered_map<const Node*, FoldedValues>& values);
  /// The nodes whose values may come from another plan: constants read by fetches, targets or nodes that are not
  /// folded.
  std::vector<const Node*> wanted() const;

  /// Evaluates the constants that are read by fetches, targets or nodes that are not folded. A node that fails, exceeds
  /// the limit or is not reached within `budget` stays unfolded, as do ops that read files. Cancelled if `stop_check`,
  /// which may be null, reports that the step is over. `step_id`: the step in which stateless Python functions of the
  /// program are called, which requires the graph's lock to be free; 0: they are not called and stay. Indices of nodes
  /// may change.
  Status compute(Parallel* parallel, LoopStopCheck* stop_check = nullptr,
                 Clock::duration budget = std::chrono::hours(1000), int64_t step_id = 0);

  /// Values that were computed and are read, by node; for know() of later plans.
  const std::unordered_map<const Node*, FoldedValues>& kept() const { return kept_; }

 private:
  struct Candidate {
    bool wanted = false;
    int readers = 0;  // Number of consumers that are still to be folded.
    FoldedValues known;
    std::vector<PartialShape> claims;  // Claimed shapes of the outputs; empty if there are none to check.
  };

  /// Whether steps run the node in any case. Its value may still be used to fold other nodes.
  bool stays(int index) const;
  void want(int index) {
    if (!stays(index)) candidates_[index]->wanted = true;
  }
  void find_wanted();
  /// Marks the candidates that are wanted or needed for a wanted one, and counts their consumers.
  std::vector<bool> needed();
  /// Null if the value is not known.
  const Tensor* value_of(const SubgraphNode::Input& input) const;
  bool has_inputs(const SubgraphNode& node) const;
  Result<std::vector<Tensor>> values_of(int index, Parallel* parallel, int64_t step_id) const;
  Status compute_node(int index, Parallel* parallel, int64_t step_id);
  void let_inputs_go(const SubgraphNode& node);
  void let_values_wait();

  Subgraph& subgraph_;
  const size_t max_bytes_;
  FoldableNodes foldable_;
  std::vector<std::optional<Candidate>> candidates_;  // By node.
  std::vector<bool> is_of_plan_;                      // By node: the value must not be shared with other plans.
  std::unordered_map<const Node*, FoldedValues> kept_;
};

}  // namespace tinytf

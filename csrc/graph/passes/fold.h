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

/// The values of a node that was folded, shared by the plans that read them.
using FoldedValues = std::shared_ptr<const std::vector<Tensor>>;

/// Gives what tells a static shape its value, of the nodes in `where`, by node; such a node still waits for its inputs,
/// but does not read them. The graph's lock is held.
void fold_shapes(Subgraph& subgraph, const std::vector<bool>& where);

/// Folds the constants of one subgraph in two steps: the first, under the graph's lock, finds them and copies what is
/// needed of their nodes; the second computes, without the lock. Values go as soon as what reads them is folded too.
/// What waits for others, in branches and loops, too, is computed only where the program's stateless functions need it:
/// these are called once then, whether their branch is taken or not, and constants that wait are in their place. For
/// one thread.
class ConstantFolding {
 public:
  using Clock = std::chrono::steady_clock;

  /// Nodes whose values are known to take more than `max_bytes` stay as they are. Shapes are folded in `knows_shapes`,
  /// if it is not empty. The graph's lock is held.
  ConstantFolding(Subgraph& subgraph, size_t max_bytes, const std::vector<bool>& knows_shapes = {});

  /// Takes values that are known already, so that what they are made of need not be computed. Before `compute`.
  void know(const std::unordered_map<const Node*, FoldedValues>& values);
  /// The nodes for which that may pay: what is computed for others to read.
  std::vector<const Node*> wanted() const;

  /// Computes what a node that stays, a fetch or a target reads. What fails, takes more than the limit or was not come
  /// to within the budget stays as it was. Cancelled if the watch, which may be null, says that it is over. In the step
  /// of this id the program's stateless functions are called, too, which needs the graph's lock to be free; with 0 they
  /// stay as they are. What reads files stays as it is in any case. Indices of nodes may be others afterwards.
  Status compute(Parallel* parallel, LoopWatch* watch = nullptr, Clock::duration budget = std::chrono::hours(1000),
                 int64_t step_id = 0);

  /// What was computed and is read, by node: to be known next time.
  const std::unordered_map<const Node*, FoldedValues>& kept() const { return kept_; }

 private:
  struct Candidate {
    bool wanted = false;
    int readers = 0;  // that are still to be folded
    FoldedValues known;
    std::vector<PartialShape> claims;  // of the shapes of its outputs; empty if there are none to check
  };

  /// Whether the node runs in steps in any case: others may still be computed of its value.
  bool stays(int index) const;
  void want(int index) {
    if (!stays(index)) candidates_[index]->wanted = true;
  }
  void find_wanted();
  /// Which candidates are wanted, or needed for those; counts who reads them.
  std::vector<bool> needed();
  /// Null if it is not known.
  const Tensor* value_of(const SubgraphNode::Input& input) const;
  bool has_inputs(const SubgraphNode& node) const;
  Result<std::vector<Tensor>> values_of(int index, Parallel* parallel, int64_t step_id) const;
  Status compute_node(int index, Parallel* parallel, int64_t step_id);
  void let_inputs_go(const SubgraphNode& node);
  void let_values_wait();

  Subgraph& subgraph_;
  const size_t max_bytes_;
  FoldableNodes foldable_;
  std::vector<std::optional<Candidate>> candidates_;  // by node
  std::vector<bool> is_of_plan_;                      // by node: no other plan is to know its value
  std::unordered_map<const Node*, FoldedValues> kept_;
};

}  // namespace tinytf

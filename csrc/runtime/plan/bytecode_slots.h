#pragma once

#include <map>
#include <utility>
#include <vector>

#include "graph/passes/loops.h"
#include "runtime/plan/bytecode_lifetimes.h"

namespace tinytf {

/// The slots of a subgraph's values in bytecode. A node that only passes a value on is silent: its output has the slot
/// of its input, and the node does not run. Values that are known at planning time become constants of the program.
class BytecodeSlots {
 public:
  /// Assigns slots to all outputs of nodes that run. All arguments must outlive this object.
  BytecodeSlots(const ControlStructure& control, SlotLiveness& uses, Program& program);

  /// The slot of an output that a node reads or that is fetched.
  int32_t of(const SubgraphNode::Input& output);
  /// The first slot of a node that is not silent.
  int32_t first_of(int node) const { return first_[node]; }
  /// The slot of a loop variable, given its Merge.
  int32_t of_variable(int merge) const { return alias_[merge]; }
  /// By node: whether it emits nothing.
  const std::vector<bool>& silent() const { return silent_; }
  /// Puts the known values of a node into consecutive slots. Returns the first one.
  int32_t add_known(int node);

 private:
  void assign(int index, const SubgraphNode& node);
  void assign_merge(int index, const SubgraphNode& node);
  void share(int index, int32_t slot);
  int32_t add_constant(const Tensor& value);

  const ControlStructure& control_;
  SlotLiveness& uses_;
  Program& program_;
  std::vector<bool> is_variable_;  // By node: whether it is the Merge of a loop variable.
  std::vector<bool> silent_;
  std::vector<int32_t> alias_;  // By node: the slot shared by all of its outputs; else -1.
  std::vector<int32_t> first_;  // By node that has its own slots.
  std::map<std::pair<int, int>, int32_t> known_;
};

}  // namespace tinytf

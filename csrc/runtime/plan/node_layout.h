#pragma once

#include <memory>
#include <vector>

#include "runtime/plan/program.h"

namespace tinytf {

/// Adds nodes of a subgraph to a Program: kernels, inputs, the references that a node reads or checks before it runs,
/// and the copies of fetched references that it makes afterwards. The builders of programs decide about the order of
/// the nodes and the numbers of the slots.
class NodeLayout {
 public:
  using Input = SubgraphNode::Input;
  /// The slot of an input. It is called once for each input of a node, in their order.
  using SlotOf = FunctionRef<int32_t(const Input&)>;
  /// A new slot, for a value that a node writes besides its outputs.
  using NewSlot = FunctionRef<int32_t()>;

  /// Sets the types of the program's feeds. All arguments must outlive the layout. `is_partial`: for a partial run.
  NodeLayout(const Subgraph& subgraph, const std::vector<Endpoint>& feeds, KernelSource kernels, bool is_partial,
             Program& program);

  /// The kernel of a node. If its values are known, the kernel yields them.
  Result<std::shared_ptr<Kernel>> make_kernel(const SubgraphNode& node);

  /// Adds node `index` of the subgraph. `inputs` are its inputs with back edges; nodes with known values have none.
  /// InvalidArgument if the node needs a reference but gets a value.
  Status add(int index, std::shared_ptr<Kernel> kernel, const std::vector<Input>& inputs, int32_t first_output,
             SlotOf slot_of, NewSlot new_slot);

  /// Whether the NaN watch reports the node although it does not run: its known values have NaN or infinity.
  static bool is_not_finite(const SubgraphNode& node);
  /// Adds such a node to Program::not_finite. Its values are in consecutive slots.
  void add_not_finite(const SubgraphNode& node, int32_t first_output, SlotOf slot_of);

  /// The slot of the copy of a fetched reference; -1 if the fetch is none, or if its node was not added.
  int32_t snapshot_of(size_t fetch) const { return snapshots_[fetch]; }

 private:
  /// Adds input `i`, which may be a reference or a resource.
  Status add_state_input(PlanNode& planned, size_t i, const Input& input, int32_t slot, NewSlot new_slot);
  void add_snapshots(int index, PlanNode& planned, NewSlot new_slot);

  const Subgraph& subgraph_;
  const std::vector<Endpoint>& feeds_;
  KernelSource kernels_;
  const bool is_partial_;
  Program& program_;
  std::vector<std::vector<size_t>> fetched_references_;  // By node of the subgraph: fetches. Empty if there are none.
  std::vector<int32_t> snapshots_;                       // By fetch.
};

}  // namespace tinytf

#pragma once

#include <string>
#include <vector>

#include "graph/passes/subgraph.h"

namespace tinytf {

/// A while loop, as the nodes between its Enters and its Exits. The first frame is the step itself.
struct Frame {
  std::string name;
  int parent = -1;  ///< Index in Frames::all; -1 for the step itself.
  int enters = 0;   ///< Number of Enter nodes.
};

/// The assignment of a Subgraph's nodes to loops.
struct Frames {
  std::vector<Frame> all;       ///< The step itself first; an outer frame before its inner ones.
  std::vector<int> of;          ///< By node: the frame in which it runs; -1 if it is removed or unreachable.
  std::vector<int> of_outputs;  ///< By node: the frame in which its outputs are consumed.
};

/// Whether an Enter is loop-invariant: each iteration gets its value, not only the first.
bool is_constant_enter(const SubgraphNode& enter);

/// Whether any node that runs is a control flow op.
bool has_control_flow(const Subgraph& subgraph);

/// InvalidArgument, with TensorFlow's messages, for a node with inputs from different frames, for an Exit or
/// NextIteration outside of a loop, and for a loop with several LoopConds. Internal if a pass removed one end of a back
/// edge but not the edge.
Result<Frames> find_frames(const Subgraph& subgraph);

}  // namespace tinytf

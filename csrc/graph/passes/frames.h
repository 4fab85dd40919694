#pragma once

#include <string>
#include <vector>

#include "graph/passes/subgraph.h"

namespace tinytf {

/// A loop, as far as nodes tell: what is between its Enters and its Exits.
struct Frame {
  std::string name;
  int parent = -1;  ///< index in Frames::all; -1 for the first, which is no loop
  int enters = 0;   ///< how many nodes lead into it
};

/// Which nodes of a Subgraph are in which loop.
struct Frames {
  std::vector<Frame> all;       ///< the step itself comes first; an outer frame before those in it
  std::vector<int> of;          ///< by node: where it runs, -1 for those that are removed or do not run
  std::vector<int> of_outputs;  ///< by node: where what it yields is read
};

/// Of an Enter: whether each iteration gets its value, not the first alone.
bool is_constant_enter(const SubgraphNode& enter);

/// Whether some node decides what runs, or how often.
bool has_control_flow(const Subgraph& subgraph);

/// InvalidArgument, with TensorFlow's texts, for nodes that take something from different frames, and for those that
/// leave or continue a loop where there is none. Internal if a pass has removed an end of an edge back and kept the
/// edge.
Result<Frames> find_frames(const Subgraph& subgraph);

}  // namespace tinytf

#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "graph/passes/loops.h"

namespace tinytf {

/// What is emitted at one place: a node, or a whole loop. Neither: nothing, but others wait for it.
struct CodeItem {
  int node = -1;   ///< of the Subgraph
  int frame = -1;  ///< of the loop
  int guard = 0;
};

/// Items in an order that respects all edges, and which waits for which.
struct Schedule {
  std::vector<CodeItem> items;
  std::vector<std::pair<int32_t, int32_t>> waits;  ///< (item, item that waits for it), ordered by who waits
};

/// The nodes of a Subgraph by the frame that they are in: to schedule one costs as much as it has nodes.
struct FrameNodes {
  explicit FrameNodes(const Frames& frames);

  std::vector<std::vector<int>> all;  ///< by frame: its nodes, in their order
  std::vector<int> place;             ///< by node: where it stands there; -1 if it is in no frame
};

/// The items of the nodes of a frame; items of one guard stand together as far as edges let them. Nodes that are
/// `silent` emit nothing, and are left out: who waits for them waits for what they wait for. `in_body`: of a loop,
/// those that run only where its condition holds, else the others. None if items wait for one another.
std::optional<Schedule> schedule(const Subgraph& subgraph, const Frames& frames, const FrameNodes& nodes,
                                 Guards& guards, const std::vector<Loop>& loops, const std::vector<bool>& silent,
                                 int frame, bool in_body);

}  // namespace tinytf

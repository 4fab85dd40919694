#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "graph/passes/loops.h"

namespace tinytf {

/// A unit of emission: a node, or a whole loop. With neither, it emits nothing and only stands between its sources and
/// consumers.
struct BytecodeItem {
  int node = -1;   ///< In the Subgraph.
  int frame = -1;  ///< Of the loop.
  int guard = 0;
};

/// Items in topological order, with their dependencies.
struct Schedule {
  std::vector<BytecodeItem> items;
  std::vector<std::pair<int32_t, int32_t>> waits;  ///< (item, item that waits for it), sorted by the waiting item.
};

/// The nodes of a Subgraph by frame. Scheduling a frame takes time proportional to its number of nodes.
struct FrameNodes {
  explicit FrameNodes(const Frames& frames);

  std::vector<std::vector<int>> all;  ///< By frame: its nodes, in order.
  std::vector<int> place;             ///< By node: index in its frame's list; -1 if it is in no frame.
};

/// Schedules the nodes of a frame. Items with equal guards are adjacent where dependencies allow it. Nodes that are
/// `silent` emit nothing and are left out: their consumers wait for their sources instead. `in_body`: for a loop,
/// whether to schedule the nodes that run only if its condition holds, or the others. Nullopt if the dependencies have
/// a cycle.
std::optional<Schedule> schedule(const ControlStructure& control, const FrameNodes& nodes,
                                 const std::vector<bool>& silent, int frame, bool in_body);

}  // namespace tinytf

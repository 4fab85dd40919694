#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/device_name.h"
#include "graph/graph.h"

namespace tinytf {

struct PlacementOptions {
  static constexpr int kMostCpuDevices = 1024;
  int cpu_devices = 1;                ///< At most kMostCpuDevices.
  bool allow_soft_placement = false;  ///< A request for a device that does not exist is not an error.
  bool keeps_news = false;            ///< Record the placed nodes until `take_news` is called.
  std::string job = "localhost";      ///< Job of the devices' names; `task` is their task number.
  int task = 0;
};

/// What placement has recorded since the last take_news().
struct PlacementNews {
  std::vector<const Node*> placed;  ///< In the order in which devices were chosen.
  std::vector<std::string> notes;   ///< Requests that were overridden.
  std::vector<std::string> warnings;
};

/// The device of each node in a session. A node keeps its device forever. The cost of placing a growing graph is
/// proportional to the number of new nodes, and nearly zero with a single device and no device requests. Not
/// thread-safe: callers hold the graph's lock.
class Placement {
 public:
  explicit Placement(const PlacementOptions& options);

  /// Places the nodes that were added since the last call. InvalidArgument, with TensorFlow's messages, if a node
  /// cannot be placed; then no node is placed, and the next call tries again.
  Status extend(const Graph& graph);
  /// As extend, but for the given nodes only, in the order of their ids. Nodes that were placed before keep their
  /// device.
  Status place(const Graph& graph, const std::vector<const Node*>& nodes);

  /// The index of a node's device; -1 if it was not placed.
  int device_of(const Node& node) const {
    return node.id < static_cast<int>(device_.size()) ? device_[static_cast<size_t>(node.id)] : -1;
  }
  const std::vector<DeviceName>& devices() const { return devices_; }
  PlacementNews take_news();

 private:
  /// Makes room for ids up to `last_id`; new entries get `device`.
  void set_size(int last_id, int32_t device);
  bool is_new(const Node& node) const { return device_of(node) < 0; }
  /// Whether there is only one device and every node may use it.
  bool fits_only_device(const std::vector<const Node*>& nodes) const;
  /// `nodes`: in the order of their ids, not empty.
  Status place_new(const Graph& graph, const std::vector<const Node*>& nodes);

  const PlacementOptions options_;
  std::vector<DeviceName> devices_;
  std::vector<int32_t> device_;  // By node id; -1: not placed.
  int extended_to_ = 0;          // All nodes up to this id are placed.
  PlacementNews news_;
};

}  // namespace tinytf

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/device_name.h"
#include "graph/graph.h"

namespace tinytf {

struct PlacementOptions {
  static constexpr int kMostCpuDevices = 1024;
  int cpu_devices = 1;                ///< at most kMostCpuDevices
  bool allow_soft_placement = false;  ///< a wish for a device that is not there does not fail
  bool keeps_news = false;            ///< remember what was placed until `take_news`
  std::string job = "localhost";      ///< whose devices they are, of its task of this number
  int task = 0;
};

/// What placing found out since it was last asked.
struct PlacementNews {
  std::vector<const Node*> placed;  ///< in the order in which devices were chosen
  std::vector<std::string> notes;   ///< wishes that were overridden
  std::vector<std::string> warnings;
};

/// Which device of a session each node runs on. A node keeps its device for good: growing graphs cost what their new
/// nodes cost, and next to nothing where nobody asks for a device and there is one only. Not thread-safe: all calls
/// under the graph's lock.
class Placement {
 public:
  explicit Placement(const PlacementOptions& options);

  /// Places the nodes that are new in the graph. InvalidArgument with TensorFlow's texts where a node can not be
  /// placed: then nothing is, and the next call tries again.
  Status extend(const Graph& graph);
  /// As extend, but for some nodes; among them, those that have a device already keep it. In the order of their ids.
  Status place(const Graph& graph, const std::vector<const Node*>& nodes);

  /// The index of a node's device; -1 if it was not placed.
  int device_of(const Node& node) const {
    return node.id < static_cast<int>(device_.size()) ? device_[static_cast<size_t>(node.id)] : -1;
  }
  const std::vector<DeviceName>& devices() const { return devices_; }
  PlacementNews take_news();

 private:
  /// Room for all ids up to this one; new entries get `device`.
  void set_size(int last_id, int32_t device);
  bool is_new(const Node& node) const { return device_of(node) < 0; }
  /// Whether there is nothing to weigh: one device, and every node may have it.
  bool fits_only_device(const std::vector<const Node*>& nodes) const;
  /// In the order of their ids, at least one.
  Status place_new(const Graph& graph, const std::vector<const Node*>& nodes);

  const PlacementOptions options_;
  std::vector<DeviceName> devices_;
  std::vector<int32_t> device_;  // by node id; -1: not placed
  int extended_to_ = 0;          // all nodes up to this id are placed
  PlacementNews news_;
};

}  // namespace tinytf

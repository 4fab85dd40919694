#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/device_name.h"
#include "graph/graph.h"

namespace tinytf {

/// Nodes that must share a device: those of one `_class` group, and those that a reference or a resource connects. Each
/// group knows what its nodes ask for, and so which devices it may have. Serves one placement, on one thread, under the
/// graph's lock. Messages are TensorFlow's; every kernel is one for CPUs, so no group lacks a device for want of
/// kernels.
class DeviceGroups {
 public:
  /// `devices`: the session's, by index; outlives this object.
  DeviceGroups(const std::vector<DeviceName>& devices, bool allow_soft_placement)
      : devices_(devices), softly_(allow_soft_placement) {}

  /// A node on its own, with what it asks for. InvalidArgument if that is no device name.
  Status add(const Node& node);
  /// A node that runs on a device already, with all that will join it.
  void add_placed(const Node& node, int device);
  bool soft() const { return softly_; }
  bool has(const Node& node) const { return node.id < static_cast<int>(member_of_.size()) && member_of_[node.id] >= 0; }

  /// `node` takes a reference or a resource that `source` makes. The source's wish counts, not the node's.
  Status join_reference(const Node& source, const Node& node);
  /// `node` must be where `other` is. InvalidArgument if they ask for different devices.
  Status colocate(const Node& node, const Node& other);

  /// The device of the node's group: the one that was chosen before, else `preferred` if the group may have it, else
  /// the first that it may have. InvalidArgument if there is none. Decides for the whole group.
  Result<int> choose(const Node& node, int preferred = -1);

  /// What was overridden, for whoever wants to know, and what everybody should know.
  std::vector<std::string> notes, warnings;

 private:
  /// Shared by groups that ask for the same, so never changed.
  struct Wishes {
    DeviceName requested;  ///< by any node of the group; never contradicts the others
    DeviceName resource;   ///< by nodes that make references or resources
    DeviceName assigned;
    std::vector<int> candidates;  ///< devices that the group may have, once somebody asked
  };
  /// What a device's text stands for: as wishes of a node that makes a reference or resource, and of any other.
  struct Parsed {
    DeviceName name;
    int32_t as_resource = -1, as_request = -1;
  };
  struct Member {
    const Node* node = nullptr;
    int32_t parent = 0;
    int32_t rank = 0;
    int32_t device = -1;  ///< decided
    int32_t wishes = -1;  ///< in wishes_; -1: none
  };

  int add_member(const Node& node);
  int root_of(const Node& node);
  int add_wishes(DeviceName requested, DeviceName resource, DeviceName assigned);
  std::vector<int> matching(const DeviceName& name) const;
  std::string describe_devices() const;
  std::string describe_group(int root);
  Status find_candidates(const Node& node, int root);
  Status no_candidate(const Node& node, int root);

  const std::vector<DeviceName>& devices_;
  const bool softly_;
  std::vector<int32_t> member_of_;  // by node id; -1: none
  std::vector<Member> members_;
  std::vector<Wishes> wishes_;
  std::unordered_map<std::string_view, Parsed> parsed_;  // most nodes ask for one of few devices
};

}  // namespace tinytf

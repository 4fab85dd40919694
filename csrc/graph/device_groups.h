#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/device_name.h"
#include "graph/graph.h"

namespace tinytf {

/// Sets of nodes that must share a device, as a union-find structure: nodes of one `_class` group, and nodes connected
/// by references or resources. Each set holds the merged device requests of its nodes and therefore the devices that it
/// may use. Serves one placement, on one thread, under the graph's lock. Messages are TensorFlow's. All kernels are CPU
/// kernels, so a set never lacks a device because kernels are missing.
class DeviceGroups {
 public:
  /// `devices`: the session's devices, by index; must outlive this object.
  DeviceGroups(const std::vector<DeviceName>& devices, bool allow_soft_placement)
      : devices_(devices), softly_(allow_soft_placement) {}

  /// Adds a node as a set of its own, with its device request. InvalidArgument if the request is not a device name.
  Status add(const Node& node);
  /// Adds a node that was placed earlier; sets that join it must use its device.
  void add_placed(const Node& node, int device);
  bool soft() const { return softly_; }
  bool has(const Node& node) const { return node.id < static_cast<int>(member_of_.size()) && member_of_[node.id] >= 0; }

  /// `node` takes a reference or resource that `source` makes. If their requests conflict, the request of `source`
  /// wins. InvalidArgument if their assigned or resource devices conflict.
  Status join_reference(const Node& source, const Node& node);
  /// Puts both nodes into one set. InvalidArgument if their requests conflict.
  Status colocate(const Node& node, const Node& other);

  /// The device of the node's set: the one chosen before, else `preferred` if the set may use it, else the first that
  /// it may use. InvalidArgument if there is none. The choice holds for the whole set.
  Result<int> choose(const Node& node, int preferred = -1);

  /// `notes`: requests that were overridden, for placement logs. `warnings`: messages that users should see.
  std::vector<std::string> notes, warnings;

 private:
  /// Merged requests of a set. Shared by sets with equal requests, so an entry is never modified after it was added,
  /// except for `candidates`.
  struct Wishes {
    DeviceName requested;  ///< Requests of all nodes of the set; consistent with `resource` and `assigned`.
    DeviceName resource;   ///< Requests of nodes that make references or resources.
    DeviceName assigned;
    std::vector<int> candidates;  ///< Devices that the set may use; computed on demand.
  };
  /// A parsed device string, with its index in `wishes_` as a request of a node that makes a reference or resource, and
  /// of any other node.
  struct Parsed {
    DeviceName name;
    int32_t as_resource = -1, as_request = -1;
  };
  struct Member {
    const Node* node = nullptr;
    int32_t parent = 0;
    int32_t rank = 0;
    int32_t device = -1;  ///< Chosen device; -1: none yet.
    int32_t wishes = -1;  ///< Index in `wishes_`; -1: none.
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
  std::vector<int32_t> member_of_;  // By node id; -1: not a member.
  std::vector<Member> members_;
  std::vector<Wishes> wishes_;
  std::unordered_map<std::string_view, Parsed> parsed_;  // Cache by device string: most graphs use few distinct ones.
};

}  // namespace tinytf

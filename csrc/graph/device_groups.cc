#include "graph/device_groups.h"

#include <algorithm>
#include <map>

namespace tinytf {

namespace {

/// Whether a node is a source of references or resources, whose placement determines that of its consumers.
bool makes_resource(const Node& node) {
  return node.inputs.empty() && node.num_outputs() == 1 &&
         (node.info->outputs[0].is_ref || node.info->outputs[0].dtype == DType::kResource);
}

std::string tag(const Node& node) { return str_cat("{{colocation_node ", node.name(), "}}"); }

/// The node as TensorFlow's messages show it. Ids are shifted, because TensorFlow adds two nodes to every graph.
std::string describe_node(const Node& node) {
  std::map<std::string_view, const AttrValue*> attrs;
  for (const auto& [name, value] : node.info->attrs) attrs.emplace(name, &value);
  std::string attr_text =
      str_join(attrs, ", ", [](const auto& item) { return str_cat(item.first, "=", attr_to_string(*item.second)); });
  attr_text += str_cat(attr_text.empty() ? "" : ", ", "_device=\"", node.info->device, "\"");
  std::string inputs = str_join(node.inputs, ", ", [](Endpoint e) {
    return e.index == 0 ? e.node->name() : str_cat(e.node->name(), ":", e.index);
  });
  for (const Node* control : node.control_inputs) inputs += str_cat(inputs.empty() ? "^" : ", ^", control->name());
  return str_cat("{name:'", node.name(), "' id:", node.id + 1, " op device:{} def:{{{node ", node.name(),
                 "}} = ", node.op_name(), "[", attr_text, "](", inputs, ")}}");
}

}  // namespace

int DeviceGroups::add_member(const Node& node) {
  if (node.id >= static_cast<int>(member_of_.size())) member_of_.resize(static_cast<size_t>(node.id) + 1, -1);
  const int index = static_cast<int>(members_.size());
  member_of_[node.id] = index;
  Member& member = members_.emplace_back();
  member.node = &node;
  member.parent = index;
  return index;
}

Status DeviceGroups::add(const Node& node) {
  const std::string& text = node.info->device;
  const int index = add_member(node);
  if (text.empty()) return Status();
  auto [entry, is_new] = parsed_.try_emplace(text);
  if (is_new) {
    auto name = DeviceName::parse(text);
    if (!name) {
      parsed_.erase(entry);
      return invalid_argument("Malformed device specification '", text, "' in node: ", describe_node(node))
          .at_node(node.name());
    }
    entry->second.name = std::move(*name);
  }
  Parsed& parsed = entry->second;
  if (parsed.name.is_any()) return Status();
  int32_t& wishes = makes_resource(node) ? parsed.as_resource : parsed.as_request;
  if (wishes < 0) wishes = add_wishes(parsed.name, makes_resource(node) ? parsed.name : DeviceName(), {});
  members_[index].wishes = wishes;
  return Status();
}

void DeviceGroups::add_placed(const Node& node, int device) {
  Member& member = members_[add_member(node)];
  member.device = device;
  member.wishes = add_wishes(devices_[device], {}, devices_[device]);
}

int DeviceGroups::root_of(const Node& node) {
  int32_t index = member_of_[node.id];
  while (members_[index].parent != index) {
    index = members_[index].parent = members_[members_[index].parent].parent;
  }
  return index;
}

int DeviceGroups::add_wishes(DeviceName requested, DeviceName resource, DeviceName assigned) {
  requested.overwrite(assigned);
  requested.overwrite(resource);
  wishes_.push_back({std::move(requested), std::move(resource), std::move(assigned), {}});
  return static_cast<int>(wishes_.size()) - 1;
}

Status DeviceGroups::colocate(const Node& node, const Node& other) {
  int winner = root_of(node), loser = root_of(other);
  if (winner == loser) return Status();
  if (members_[winner].rank < members_[loser].rank) std::swap(winner, loser);
  Member& root = members_[winner];
  Member& child = members_[loser];
  if (root.wishes < 0) {
    root.wishes = child.wishes;
  } else if (child.wishes >= 0 && child.wishes != root.wishes) {
    Wishes merged = wishes_[root.wishes];
    const Wishes& added = wishes_[child.wishes];
    Status status = merged.assigned.merge(added.assigned, false);
    if (status.ok()) status = merged.resource.merge(added.resource, false);
    if (status.ok()) status = merged.requested.merge(added.requested, softly_);
    if (!status.ok()) {
      return invalid_argument("Cannot colocate nodes ", tag(node), " and ", tag(other), ": ", status.message());
    }
    root.wishes = add_wishes(std::move(merged.requested), std::move(merged.resource), std::move(merged.assigned));
  }
  if (root.device < 0) root.device = child.device;
  child.parent = winner;
  if (root.rank == child.rank) ++root.rank;
  return Status();
}

Status DeviceGroups::join_reference(const Node& source, const Node& node) {
  const int from = root_of(source), to = root_of(node);
  if (from == to) return Status();
  if (members_[from].wishes >= 0 && members_[to].wishes >= 0) {
    const Wishes& given = wishes_[members_[from].wishes];
    const Wishes& own = wishes_[members_[to].wishes];
    const auto incompatible = [&](const char* which, const DeviceName& a, const DeviceName& b) {
      return invalid_argument("Cannot place the graph because a reference or resource edge connects colocation groups ",
                              "with incompatible ", which, " devices: ", a.to_string(), " vs ", b.to_string(),
                              ". The edge src node is ", source.name(), " , and the dst node is ", node.name());
    };
    if (!given.assigned.compatible(own.assigned)) return incompatible("assigned", given.assigned, own.assigned);
    if (!given.resource.compatible(own.resource)) return incompatible("resource", given.resource, own.resource);
    if (!given.requested.compatible(own.requested)) {
      notes.push_back(str_cat("Ignoring device specification ", own.requested.to_string(), " for node '", node.name(),
                              "' because the input edge from '", source.name(),
                              "' is a reference connection and already has a device field set to ",
                              given.requested.to_string()));
      members_[to].wishes = add_wishes(given.requested, own.resource, own.assigned);
    }
  }
  const Status status = colocate(source, node);
  if (status.ok()) return status;
  return invalid_argument("Nodes were connected by a reference or resource connection (requiring them to be on the ",
                          "same device), but the two nodes were assigned two different devices: ", status.message())
      .at_node(node.name());
}

std::vector<int> DeviceGroups::matching(const DeviceName& name) const {
  std::vector<int> found;
  for (size_t i = 0; i < devices_.size(); ++i) {
    if (name.matches(devices_[i])) found.push_back(static_cast<int>(i));
  }
  return found;
}

Result<int> DeviceGroups::choose(const Node& node, int preferred) {
  const int root = root_of(node);
  Member& member = members_[root];
  if (member.device >= 0) return member.device;
  if (member.wishes < 0) return member.device = std::max(preferred, 0);
  if (wishes_[member.wishes].candidates.empty()) TINYTF_RETURN_IF_ERROR(find_candidates(node, root));
  const std::vector<int>& found = wishes_[member.wishes].candidates;
  const bool can = std::find(found.begin(), found.end(), preferred) != found.end();
  return member.device = can ? preferred : found[0];
}

Status DeviceGroups::find_candidates(const Node& node, int root) {
  Wishes& wishes = wishes_[members_[root].wishes];
  std::vector<int> found = matching(wishes.requested);
  if (found.empty() && softly_) {
    DeviceName relaxed = wishes.requested;
    if (!wishes.assigned.type && !wishes.resource.type) relaxed.type.reset();
    if (!wishes.assigned.id && !wishes.resource.id) relaxed.id.reset();
    found = matching(relaxed);
    if (found.empty()) {
      if (!wishes.assigned.type) relaxed.type.reset();
      if (!wishes.assigned.id) relaxed.id.reset();
      found = matching(relaxed);
      if (!found.empty()) {
        warnings.push_back(
            str_cat("Failed to place the graph without changing the devices of some resources. Some of the operations ",
                    "(that had to be colocated with resource generating operations) are not supported on the ",
                    "resources' devices. Current candidate devices are [\n  ",
                    str_join(found, "\n  ", [&](int i) { return devices_[i].to_string(); }),
                    "].\nSee below for details of this colocation group:", describe_group(root)));
      }
    }
  }
  if (found.empty()) return no_candidate(node, root);
  wishes.candidates = std::move(found);
  return Status();
}

Status DeviceGroups::no_candidate(const Node& node, int root) {
  const std::string& wanted = node.info->device;
  const DeviceName own = DeviceName::parse(wanted).value_or(DeviceName());
  const DeviceName& required = wishes_[members_[root].wishes].requested;
  if (own == required) {
    std::string hint;
    if (own.type && (*own.type == "GPU" || *own.type == "gpu")) {
      hint = " The requested device appears to be a GPU, but CUDA is not enabled.";
    }
    return invalid_argument("{{node ", node.name(), "}} was explicitly assigned to ", wanted,
                            " but available devices are [ ", describe_devices(),
                            " ]. Make sure the device specification refers to a valid device.", hint);
  }
  return invalid_argument("Could not satisfy explicit device specification '", wanted, "' because the node ", tag(node),
                          " was colocated with a group of nodes that required incompatible device '",
                          required.to_string(), "'. All available devices [", describe_devices(), "]. ",
                          describe_group(root));
}

std::string DeviceGroups::describe_devices() const {
  std::vector<std::string> names;
  for (const DeviceName& device : devices_) names.push_back(device.to_string());
  std::sort(names.begin(), names.end());
  return str_join(names, ", ", [](const std::string& name) { return name; });
}

std::string DeviceGroups::describe_group(int root) {
  std::vector<const Member*> group;
  for (const Member& member : members_) {
    if (root_of(*member.node) == root) group.push_back(&member);
  }
  std::sort(group.begin(), group.end(), [](auto* a, auto* b) { return a->node->id < b->node->id; });
  const Member& top = members_[root];
  const Wishes wishes = top.wishes >= 0 ? wishes_[top.wishes] : Wishes();
  std::string text = str_cat(
      "\nColocation Debug Info:\nColocation group had the following types and supported devices: \nRoot ",
      "Member(assigned_device_name_index_=", top.device < 0 ? -1 : top.device + 1, " requested_device_name_='",
      wishes.requested.to_string(), "' assigned_device_name_='", wishes.assigned.to_string(),
      "' resource_device_name_='", wishes.resource.to_string(), "' supported_device_types_=[CPU] possible_devices_=[]");
  std::vector<std::string_view> types;
  for (const Member* member : group) types.push_back(member->node->op_name());
  std::sort(types.begin(), types.end());
  types.erase(std::unique(types.begin(), types.end()), types.end());
  for (std::string_view type : types) text += str_cat("\n", type, ": CPU ");
  text += "\n\nColocation members, user-requested devices, and framework assigned devices, if any:";
  for (const Member* member : group) {
    text += str_cat("\n  ", member->node->name(), " (", member->node->op_name(), ") ", member->node->info->device);
    if (member->device >= 0) text += str_cat(" framework assigned device=", devices_[member->device].to_string());
  }
  return text + "\n";
}

}  // namespace tinytf

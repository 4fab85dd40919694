#include "graph/placement.h"

#include <algorithm>

#include "graph/colocation.h"
#include "graph/device_groups.h"

namespace tinytf {

namespace {

constexpr int kUndecided = -1, kSeveral = -2;  // Markers instead of a device index.

/// Whether a node has no inputs and one output that is not a reference. Such nodes are placed last, on the device of
/// their consumers.
bool is_generator(const Node& node) {
  return node.inputs.empty() && node.num_outputs() == 1 && !node.info->outputs[0].is_ref;
}

/// Whether a node reads only the shape of its one input. It is cheapest on the device of that input.
bool reads_shape_only(const Node& node) { return node.has(Trait::kShapeOnly) && !node.info->op->inputs[0].is_list(); }

bool binds(const Node& node, size_t input) {
  const ArgType type = node.info->inputs[input];
  return type.dtype == DType::kResource || (type.is_ref && takes_reference(*node.info, input));
}

/// Chooses devices for the new nodes of one call.
class Choice {
 public:
  Choice(const Graph& graph, const Placement& placement, const PlacementOptions& options,
         const std::vector<const Node*>& nodes)
      : graph_(graph),
        placement_(placement),
        several_devices_(options.cpu_devices > 1),
        nodes_(nodes),
        groups_(placement.devices(), options.allow_soft_placement) {}

  Status make(PlacementNews& news) {
    for (const Node* node : nodes_) TINYTF_RETURN_IF_ERROR(groups_.add(*node));
    for (const Node* node : nodes_) TINYTF_RETURN_IF_ERROR(join_sources(*node));
    for (const Node* node : nodes_) TINYTF_RETURN_IF_ERROR(join_classes(*node));
    chosen_.assign(static_cast<size_t>(nodes_.back()->id) + 1, kUndecided);
    for (const Node* node : nodes_) {
      if (is_generator(*node)) continue;
      const bool follows = several_devices_ && reads_shape_only(*node);
      TINYTF_RETURN_IF_ERROR(choose(*node, follows ? device_of(*node->inputs[0].node) : kUndecided));
      news.placed.push_back(node);
    }
    if (several_devices_) find_consumers();
    for (const Node* node : nodes_) {
      if (!is_generator(*node)) continue;
      TINYTF_RETURN_IF_ERROR(choose(*node, several_devices_ ? consumers_[node->id] : kUndecided));
      news.placed.push_back(node);
    }
    news.notes = std::move(groups_.notes);
    news.warnings = std::move(groups_.warnings);
    return Status();
  }

  int device_of(const Node& node) const {
    const size_t id = static_cast<size_t>(node.id);
    return id < chosen_.size() && chosen_[id] >= 0 ? chosen_[id] : placement_.device_of(node);
  }

 private:
  /// Adds a node that was placed earlier to the groups. Returns false if it has no device yet and is not one of the new
  /// nodes.
  bool enrol(const Node& node) {
    if (groups_.has(node)) return true;
    const int device = placement_.device_of(node);
    if (device >= 0) groups_.add_placed(node, device);
    return device >= 0;
  }

  Status join_sources(const Node& node) {
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const Node& source = *node.inputs[i].node;
      if (binds(node, i) && enrol(source)) TINYTF_RETURN_IF_ERROR(groups_.join_reference(source, node));
    }
    return Status();
  }

  /// Joins the node's colocation groups. A group is named after a node, which may not exist; the first node found
  /// stands for the group.
  Status join_classes(const Node& node) {
    if (const auto* classes = node.info->attrs.get<std::vector<std::string>>(kClassAttr)) {
      for (const std::string& entry : *classes) {
        if (const auto group = group_name(entry)) TINYTF_RETURN_IF_ERROR(join_group(node, *group));
      }
    }
    return named_.empty() ? Status() : join_group(node, node.name());
  }

  Status join_group(const Node& node, std::string_view group) {
    const Node*& first = named_[group];
    if (first == nullptr) {
      const Node* named = group == node.name() ? &node : graph_.find(group);
      first = named != nullptr && named->id <= node.id && enrol(*named) ? named : &node;
    }
    const Status status = groups_.colocate(node, *first);
    if (status.ok()) return status;
    if (!groups_.soft()) return status.at_node(node.name());
    groups_.notes.push_back(str_cat("Ignoring request to colocate node '", node.name(),
                                    "' with nodes in colocation group '", group,
                                    "' because soft placement is on and an attempt at doing so resulted in the ",
                                    "following error: ", status.at_node(node.name()).to_string()));
    return Status();
  }

  Status choose(const Node& node, int preferred) {
    const auto device = groups_.choose(node, preferred);
    if (!device.ok()) {
      return invalid_argument("Cannot assign a device for operation ", node.name(), ": ", device.status().message())
          .at_node(node.name());
    }
    chosen_[node.id] = device.value();
    return Status();
  }

  /// Finds for each generator the device that all of its consumers share.
  void find_consumers() {
    consumers_.assign(chosen_.size(), kUndecided);
    const auto visit = [this](const Node& source, const Node& consumer) {
      if (static_cast<size_t>(source.id) >= consumers_.size()) return;
      int& known = consumers_[source.id];
      const int device = is_generator(consumer) ? kSeveral : device_of(consumer);
      known = known == kUndecided || known == device ? device : kSeveral;
    };
    for (const Node* node : nodes_) {
      for (Endpoint e : node->inputs) visit(*e.node, *node);
      for (const Node* control : node->control_inputs) visit(*control, *node);
    }
  }

  const Graph& graph_;
  const Placement& placement_;
  const bool several_devices_;
  const std::vector<const Node*>& nodes_;
  DeviceGroups groups_;
  std::unordered_map<std::string_view, const Node*> named_;  // By group name in `_class` attrs.
  std::vector<int> chosen_;                                  // By node id.
  std::vector<int> consumers_;                               // By node id.
};

}  // namespace

Placement::Placement(const PlacementOptions& options) : options_(options) {
  for (int i = 0; i < options_.cpu_devices; ++i) {
    devices_.push_back(DeviceName::local("CPU", i));
    devices_.back().job = options_.job;
    devices_.back().task = options_.task;
  }
}

Status Placement::extend(const Graph& graph) {
  const int last = graph.last_id();
  if (last == extended_to_) return Status();
  const int last_wish = graph.last_id_with_device();
  const bool nobody_asks = last_wish == 0 || (devices_.size() == 1 && last_wish <= extended_to_);
  if (nobody_asks && !options_.keeps_news) {
    set_size(last, 0);
  } else {
    std::vector<const Node*> nodes;
    for (int id = extended_to_ + 1; id <= last; ++id) nodes.push_back(graph.node(id));
    TINYTF_RETURN_IF_ERROR(place_new(graph, nodes));
  }
  extended_to_ = last;
  return Status();
}

Status Placement::place(const Graph& graph, const std::vector<const Node*>& nodes) {
  std::vector<const Node*> fresh;
  std::copy_if(nodes.begin(), nodes.end(), std::back_inserter(fresh), [this](auto* node) { return is_new(*node); });
  if (fresh.empty()) return Status();
  std::sort(fresh.begin(), fresh.end(), [](auto* a, auto* b) { return a->id < b->id; });
  return place_new(graph, fresh);
}

bool Placement::fits_only_device(const std::vector<const Node*>& nodes) const {
  if (devices_.size() > 1) return false;
  std::string_view fitting;  // Cache: most nodes request the same device as the one before.
  for (const Node* node : nodes) {
    const std::string& text = node->info->device;
    if (text == fitting) continue;
    const auto name = DeviceName::parse(text);
    if (!name || !name->matches(devices_[0])) return false;
    fitting = text;
  }
  return true;
}

Status Placement::place_new(const Graph& graph, const std::vector<const Node*>& nodes) {
  if (!options_.keeps_news && (graph.last_id_with_device() == 0 || fits_only_device(nodes))) {
    set_size(nodes.back()->id, -1);
    for (const Node* node : nodes) device_[node->id] = 0;
    return Status();
  }
  PlacementNews news;
  Choice choice(graph, *this, options_, nodes);
  TINYTF_RETURN_IF_ERROR(choice.make(news));
  set_size(nodes.back()->id, -1);
  for (const Node* node : nodes) device_[node->id] = choice.device_of(*node);
  const auto append = [](auto& to, auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  if (options_.keeps_news) {
    append(news_.placed, news.placed);
    append(news_.notes, news.notes);
  }
  append(news_.warnings, news.warnings);
  return Status();
}

void Placement::set_size(int last_id, int32_t device) {
  device_.resize(std::max(device_.size(), static_cast<size_t>(last_id) + 1), device);
}

PlacementNews Placement::take_news() { return std::exchange(news_, PlacementNews()); }

}  // namespace tinytf

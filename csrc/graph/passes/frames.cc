#include "graph/passes/frames.h"

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

namespace tinytf {

namespace {

/// Breadth-first traversal from the nodes without inputs, so that errors name the same input as TensorFlow's.
class FrameWalk {
 public:
  explicit FrameWalk(const Subgraph& subgraph)
      : nodes_(subgraph.nodes), readers_(nodes_.size()), reached_from_(nodes_.size(), -1) {
    frames_.all.emplace_back();
    frames_.of.assign(nodes_.size(), -1);
    frames_.of_outputs.assign(nodes_.size(), -1);
    for (size_t i = 0; i < nodes_.size(); ++i) {
      if (!nodes_[i].runs()) continue;
      const auto read = [&](int source) { readers_[source].push_back(static_cast<int>(i)); };
      if (!nodes_[i].values) {
        for (const auto& input : nodes_[i].inputs) {
          if (!nodes_[input.node].fed(input.output)) read(input.node);
        }
      }
      for (const int control : nodes_[i].control_inputs) read(control);
    }
    for (const BackEdge& edge : subgraph.back_edges) readers_[edge.from.node].push_back(edge.merge);
  }

  Result<Frames> run() {
    for (size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].removed) continue;
      if (!nodes_[i].runs() || waits_for_nothing(nodes_[i]) || takes_feed(static_cast<int>(i))) {
        TINYTF_RETURN_IF_ERROR(visit(static_cast<int>(i), 0));
      }
    }
    while (!ready_.empty()) {
      const int node = ready_.front();
      ready_.pop_front();
      for (const int reader : readers_[node]) TINYTF_RETURN_IF_ERROR(reach(reader, node));
    }
    TINYTF_RETURN_IF_ERROR(check_loops());
    return std::move(frames_);
  }

 private:
  static bool waits_for_nothing(const SubgraphNode& node) {
    return node.control_inputs.empty() && (node.values || node.inputs.empty());
  }

  /// Whether the node takes a fed value. Fed values come from outside of all loops, even if their node is inside one.
  bool takes_feed(int index) {
    const SubgraphNode& node = nodes_[index];
    if (!node.runs() || node.values) return false;
    for (const auto& input : node.inputs) {
      if (!nodes_[input.node].fed(input.output)) continue;
      reached_from_[index] = input.node;
      return true;
    }
    return false;
  }

  Status reach(int node, int from) {
    const int frame = frames_.of_outputs[from];
    if (frames_.of[node] < 0) {
      reached_from_[node] = from;
      return visit(node, frame);
    }
    if (frames_.of[node] == frame) return Status();
    const int before = reached_from_[node] >= 0 ? reached_from_[node] : from;
    return invalid_argument("{{node ", nodes_[node].info->name,
                            "}} has inputs from different frames. The input {{node ", nodes_[from].info->name,
                            "}} is in frame '", frames_.all[frame].name, "'. The input {{node ",
                            nodes_[before].info->name, "}} is in frame '", frames_.all[frames_.of[node]].name, "'.");
  }

  Status visit(int node, int frame) {
    frames_.of[node] = frame;
    TINYTF_ASSIGN_OR_RETURN(frames_.of_outputs[node], frame_behind(nodes_[node], frame));
    ready_.push_back(node);
    return Status();
  }

  /// InvalidArgument for a NextIteration outside of loops and for a loop with several LoopConds.
  Status check_loops() const {
    std::vector<const SubgraphNode*> conditions(frames_.all.size(), nullptr);
    for (size_t i = 0; i < nodes_.size(); ++i) {
      const SubgraphNode& node = nodes_[i];
      const int frame = frames_.of[i];
      if (frame < 0 || !node.runs()) continue;
      if (node.control_flow() == ControlFlow::kNextIteration && frame == 0) {
        return invalid_argument("{{node ", node.info->name, "}} is a NextIteration outside of a loop.");
      }
      if (node.control_flow() != ControlFlow::kLoopCond || frame == 0) continue;
      if (conditions[frame] != nullptr) {
        return invalid_argument("Invalid loop structure: Loop \"", frames_.all[frame].name,
                                "\" has more than one LoopCond node: {{node ", node.info->name, "}} and {{node ",
                                conditions[frame]->info->name,
                                "}}. This is an internal bug, please file a bug report with instructions on how to "
                                "reproduce the error.");
      }
      conditions[frame] = &node;
    }
    return Status();
  }

  Result<int> frame_behind(const SubgraphNode& node, int frame) {
    switch (node.runs() ? node.control_flow() : ControlFlow::kNone) {
      case ControlFlow::kEnter: return child(frame, *node.info);
      case ControlFlow::kExit:
        if (frame == 0) return invalid_argument("Invalid Exit op: Cannot find a corresponding Enter op.");
        return frames_.all[frame].parent;
      default: return frame;
    }
  }

  int child(int parent, const NodeInfo& enter) {
    const auto* name = enter.attrs.get<std::string>("frame_name");
    const auto [entry, is_new] =
        children_.try_emplace({parent, name != nullptr ? *name : std::string()}, static_cast<int>(frames_.all.size()));
    if (is_new) frames_.all.push_back({entry->first.second, parent, 0});
    ++frames_.all[entry->second].enters;
    return entry->second;
  }

  const std::vector<SubgraphNode>& nodes_;
  std::vector<std::vector<int>> readers_;
  std::vector<int> reached_from_;
  std::map<std::pair<int, std::string>, int> children_;  // By parent and name.
  std::deque<int> ready_;
  Frames frames_;
};

}  // namespace

bool is_constant_enter(const SubgraphNode& enter) {
  const auto* value = enter.info->attrs.get<bool>("is_constant");
  return value != nullptr && *value;
}

bool has_control_flow(const Subgraph& subgraph) {
  return std::any_of(subgraph.nodes.begin(), subgraph.nodes.end(),
                     [](const SubgraphNode& node) { return node.runs() && node.control_flow() != ControlFlow::kNone; });
}

Result<Frames> find_frames(const Subgraph& subgraph) {
  for (const BackEdge& edge : subgraph.back_edges) {  // Passes over loops index nodes by these.
    const SubgraphNode &merge = subgraph.nodes[edge.merge], &from = subgraph.nodes[edge.from.node];
    if (!merge.removed && !from.removed) continue;
    return internal_error("The back edge from ", from.info->name, " to ", merge.info->name, " connects a removed node");
  }
  return FrameWalk(subgraph).run();
}

}  // namespace tinytf

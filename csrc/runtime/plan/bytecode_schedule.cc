#include "runtime/plan/bytecode_schedule.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

namespace tinytf {

namespace {

class BytecodeScheduler {
 public:
  BytecodeScheduler(const ControlStructure& control, const FrameNodes& nodes, const std::vector<bool>& silent,
                    int frame, bool in_body)
      : control_(control), nodes_(nodes), silent_(silent), frame_(frame), in_body_(in_body) {
    if (frame > 0) body_ = control.guards.table.with(0, control.loops[frame].condition);
  }

  std::optional<Schedule> run() {
    add_items();
    add_edges();
    sources_.resize(items_.size());
    for (size_t i = 0; i < items_.size(); ++i) {
      if (pending_[i] == 0) make_ready(static_cast<int>(i));
    }
    size_t done = 0;
    for (int guard = -1; !by_place_.empty() || !quiet_.empty(); ++done) {
      if (!quiet_.empty()) {
        const int item = quiet_.back();
        quiet_.pop_back();
        end_quiet(item);
        continue;
      }
      const auto same = by_guard_.lower_bound({guard, -1});
      const int item = same != by_guard_.end() && same->first == guard ? same->second : *by_place_.begin();
      guard = items_[item].guard;
      by_guard_.erase({guard, item});
      by_place_.erase(item);
      hand_on({place(items_[item], item)}, item);
    }
    if (done < items_.size()) return std::nullopt;
    return std::move(schedule_);
  }

 private:
  /// A silent node with more sources than this gets an item of its own, to which its consumers are linked: with k
  /// sources and n consumers that makes k + n edges instead of k * n.
  static constexpr size_t kMostSources = 8;

  void make_ready(int item) {
    if (items_[item].node >= 0 && silent_[items_[item].node]) return quiet_.push_back(item);
    by_guard_.emplace(items_[item].guard, item);
    by_place_.insert(item);
  }

  /// Appends the item to the schedule. Returns its position.
  int32_t place(const BytecodeItem& emitted, int item) {
    const auto number = static_cast<int32_t>(schedule_.items.size());
    schedule_.items.push_back(emitted);
    for (const int32_t source : distinct_sources(item)) schedule_.waits.emplace_back(source, number);
    return number;
  }

  void end_quiet(int item) {
    const std::vector<int32_t>& sources = distinct_sources(item);
    if (sources.size() <= kMostSources) return hand_on(sources, item);
    hand_on({place({}, item)}, item);
  }

  const std::vector<int32_t>& distinct_sources(int item) {
    std::vector<int32_t>& sources = sources_[item];
    std::sort(sources.begin(), sources.end());
    sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
    return sources;
  }

  /// Makes the consumers of `item` wait for these positions.
  void hand_on(const std::vector<int32_t>& sources, int item) {
    for (const int reader : readers_[item]) {
      sources_[reader].insert(sources_[reader].end(), sources.begin(), sources.end());
      if (--pending_[reader] == 0) make_ready(reader);
    }
  }

  /// In the order of the subgraph's nodes. A loop takes the place of its first Enter.
  void add_items() {
    item_of_place_.assign(nodes_.all[frame_].size(), -1);
    for (const int i : nodes_.all[frame_]) {
      const SubgraphNode& node = control_.subgraph.nodes[i];
      if (!node.runs()) continue;
      switch (node.control_flow()) {
        case ControlFlow::kExit:
        case ControlFlow::kNextIteration: continue;  // Done at the ends of the loop.
        case ControlFlow::kEnter: {
          const int inner = control_.frames.of_outputs[i];
          if (is_wanted(control_.guards.of_frames[inner]) &&
              item_of_frame_.emplace(inner, static_cast<int>(items_.size())).second) {
            items_.push_back({-1, inner, control_.guards.of_frames[inner]});
          }
          continue;
        }
        default:
          if (!is_wanted(control_.guards.of[i])) continue;
          item_of_place_[nodes_.place[i]] = static_cast<int>(items_.size());
          items_.push_back({i, -1, control_.guards.of[i]});
      }
    }
    pending_.assign(items_.size(), 0);
    readers_.resize(items_.size());
  }

  bool is_wanted(int guard) const { return frame_ == 0 || control_.guards.table.implied_by(body_, guard) == in_body_; }

  void add_edges() {
    for (const int i : nodes_.all[frame_]) {
      const SubgraphNode& node = control_.subgraph.nodes[i];
      int item = item_of_node(i);
      if (item < 0 && !node.removed && node.control_flow() == ControlFlow::kEnter) {
        item = item_of_frame(control_.frames.of_outputs[i]);
      }
      if (item < 0) continue;
      if (!node.values) {
        for (const auto& input : node.inputs) {
          if (!control_.subgraph.fed(input)) add_edge(input.node, item);
        }
      }
      for (const int control : node.control_inputs) add_edge(control, item);
    }
  }

  void add_edge(int source, int item) {
    const bool leaves =
        control_.frames.of[source] >= 0 && control_.subgraph.nodes[source].control_flow() == ControlFlow::kExit;
    const int from = leaves ? item_of_frame(control_.frames.of[source]) : item_of_node(source);
    if (from < 0) return;
    readers_[from].push_back(item);
    ++pending_[item];
  }

  /// -1 if the node has no item here, as nodes of other frames.
  int item_of_node(int node) const {
    return control_.frames.of[node] == frame_ ? item_of_place_[nodes_.place[node]] : -1;
  }

  int item_of_frame(int frame) const {
    const auto found = item_of_frame_.find(frame);
    return found == item_of_frame_.end() ? -1 : found->second;
  }

  const ControlStructure& control_;
  const FrameNodes& nodes_;
  const std::vector<bool>& silent_;
  const int frame_;
  const bool in_body_;
  int body_ = 0;
  std::vector<BytecodeItem> items_;
  std::vector<int> item_of_place_;  // By place in the frame.
  std::unordered_map<int, int> item_of_frame_;
  std::vector<int> pending_;
  std::set<std::pair<int, int>> by_guard_;  // Ready items.
  std::set<int> by_place_;
  std::vector<int> quiet_;                     // Ready silent items.
  std::vector<std::vector<int32_t>> sources_;  // By item: positions of the items that it waits for.
  Schedule schedule_;
  std::vector<std::vector<int>> readers_;
};

}  // namespace

FrameNodes::FrameNodes(const Frames& frames) : all(frames.all.size()), place(frames.of.size(), -1) {
  for (size_t i = 0; i < frames.of.size(); ++i) {
    if (frames.of[i] < 0) continue;
    std::vector<int>& nodes = all[frames.of[i]];
    place[i] = static_cast<int>(nodes.size());
    nodes.push_back(static_cast<int>(i));
  }
}

std::optional<Schedule> schedule(const ControlStructure& control, const FrameNodes& nodes,
                                 const std::vector<bool>& silent, int frame, bool in_body) {
  return BytecodeScheduler(control, nodes, silent, frame, in_body).run();
}

}  // namespace tinytf

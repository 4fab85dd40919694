#include "runtime/plan/code_schedule.h"

#include <algorithm>
#include <set>
#include <utility>

namespace tinytf {

namespace {

class Scheduler {
 public:
  Scheduler(const Subgraph& subgraph, const Frames& frames, Guards& guards, const std::vector<Loop>& loops,
            const std::vector<bool>& silent, int frame, bool in_body)
      : subgraph_(subgraph), frames_(frames), guards_(guards), silent_(silent), frame_(frame), in_body_(in_body) {
    if (frame > 0) body_ = guards.table.with(0, loops[frame].condition);
  }

  std::optional<std::vector<CodeItem>> run() {
    add_items();
    add_edges();
    std::set<std::pair<int, int>> by_guard;  // ready items
    std::set<int> by_place;
    const auto make_ready = [&](int item) {
      if (items_[item].node >= 0 && silent_[items_[item].node]) return quiet_.push_back(item);
      by_guard.emplace(items_[item].guard, item);
      by_place.insert(item);
    };
    for (size_t i = 0; i < items_.size(); ++i) {
      if (pending_[i] == 0) make_ready(static_cast<int>(i));
    }
    std::vector<CodeItem> order;
    size_t done = 0;
    int guard = -1;
    while (!by_place.empty() || !quiet_.empty()) {
      int item = -1;
      if (!quiet_.empty()) {
        item = quiet_.back();
        quiet_.pop_back();
      } else {
        const auto same = by_guard.lower_bound({guard, -1});
        item = same != by_guard.end() && same->first == guard ? same->second : *by_place.begin();
        guard = items_[item].guard;
        by_guard.erase({guard, item});
        by_place.erase(item);
        order.push_back(items_[item]);
      }
      ++done;
      for (const int reader : readers_[item]) {
        if (--pending_[reader] == 0) make_ready(reader);
      }
    }
    if (done < items_.size()) return std::nullopt;
    return order;
  }

 private:
  /// In the order of the subgraph's nodes, a loop where it is entered first.
  void add_items() {
    item_of_node_.assign(subgraph_.nodes.size(), -1);
    item_of_frame_.assign(frames_.all.size(), -1);
    for (size_t i = 0; i < subgraph_.nodes.size(); ++i) {
      const SubgraphNode& node = subgraph_.nodes[i];
      if (!node.runs() || frames_.of[i] != frame_) continue;
      switch (node.control_flow()) {
        case ControlFlow::kExit:
        case ControlFlow::kNextIteration: continue;  // done at the loop's ends
        case ControlFlow::kEnter: {
          const int inner = frames_.of_outputs[i];
          if (item_of_frame_[inner] < 0 && is_wanted(guards_.of_frames[inner])) {
            item_of_frame_[inner] = static_cast<int>(items_.size());
            items_.push_back({-1, inner, guards_.of_frames[inner]});
          }
          continue;
        }
        default:
          if (!is_wanted(guards_.of[i])) continue;
          item_of_node_[i] = static_cast<int>(items_.size());
          items_.push_back({static_cast<int>(i), -1, guards_.of[i]});
      }
    }
    pending_.assign(items_.size(), 0);
    readers_.resize(items_.size());
  }

  bool is_wanted(int guard) const { return frame_ == 0 || guards_.table.implied_by(body_, guard) == in_body_; }

  void add_edges() {
    for (size_t i = 0; i < subgraph_.nodes.size(); ++i) {
      const SubgraphNode& node = subgraph_.nodes[i];
      int item = item_of_node_[i];
      if (item < 0 && !node.removed && node.control_flow() == ControlFlow::kEnter && frames_.of[i] == frame_) {
        item = item_of_frame_[frames_.of_outputs[i]];
      }
      if (item < 0) continue;
      if (!node.values) {
        for (const auto& input : node.inputs) {
          if (!subgraph_.nodes[input.node].fed(input.output)) add_edge(input.node, item);
        }
      }
      for (const int control : node.control_inputs) add_edge(control, item);
    }
  }

  void add_edge(int source, int item) {
    const bool leaves = frames_.of[source] >= 0 && subgraph_.nodes[source].control_flow() == ControlFlow::kExit;
    const int from = leaves ? item_of_frame_[frames_.of[source]] : item_of_node_[source];
    if (from < 0) return;
    readers_[from].push_back(item);
    ++pending_[item];
  }

  const Subgraph& subgraph_;
  const Frames& frames_;
  Guards& guards_;
  const std::vector<bool>& silent_;
  const int frame_;
  const bool in_body_;
  int body_ = 0;
  std::vector<CodeItem> items_;
  std::vector<int> item_of_node_, item_of_frame_;
  std::vector<int> pending_;
  std::vector<int> quiet_;  // silent ones that are ready
  std::vector<std::vector<int>> readers_;
};

}  // namespace

std::optional<std::vector<CodeItem>> schedule(const Subgraph& subgraph, const Frames& frames, Guards& guards,
                                              const std::vector<Loop>& loops, const std::vector<bool>& silent,
                                              int frame, bool in_body) {
  return Scheduler(subgraph, frames, guards, loops, silent, frame, in_body).run();
}

}  // namespace tinytf

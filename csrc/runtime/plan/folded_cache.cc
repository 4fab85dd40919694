#include "runtime/plan/folded_cache.h"

namespace tinytf {

std::unordered_map<const Node*, FoldedValues> FoldedCache::find(Graph& graph, int64_t version,
                                                                const std::vector<const Node*>& nodes) {
  std::unordered_map<const Node*, FoldedValues> known;
  std::lock_guard lock(mutex_);
  OfGraph& kept = graphs_[&graph];
  if (!kept.graph) kept.graph = RefPtr<Graph>::share(&graph);
  if (kept.version != version) kept.values.clear();
  kept.version = version;
  for (const Node* node : nodes) {
    const auto found = kept.values.find(node);
    if (found == kept.values.end()) continue;
    if (FoldedValues values = found->second.lock()) {
      known.emplace(node, std::move(values));
    } else {
      kept.values.erase(found);
    }
  }
  return known;
}

void FoldedCache::add(Graph& graph, int64_t version, const std::unordered_map<const Node*, FoldedValues>& values) {
  std::lock_guard lock(mutex_);
  const auto found = graphs_.find(&graph);
  if (found == graphs_.end() || found->second.version != version) return;
  OfGraph& kept = found->second;
  for (const auto& [node, value] : values) kept.values[node] = value;
}

}  // namespace tinytf

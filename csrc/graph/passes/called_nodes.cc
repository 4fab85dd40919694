#include "graph/passes/called_nodes.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "graph/function_body.h"
#include "graph/passes/subgraph.h"

namespace tinytf {

namespace {

/// Functions to visit, each once.
class Pending {
 public:
  void add(const FuncRef& function) {
    if (seen_.insert(text_of(function)).second) functions_.push_back(function);
  }
  void add_named_by(const NodeInfo& node) {
    if (node.op->has(Trait::kFunction)) add({node.op->name, {}});
    for (const auto& [name, value] : node.attrs) {
      if (const auto* function = std::get_if<FuncRef>(&value)) add(*function);
      if (const auto* functions = std::get_if<std::vector<FuncRef>>(&value)) {
        for (const FuncRef& one : *functions) add(one);
      }
    }
  }
  bool empty() const { return functions_.empty(); }
  FuncRef take() {
    FuncRef function = std::move(functions_.back());
    functions_.pop_back();
    return function;
  }

 private:
  std::set<std::string> seen_;
  std::vector<FuncRef> functions_;
};

}  // namespace

bool any_called_node(Graph& graph, const FuncRef& function, FunctionRef<bool(const NodeInfo&)> is) {
  const auto lock = graph.lock();
  Pending pending;
  pending.add(function);
  while (!pending.empty()) {
    const auto body = graph.function(pending.take());
    if (!body.ok()) continue;
    const auto body_lock = body.value()->graph->lock();
    const auto needed = prune(body.value()->arguments, body.value()->results, body.value()->targets);
    if (!needed.ok()) continue;
    for (const SubgraphNode& node : needed.value().nodes) {
      if (is(*node.info)) return true;
      pending.add_named_by(*node.info);
    }
  }
  return false;
}

}  // namespace tinytf

#include "graph/passes/unknown_ops.h"

#include <algorithm>
#include <map>

#include "graph/passes/find_guards.h"
#include "graph/unknown_op.h"
#include "op/registration_error.h"

namespace tinytf {

namespace {

bool is_unknown(const SubgraphNode& node) { return is_unknown_op(*node.info->op) && node.runs() && !node.values; }

/// The nodes of one op.
struct Uses {
  size_t count = 0;
  const SubgraphNode* first = nullptr;
};

std::string place_of(const SubgraphNode& node) {
  const bool is_of_function = node.call != nullptr && !node.call->function.empty();
  return str_cat("'", node.info->name, "'",
                 is_of_function ? str_cat(" in function '", node.call->function, "'") : std::string());
}

}  // namespace

Status unknown_ops_error(const Subgraph& subgraph) {
  std::map<std::string, Uses> ops;
  for (const SubgraphNode& node : subgraph.nodes) {
    if (!is_unknown(node)) continue;
    Uses& uses = ops[node.info->op->name];
    if (uses.count++ == 0) uses.first = &node;
  }
  const auto name = [](const auto& op) { return str_cat("'", op.first, "'"); };
  const auto nodes = [](const auto& op) {
    const Uses& uses = op.second;
    return str_cat(uses.count, uses.count == 1 ? " node of '" : " nodes of '", op.first,
                   uses.count == 1 ? "': " : "', the first ", place_of(*uses.first));
  };
  return not_registered(str_join(ops, ", ", name),
                        str_cat(" The fetched subgraph contains ", str_join(ops, "; ", nodes), "."));
}

Status check_ops_known(const Subgraph& subgraph) {
  if (std::none_of(subgraph.nodes.begin(), subgraph.nodes.end(), is_unknown)) return Status();
  TINYTF_ASSIGN_OR_RETURN(const std::vector<bool> unconditional, find_unconditional(subgraph));
  for (size_t i = 0; i < subgraph.nodes.size(); ++i) {
    if (unconditional[i] && is_unknown(subgraph.nodes[i])) return unknown_ops_error(subgraph);
  }
  return Status();
}

}  // namespace tinytf

#include "graph/shape_claims.h"

namespace tinytf {

namespace {
constexpr std::string_view kScript = "script";  // Family of the ops that call Python functions of the program.
}

void rely_on_shapes(const Node& node) {
  std::vector<const Node*> found{&node};
  while (!found.empty()) {
    const Node& one = *found.back();
    found.pop_back();
    if (!one.rests_on_claims || one.is_relied_on.exchange(true, std::memory_order_relaxed)) continue;
    for (const Endpoint& input : one.inputs) found.push_back(input.node);
  }
}

std::vector<PartialShape> claims_to_check(const Node& node) {
  const bool is_checked = node.info->op->family == kScript || node.is_relied_on.load(std::memory_order_relaxed);
  return node.is_claimed && is_checked ? node.output_shapes : std::vector<PartialShape>();
}

Status check_claim(const NodeInfo& node, int output, const PartialShape& claimed, const Shape& shape) {
  if (claimed.compatible_with(PartialShape(shape.dims()))) return Status();
  return invalid_argument("Shape of tensor ", node.name, ":", output, " ", shape.to_string(),
                          " is not compatible with the shape ", claimed.to_string(),
                          " that the program has set for it.");
}

}  // namespace tinytf

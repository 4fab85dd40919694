#include "graph/passes/made_node.h"

#include "op/op_registry.h"

namespace tinytf {

SubgraphNode made_node(const SubgraphNode& of, const char* op, std::vector<ArgType> inputs,
                       std::vector<ArgType> outputs, AttrMap attrs) {
  auto info = std::make_shared<NodeInfo>();
  info->name = of.info->name;
  info->op = OpRegistry::global().find_for_pass(op);
  info->device = of.info->device;
  info->attrs = std::move(attrs);
  info->inputs = std::move(inputs);
  info->outputs = std::move(outputs);
  SubgraphNode node;
  node.origin = of.origin;
  // Marks that the outputs differ from the outputs of `origin`.
  node.call = std::make_shared<const CallPath>(CallPath{of.origin, of.call});
  node.info = std::move(info);
  return node;
}

SubgraphNode made_identity(const SubgraphNode& of, ArgType type, SubgraphNode::Input input, std::vector<int> controls,
                           bool keeps_reference) {
  AttrMap attrs;
  attrs.set("T", type.dtype);
  const bool is_ref = type.is_ref && keeps_reference;
  SubgraphNode node =
      made_node(of, is_ref ? "RefIdentity" : "Identity", {type}, {{type.dtype, is_ref}}, std::move(attrs));
  node.inputs = {input};
  node.control_inputs = std::move(controls);
  return node;
}

}  // namespace tinytf

#include "graph/graph_def_view.h"

#include <algorithm>

namespace tinytf {

namespace {

Status damaged() { return invalid_argument("Invalid GraphDef"); }

Status read_attr_entry(std::string_view bytes, NodeDefView& node, std::deque<std::string>& merged) {
  NodeDefView::Attr attr;
  MergedBytes value;
  WireReader entry(bytes);
  while (entry.next()) {
    if (entry.is(MapEntryField::kKey, WireType::kBytes)) attr.name = entry.text();
    if (entry.is(MapEntryField::kValue, WireType::kBytes)) value.add(entry.bytes());
  }
  if (!entry.ok()) return damaged();
  attr.value = value.is_in_parts() ? std::string_view(merged.emplace_back(value.view())) : value.view();
  const auto same = std::find_if(node.attrs.begin(), node.attrs.end(), [&](auto& a) { return a.name == attr.name; });
  if (same == node.attrs.end()) {
    node.attrs.push_back(attr);
  } else {
    *same = attr;
  }
  return Status();
}

}  // namespace

Result<NodeDefView> read_node_def(std::string_view bytes, std::deque<std::string>& merged) {
  NodeDefView node;
  WireReader fields(bytes);
  while (fields.next()) {
    if (fields.is(NodeDefField::kName, WireType::kBytes)) node.name = fields.text();
    if (fields.is(NodeDefField::kOp, WireType::kBytes)) node.op = fields.text();
    if (fields.is(NodeDefField::kInput, WireType::kBytes)) node.inputs.push_back(fields.text());
    if (fields.is(NodeDefField::kDevice, WireType::kBytes)) node.device = fields.text();
    if (fields.is(NodeDefField::kAttr, WireType::kBytes))
      TINYTF_RETURN_IF_ERROR(read_attr_entry(fields.bytes(), node, merged));
  }
  if (!fields.ok()) return damaged();
  return node;
}

Result<GraphDefView> read_graph_def(std::string_view bytes) {
  GraphDefView graph;
  WireReader fields(bytes);
  while (fields.next()) {
    if (fields.is(GraphDefField::kNode, WireType::kBytes)) {
      TINYTF_ASSIGN_OR_RETURN(NodeDefView node, read_node_def(fields.bytes(), graph.merged));
      graph.nodes.push_back(std::move(node));
    }
    if (fields.is(GraphDefField::kLibrary, WireType::kBytes)) graph.library.add(fields.bytes());
  }
  if (!fields.ok()) return damaged();
  return graph;
}

}  // namespace tinytf

#include "graph/node_def.h"

#include "graph/attr_proto.h"
#include "graph/function_library.h"
#include "graph/graph_def_view.h"

namespace tinytf {

namespace {

void write_bytes_entry(WireWriter& to, std::string_view name, std::string_view value) {
  to.nested(NodeDefField::kAttr, [&] {
    to.bytes(MapEntryField::kKey, name);
    to.bytes(MapEntryField::kValue, value);
  });
}

}  // namespace

void write_node_input(WireWriter& to, std::string_view input) { to.bytes(NodeDefField::kInput, input); }

Status write_attr_entry(WireWriter& to, uint32_t field, std::string_view name, const AttrValue& value) {
  Status status;
  to.nested(field, [&] {
    to.bytes(MapEntryField::kKey, name);
    to.nested(MapEntryField::kValue, [&] { status = write_attr(to, value); });
  });
  return status;
}

Status write_node(WireWriter& to, const Node& node, bool add_shapes, FunctionRef<void()> write_inputs) {
  write_text(to, NodeDefField::kName, node.name());
  write_text(to, NodeDefField::kOp, node.op_name());
  write_inputs();
  write_text(to, NodeDefField::kDevice, node.info->device);
  const AttrProtos none;
  const AttrProtos& written = node.written_attrs != nullptr ? *node.written_attrs : none;
  for (const auto& [name, bytes] : written) write_bytes_entry(to, name, bytes);
  for (const auto& [name, value] : node.info->attrs) {
    if (written.count(name) == 0) TINYTF_RETURN_IF_ERROR(write_attr_entry(to, NodeDefField::kAttr, name, value));
  }
  if (add_shapes && !node.output_shapes.empty() && node.info->attrs.find("_output_shapes") == nullptr) {
    TINYTF_RETURN_IF_ERROR(write_attr_entry(to, NodeDefField::kAttr, "_output_shapes", node.output_shapes));
  }
  return Status();
}

}  // namespace tinytf

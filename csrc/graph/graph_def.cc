#include "graph/graph_def.h"

#include <algorithm>

#include "graph/attr_proto.h"

namespace tinytf {

namespace {

// Fields of GraphDef.
constexpr uint32_t kNode = 1, kLibrary = 2, kVersions = 4;
// Fields of VersionDef.
constexpr uint32_t kProducer = 1, kMinConsumer = 2, kBadConsumers = 3;

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

void write_bytes_entry(WireWriter& to, std::string_view name, std::string_view value) {
  to.nested(NodeDefField::kAttr, [&] {
    to.bytes(MapEntryField::kKey, name);
    to.bytes(MapEntryField::kValue, value);
  });
}

/// Writes the inputs as a GraphDef names them.
void write_inputs(WireWriter& to, const Node& node) {
  for (const Endpoint& e : node.inputs) {
    write_node_input(to, e.index == 0 ? e.node->name() : str_cat(e.node->name(), ":", e.index));
  }
  std::vector<std::string_view> controls;
  for (const Node* control : node.control_inputs) controls.push_back(control->name());
  std::sort(controls.begin(), controls.end());
  for (const std::string_view control : controls) write_node_input(to, str_cat("^", control));
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
    if (fields.is(kNode, WireType::kBytes)) {
      TINYTF_ASSIGN_OR_RETURN(NodeDefView node, read_node_def(fields.bytes(), graph.merged));
      graph.nodes.push_back(std::move(node));
    }
    if (fields.is(kLibrary, WireType::kBytes)) graph.library.add(fields.bytes());
  }
  if (!fields.ok()) return damaged();
  return graph;
}

Result<std::string> graph_def_of(Graph& graph, const GraphDefOptions& options) {
  const auto lock = graph.lock();
  std::string message;
  WireWriter to(&message);
  for (int id = std::max(options.after_id, 0) + 1; id <= graph.last_id(); ++id) {
    Status status;
    const Node& node = *graph.node(id);
    to.nested(kNode, [&] { status = write_node(to, node, options.add_shapes, [&] { write_inputs(to, node); }); });
    TINYTF_RETURN_IF_ERROR(status);
  }
  if (!graph.functions().empty()) {
    graph.take_what_bodies_call();
    Status status;
    to.nested(kLibrary, [&] { status = graph.functions().write(to, options.add_shapes); });
    TINYTF_RETURN_IF_ERROR(status);
  }
  to.nested(kVersions, [&] {
    if (options.producer != 0) to.int64(kProducer, options.producer);
    if (options.min_consumer != 0) to.int64(kMinConsumer, options.min_consumer);
    if (!options.bad_consumers.empty()) {
      to.nested(kBadConsumers, [&] {
        for (const int32_t version : options.bad_consumers) to.number(static_cast<uint64_t>(int64_t{version}));
      });
    }
  });
  return message;
}

Result<std::string> node_def_of(const Graph& graph, const Node& node) {
  const auto lock = graph.lock();
  std::string message;
  WireWriter to(&message);
  TINYTF_RETURN_IF_ERROR(write_node(to, node, false, [&] { write_inputs(to, node); }));
  return message;
}

}  // namespace tinytf

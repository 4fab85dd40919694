#include "graph/graph_def.h"

#include <algorithm>

#include "graph/function_def_of.h"
#include "graph/graph_def_view.h"
#include "graph/node_def.h"

namespace tinytf {

namespace {

// Fields of VersionDef.
constexpr uint32_t kProducer = 1, kMinConsumer = 2, kBadConsumers = 3;

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

Result<std::string> graph_def_of(Graph& graph, const GraphDefOptions& options) {
  const auto lock = graph.lock();
  std::string message;
  WireWriter to(&message);
  for (int id = std::max(options.after_id, 0) + 1; id <= graph.last_id(); ++id) {
    Status status;
    const Node& node = *graph.node(id);
    to.nested(GraphDefField::kNode,
              [&] { status = write_node(to, node, options.add_shapes, [&] { write_inputs(to, node); }); });
    TINYTF_RETURN_IF_ERROR(status);
  }
  if (!graph.functions().empty()) {
    graph.take_what_bodies_call();
    Status status;
    to.nested(GraphDefField::kLibrary,
              [&] { status = write_function_library(to, graph.functions(), options.add_shapes); });
    TINYTF_RETURN_IF_ERROR(status);
  }
  to.nested(GraphDefField::kVersions, [&] {
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

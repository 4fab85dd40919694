#include "runtime/functions/value_graph.h"

#include <algorithm>
#include <map>
#include <vector>

#include "graph/attr_proto.h"
#include "graph/function_def_of.h"
#include "graph/graph_def_view.h"
#include "graph/import_graph_def.h"
#include "graph/node_def.h"
#include "op/op_registry.h"
#include "op/removed_ops.h"
#include "op/value_graph.h"
#include "runtime/functions/source_in_graph.h"

namespace tinytf {

namespace {

constexpr uint32_t kProducer = 1, kMinConsumer = 2;  // Fields of VersionDef.
constexpr uint64_t kFirstWithFunctions = 12;         // The first GraphDef version with function libraries.
constexpr std::string_view kResult = "_Retval";      // The op that marks the result of a graph.

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// Whether an op makes a dataset. Those are declared as stateful, but only describe their elements.
bool makes_dataset(const OpDef& op) {
  return op.outputs.size() == 1 && op.outputs[0].type == DType::kVariant &&
         (ends_with(op.name, "Dataset") || ends_with(op.name, "DatasetV2"));
}

/// Collects definitions of functions and of those that they call.
class Definitions {
 public:
  explicit Definitions(const ValueGraph& graph) : allows_all_(graph.allows_all), allowed_(graph.allowed) {}

  /// Adds the function of a source. FailedPrecondition with TensorFlow's text if one of the nodes is stateful.
  Status add(const SourceInGraph& source) {
    TINYTF_ASSIGN_OR_RETURN(const FunctionLibrary library, library_of(source.graph()));
    std::vector<std::string> names{source.function().name};
    while (!names.empty()) {
      const std::string name = std::move(names.back());
      names.pop_back();
      if (bytes_.count(name) != 0) continue;
      const FunctionDef* const definition = library.find(name);
      if (definition == nullptr) return not_found("Function ", name, " is not defined.");
      bytes_[name] = definition->bytes;
      for (const FunctionNode& node : definition->nodes) {
        TINYTF_RETURN_IF_ERROR(check(node));
        add_called(node, library, names);
      }
    }
    return Status();
  }
  bool empty() const { return bytes_.empty(); }
  void write(WireWriter& to) const {
    for (const auto& [name, bytes] : bytes_) to.bytes(FunctionDefLibraryField::kFunction, bytes);
  }

 private:
  /// All functions of the graph as definitions.
  static Result<FunctionLibrary> library_of(Graph& graph) {
    std::string message;
    {
      const auto lock = graph.lock();
      graph.take_what_bodies_call();
      WireWriter to(&message);
      TINYTF_RETURN_IF_ERROR(write_function_library(to, graph.functions()));
    }
    return FunctionLibrary::read(message);
  }

  Status check(const FunctionNode& node) const {
    const OpDef* const op = OpRegistry::global().find(node.op);
    if (allows_all_ || op == nullptr || !op->is_stateful || op->has(Trait::kChecks) || makes_dataset(*op))
      return Status();
    if (std::find(allowed_.begin(), allowed_.end(), node.op) != allowed_.end()) return Status();
    return failed_precondition(node.op, " is stateful.");
  }

  static void add_called(const FunctionNode& node, const FunctionLibrary& library, std::vector<std::string>& names) {
    if (library.find(node.op) != nullptr) names.push_back(node.op);
    for (const auto& [name, bytes] : node.attrs) {
      const auto content = read_attr_content(bytes);
      if (!content.ok()) continue;
      const auto value = read_attr(content.value());
      if (!value.ok()) continue;
      if (const auto* function = std::get_if<FuncRef>(&value.value())) names.push_back(function->name);
      if (const auto* functions = std::get_if<std::vector<FuncRef>>(&value.value())) {
        for (const FuncRef& function : *functions) names.push_back(function.name);
      }
    }
  }

  const bool allows_all_;
  const std::vector<std::string>& allowed_;
  std::map<std::string, std::string> bytes_;  // By name.
};

Status write_value_node(WireWriter& to, const ValueNode& node) {
  write_text(to, NodeDefField::kName, node.name);
  write_text(to, NodeDefField::kOp, node.op);
  for (const std::string& input : node.inputs) write_node_input(to, input);
  std::map<std::string_view, const AttrValue*> sorted;
  for (const auto& [name, value] : node.attrs) sorted[name] = &value;
  for (const auto& [name, value] : sorted) {
    TINYTF_RETURN_IF_ERROR(write_attr_entry(to, NodeDefField::kAttr, name, *value));
  }
  return Status();
}

/// Removes the nodes that mark the graph's result, and returns its name: the last one counts.
Result<std::string> take_result(GraphDefView& graph) {
  std::string result;
  for (const NodeDefView& node : graph.nodes) {
    if (node.op == kResult && !node.inputs.empty()) result = node.inputs[0];
  }
  if (result.empty()) return not_found("FetchOutputs node : not found");
  graph.nodes.erase(std::remove_if(graph.nodes.begin(), graph.nodes.end(),
                                   [](const NodeDefView& node) { return node.op == kResult; }),
                    graph.nodes.end());
  return result;
}

Result<Endpoint> endpoint_of(const Graph& graph, const std::string& name) {
  const size_t colon = name.rfind(':');
  int64_t index = 0;
  if (colon != std::string::npos && colon + 1 < name.size()) {
    for (const char digit : std::string_view(name).substr(colon + 1)) {
      if (digit < '0' || digit > '9' || index > kMaxOutputs)
        return not_found("FetchOutputs node ", name, ": not found");
      index = index * 10 + (digit - '0');
    }
  }
  Node* const node = graph.find(std::string_view(name).substr(0, colon));
  if (node == nullptr || index >= static_cast<int64_t>(node->info->outputs.size())) {
    return not_found("FetchOutputs node ", name, ": not found");
  }
  return Endpoint{node, static_cast<int>(index)};
}

Result<std::string> write_value_graph(const ValueGraph& graph) {
  Definitions definitions(graph);
  for (const RefPtr<FunctionSource>& function : graph.functions) {
    const auto* source = dynamic_cast<const SourceInGraph*>(function.get());
    if (source == nullptr) return unimplemented("A function that is not in a graph cannot be written");
    TINYTF_RETURN_IF_ERROR(definitions.add(*source));
  }
  std::string message;
  WireWriter to(&message);
  Status status;
  for (const ValueNode& node : graph.nodes) {
    to.nested(GraphDefField::kNode, [&] { status = write_value_node(to, node); });
    TINYTF_RETURN_IF_ERROR(status);
  }
  to.nested(GraphDefField::kLibrary, [&] { definitions.write(to); });
  to.nested(GraphDefField::kVersions, [&] {
    to.varint(kProducer, kGraphDefVersion);
    if (!definitions.empty()) to.varint(kMinConsumer, kFirstWithFunctions);
  });
  return message;
}

Result<RefPtr<FunctionSource>> read_value_graph(std::string_view graph_def, int threads) {
  static constexpr const char* kName = "value";
  auto parsed = read_graph_def(graph_def);
  GraphDefView view = parsed.ok() ? parsed.take() : GraphDefView();
  TINYTF_ASSIGN_OR_RETURN(const std::string result, take_result(view));
  auto graph = make_ref<Graph>();
  ImportOptions import_options;
  import_options.is_strict = true;
  TINYTF_RETURN_IF_ERROR(import_graph_def(*graph, view, import_options).status());
  FunctionBody body{graph, {}, {}, {}};
  TINYTF_ASSIGN_OR_RETURN(const Endpoint endpoint, endpoint_of(*graph, result));
  body.results.push_back(endpoint);
  auto outer = make_ref<Graph>();
  TINYTF_RETURN_IF_ERROR(outer->add_function(kName, std::make_shared<const FunctionBody>(std::move(body))));
  return RefPtr<FunctionSource>(
      make_ref<SourceInGraph>(std::move(outer), CompileOptions(), threads, FuncRef{kName, {}}));
}

constexpr ValueGraphCodec kCodec{write_value_graph, read_value_graph};

}  // namespace

void provide_value_graph_codec() { set_value_graph_codec(&kCodec); }

}  // namespace tinytf

#include "graph/function_def_of.h"

#include <cctype>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "graph/arg_ranges.h"
#include "graph/graph.h"
#include "graph/graph_def_view.h"
#include "graph/node_def.h"
#include "graph/op_def_proto.h"

namespace tinytf {

namespace {

constexpr uint32_t kControlOutput = 20;  // A field of OpDef.

/// Makes unique names of arguments and results, of lower-case letters, digits and underscores.
class ArgNames {
 public:
  void take(const std::string& name) { taken_.insert(name); }
  std::string name_for(const std::string& node) {
    std::string name;
    for (const char c : node) {
      const auto byte = static_cast<unsigned char>(c);
      if (std::isalnum(byte)) {
        name += static_cast<char>(std::tolower(byte));
      } else if (!name.empty()) {
        name += '_';
      }
    }
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) name = "arg" + name;
    std::string found = name;
    for (int i = 0; !taken_.insert(found).second; ++i) found = str_cat(name, "_", i);
    return found;
  }

 private:
  std::unordered_set<std::string> taken_;
};

ArgDef arg_of(std::string name, Endpoint e) {
  ArgDef arg;
  arg.name = std::move(name);
  arg.type = e.node->info->outputs[e.index].dtype;
  return arg;
}

/// The nodes of the body, by id.
std::map<int, const Node*> nodes_of(const FunctionBody& body) {
  std::unordered_set<int64_t> given;
  for (Endpoint e : body.arguments) given.insert(key_of(e));
  std::map<int, const Node*> nodes;
  std::vector<Node*> stack;
  const auto need = [&](Endpoint e) {
    if (given.count(key_of(e)) == 0 && nodes.emplace(e.node->id, e.node).second) stack.push_back(e.node);
  };
  for (Endpoint e : body.results) need(e);
  for (Node* target : body.targets) need({target, 0});
  while (!stack.empty()) {
    const Node* node = stack.back();
    stack.pop_back();
    for (Endpoint e : node->inputs) need(e);
    for (Node* control : node->control_inputs) need({control, 0});
  }
  return nodes;
}

class Definition {
 public:
  Definition(const std::string& name, const FunctionBody& body, bool add_shapes)
      : body_(body), add_shapes_(add_shapes) {
    signature_.name = name;
  }

  Result<std::string> write() {
    const auto lock = body_.graph->lock();
    const std::map<int, const Node*> nodes = nodes_of(body_);
    ArgNames names;
    for (const auto& [id, node] : nodes) {
      names.take(node->name());
      signature_.is_stateful |= node->info->op->is_stateful;
    }
    for (Endpoint e : body_.arguments) {
      signature_.inputs.push_back(arg_of(names.name_for(e.node->name()), e));
      arguments_.emplace(key_of(e), signature_.inputs.back().name);
    }
    ArgNames result_names;
    for (Endpoint e : body_.results) signature_.outputs.push_back(arg_of(result_names.name_for(e.node->name()), e));
    return write_all(nodes);
  }

 private:
  Result<std::string> write_all(const std::map<int, const Node*>& nodes) {
    std::string message;
    WireWriter to(&message);
    Status status;
    to.nested(FunctionDefField::kSignature, [&] {
      status = write_op_def(to, signature_);
      for (const Node* target : body_.targets) to.bytes(kControlOutput, target->name());
    });
    TINYTF_RETURN_IF_ERROR(status);
    for (const auto& item : nodes) {
      const Node* node = item.second;
      to.nested(FunctionDefField::kNodeDef, [&] {
        status = write_node(to, *node, false, [&] { write_inputs(to, *node); });
        if (status.ok() && add_shapes_)
          status = write_attr_entry(to, NodeDefField::kAttr, "_output_shapes", node->output_shapes);
      });
      TINYTF_RETURN_IF_ERROR(status);
    }
    const auto entry = [&](uint32_t field, const std::string& key, const std::string& value) {
      to.nested(field, [&] {
        to.bytes(MapEntryField::kKey, key);
        to.bytes(MapEntryField::kValue, value);
      });
    };
    for (size_t i = 0; i < body_.results.size(); ++i) {
      entry(FunctionDefField::kRet, signature_.outputs[i].name, value_name(body_.results[i]));
    }
    for (const Node* target : body_.targets) entry(FunctionDefField::kControlRet, target->name(), target->name());
    if (add_shapes_)
      TINYTF_RETURN_IF_ERROR(write_attr_entry(to, FunctionDefField::kAttr, "_input_shapes", input_shapes()));
    for (size_t i = 0; i < body_.arguments.size(); ++i) TINYTF_RETURN_IF_ERROR(write_argument_attrs(to, i));
    return message;
  }

  /// The static shapes of the arguments; unknown for resource handles.
  std::vector<PartialShape> input_shapes() const {
    std::vector<PartialShape> shapes;
    for (Endpoint e : body_.arguments) {
      const bool is_handle = e.node->info->outputs[e.index].dtype == DType::kResource;
      shapes.push_back(is_handle ? PartialShape() : e.node->output_shapes[e.index]);
    }
    return shapes;
  }

  Status write_argument_attrs(WireWriter& to, size_t place) const {
    Status status;
    to.nested(FunctionDefField::kArgAttr, [&] {
      to.int64(MapEntryField::kKey, static_cast<int64_t>(place));
      to.nested(MapEntryField::kValue, [&] {
        for (const auto& [name, value] : body_.arguments[place].node->info->attrs) {
          if (name[0] == '_' && status.ok()) status = write_attr_entry(to, ArgAttrsField::kAttr, name, value);
        }
      });
    });
    return status;
  }

  void write_inputs(WireWriter& to, const Node& node) {
    for (Endpoint e : node.inputs) write_node_input(to, value_name(e));
    for (const Node* control : node.control_inputs) {
      const auto argument = arguments_.find(key_of({const_cast<Node*>(control), 0}));
      write_node_input(to, str_cat("^", argument == arguments_.end() ? control->name() : argument->second));
    }
  }

  /// The output's name as an input in a FunctionDef.
  std::string value_name(Endpoint e) const {
    const auto argument = arguments_.find(key_of(e));
    if (argument != arguments_.end()) return argument->second;
    for (const ArgRange& range : output_ranges(*e.node->info)) {
      if (e.index < range.begin + range.count) {
        return str_cat(e.node->name(), ":", range.arg->name, ":", e.index - range.begin);
      }
    }
    return e.node->name();  // The op declares no such output.
  }

  const FunctionBody& body_;
  const bool add_shapes_;
  OpDef signature_;
  std::unordered_map<int64_t, std::string> arguments_;
};

}  // namespace

Result<std::string> function_def_of(const std::string& name, const FunctionBody& body, bool add_shapes) {
  return Definition(name, body, add_shapes).write();
}

Status write_function_library(WireWriter& to, const FunctionLibrary& library, bool add_shapes) {
  for (const std::string& name : library.names()) {
    if (const FunctionDef* function = library.find(name)) {
      to.bytes(FunctionDefLibraryField::kFunction, function->bytes);
    } else {
      TINYTF_ASSIGN_OR_RETURN(const std::string written, function_def_of(name, *library.body(name), add_shapes));
      to.bytes(FunctionDefLibraryField::kFunction, written);
    }
  }
  for (const auto& [name, gradient] : library.gradients()) {
    to.nested(FunctionDefLibraryField::kGradient, [&, &name = name, &gradient = gradient] {
      to.bytes(GradientDefField::kFunctionName, name);
      to.bytes(GradientDefField::kGradientFunc, gradient);
    });
  }
  return Status();
}

}  // namespace tinytf

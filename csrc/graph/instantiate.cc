#include "graph/instantiate.h"

#include <algorithm>
#include <charconv>
#include <deque>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "graph/arg_ranges.h"
#include "graph/attr_proto.h"
#include "graph/branch_ends.h"
#include "graph/import_graph_def.h"
#include "graph/unknown_op.h"
#include "op/op_registry.h"

namespace tinytf {

namespace {

/// A range of outputs of one node in the generated GraphDef; a name in the function stands for one or more ranges.
struct Values {
  std::string_view node;
  int begin = 0, count = 0;
};

Result<AttrValue> read_attr_value(std::string_view bytes, const AttrDef* declared) {
  TINYTF_ASSIGN_OR_RETURN(const AttrContent content, read_attr_content(bytes));
  return declared == nullptr ? read_attr(content) : read_attr(content, declared->kind, declared->is_list);
}

/// Converts a function definition to a GraphDef: placeholders in attrs are replaced by values, arguments become nodes,
/// and inputs refer to nodes and output indices.
class Instance {
 public:
  Instance(const FunctionDef& function, const AttrProtos& attrs, const FunctionLibrary& library,
           Declarations declarations, int32_t ops_of)
      : function_(function), attrs_(attrs), library_(library), declarations_(declarations), ops_of_(ops_of) {}

  Result<std::shared_ptr<const FunctionBody>> build() {
    TINYTF_RETURN_IF_ERROR(find_attrs());
    for (const FunctionNode& node : function_.nodes) names_.insert(node.name);
    for (const ArgDef& arg : function_.signature.inputs) TINYTF_RETURN_IF_ERROR(add_argument(arg));
    for (const FunctionNode& node : function_.nodes) TINYTF_RETURN_IF_ERROR(add_node(node));
    number_unknown_outputs();
    for (size_t i = 0; i < function_.nodes.size(); ++i) {
      const FunctionNode& node = function_.nodes[i];
      for (const std::string& input : node.inputs) {
        TINYTF_RETURN_IF_ERROR(add_input(input, node.name, graph_def_.nodes[argument_count_ + i]));
      }
    }
    return import();
  }

 private:
  /// Determines the values of the function's attrs.
  Status find_attrs() {
    for (const AttrDef& def : function_.signature.attrs) {
      const auto given = attrs_.find(def.name);
      if (given == attrs_.end() && def.default_value) {
        values_.set(def.name, *def.default_value);
      } else if (given == attrs_.end()) {
        return not_found("Attr ", def.name, " is not found from ", function_.name());
      } else {
        TINYTF_ASSIGN_OR_RETURN(AttrValue value, read_attr_value(given->second, &def));
        values_.set(def.name, std::move(value));
      }
    }
    return Status();
  }

  /// Limits the number of values, since a short definition may stand for very many. ResourceExhausted above the limit.
  Status spend(size_t values) {
    constexpr size_t kMostValues = size_t{1} << 22;
    spent_ += values;
    if (spent_ <= kMostValues) return Status();
    return Status(Code::kResourceExhausted,
                  str_cat("Function ", function_.name(), " is too large: it has more than ", kMostValues, " values"));
  }

  std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }

  Result<std::string_view> written(const AttrValue& value) {
    std::string bytes;
    WireWriter to(&bytes);
    TINYTF_RETURN_IF_ERROR(write_attr(to, value));
    return keep(std::move(bytes));
  }

  Status add_argument(const ArgDef& arg) {
    TINYTF_ASSIGN_OR_RETURN(const std::vector<DType> types, types_of(arg, values_));
    TINYTF_RETURN_IF_ERROR(spend(types.size()));
    if (!known_.try_emplace(arg.name).second) return invalid_argument("Duplicated arg name ", arg.name);
    for (size_t i = 0; i < types.size(); ++i) {
      std::string name = types.size() == 1 ? arg.name : str_cat(arg.name, "_", i);
      if (!is_valid_node_name(name)) name = str_cat("arg_", argument_count_);
      for (const std::string wanted = name; !names_.insert(name).second;) name = str_cat(wanted, "_", ++suffix_);
      NodeDefView& node = graph_def_.nodes.emplace_back();
      node.name = keep(name);
      node.op = "Placeholder";
      TINYTF_ASSIGN_OR_RETURN(const std::string_view type, written(types[i]));
      node.attrs.push_back({"dtype", type});
      known_[arg.name].push_back({node.name, 0, 1});
      ++argument_count_;
    }
    return Status();
  }

  const OpDef* find_op(std::string_view name) const {
    const OpDef* op = OpRegistry::global().find(name);
    return op != nullptr ? op : library_.op(name);
  }

  Status add_node(const FunctionNode& function_node) {
    NodeDefView& node = graph_def_.nodes.emplace_back();
    node.name = function_node.name;
    node.op = function_node.op;
    node.device = function_node.device;
    const OpDef* op = find_op(function_node.op);
    AttrMap values;
    for (const auto& [name, bytes] : function_node.attrs) {
      if (op == nullptr && name == "_output_shapes")
        continue;  // The outputs' order there differs from the order in which they are numbered here.
      TINYTF_ASSIGN_OR_RETURN(const AttrContent content, read_attr_content(bytes));
      std::string_view value = bytes;
      if (content.field == AttrContent::kPlaceholder) {
        const std::string_view wanted = content.bytes.view();
        const AttrValue* given = values_.find(wanted);
        if (given == nullptr) return invalid_argument("Failed to bind all placeholders in ", wanted);
        TINYTF_ASSIGN_OR_RETURN(value, written(*given));
      }
      node.attrs.push_back({name, value});
      if (op == nullptr || op->find_attr(name) == nullptr) continue;
      auto read = read_attr_value(value, op->find_attr(name));  // The import reports a bad value with a better message.
      if (read.ok()) values.set(name, read.take());
    }
    if (op == nullptr) {
      unknown_.emplace(node.name, 0);
      return Status();
    }
    for (const AttrDef& def : op->attrs) {
      if (values.find(def.name) == nullptr && def.default_value) values.set(def.name, *def.default_value);
    }
    int begin = 0;
    for (const ArgDef& output : op->outputs) {
      const auto types = types_of(output, values);
      if (!types.ok()) return types.status().at_node(function_node.name);
      TINYTF_RETURN_IF_ERROR(spend(types.value().size()));
      const int count = static_cast<int>(types.value().size());
      known_[str_cat(node.name, ":", output.name)].push_back({node.name, begin, count});
      begin += count;
    }
    return Status();
  }

  /// Gives a node of an undeclared op the outputs that other nodes read as "node:output:index". They are numbered in
  /// the order in which they are read.
  void number_unknown_outputs() {
    if (unknown_.empty()) return;
    const auto number = [this](const std::string& text) {
      const auto node = unknown_.find(std::string_view(text).substr(0, text.find(':')));
      if (node == unknown_.end() || text == node->first) return;
      auto [known, is_new] = known_.try_emplace(text);
      if (is_new) known->second.push_back({node->first, node->second++, 1});
    };
    for (const FunctionNode& node : function_.nodes) {
      for (const std::string& input : node.inputs) number(input);
    }
    for (const auto& [output, text] : function_.ret) number(text);
  }

  /// The ranges of outputs that an input or a returned value stands for; empty if the name is unknown.
  std::vector<Values> find(std::string_view text) const {
    const auto whole = known_.find(std::string(text));
    if (whole != known_.end()) return whole->second;
    const size_t colon = text.rfind(':');
    if (colon == text.npos) return {};
    const auto list = known_.find(std::string(text.substr(0, colon)));
    int wanted = -1;
    const auto end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data() + colon + 1, end, wanted);
    if (list == known_.end() || parsed.ec != std::errc() || parsed.ptr != end || wanted < 0) return {};
    for (const Values& values : list->second) {
      if (wanted < values.count) return {{values.node, values.begin + wanted, 1}};
      wanted -= values.count;
    }
    return {};
  }

  Status add_input(const std::string& input, const std::string& name, NodeDefView& to) {
    if (input.substr(0, 1) == "^") {
      const auto argument = known_.find(input.substr(1));
      if (argument == known_.end()) {
        to.inputs.push_back(input);
      } else {
        for (const Values& values : argument->second) to.inputs.push_back(keep(str_cat("^", values.node)));
      }
      return Status();
    }
    const std::vector<Values> found = find(input);
    if (found.empty() && known_.find(input) == known_.end()) {
      return invalid_argument("input ", input, " is not found: {{node ", name, "}}");
    }
    for (const Values& values : found) {
      TINYTF_RETURN_IF_ERROR(spend(static_cast<size_t>(values.count)));
      for (int i = 0; i < values.count; ++i) to.inputs.push_back(keep(str_cat(values.node, ":", values.begin + i)));
    }
    return Status();
  }

  Result<std::shared_ptr<const FunctionBody>> import() {
    auto body = std::make_shared<FunctionBody>();
    body->name = function_.name();
    body->graph = make_ref<Graph>();
    ImportOptions options;
    options.is_prefix_new = true;
    options.is_function = true;
    options.producer = kNewest;
    options.ops_of = ops_of_;
    if (declarations_ == Declarations::kOfBody) {
      body->graph->set_ops_of(ops_of_);
      TINYTF_RETURN_IF_ERROR(body->graph->add_functions(library_));
    } else {
      options.function = [this](std::string_view name) { return library_.op(name); };
    }
    options.undeclared = [](const OpDef& op, std::string_view attr, std::string_view, const std::string& node) {
      return invalid_argument("NodeDef mentions attr '", attr, "' not in Op ", op.name, "; NodeDef: {{node ", node,
                              "}}");
    };
    TINYTF_RETURN_IF_ERROR(tell_returned_types(options));
    TINYTF_ASSIGN_OR_RETURN(const auto nodes, import_graph_def(*body->graph, graph_def_, options));
    std::unordered_map<std::string_view, Node*> by_name;
    for (const ImportedNode& node : nodes) by_name.emplace(node.name, node.node);
    for (size_t i = 0; i < argument_count_; ++i) {
      body->arguments.push_back({by_name.at(graph_def_.nodes[i].name), 0});
    }
    for (const ArgDef& output : function_.signature.outputs) {
      const auto ret = function_.ret.find(output.name);
      if (ret == function_.ret.end()) return invalid_argument("Return ", output.name, " missing.");
      TINYTF_ASSIGN_OR_RETURN(const std::vector<DType> types, types_of(output, values_));
      std::vector<Endpoint> results;
      for (const Values& values : find(ret->second)) {
        for (int i = 0; i < values.count; ++i) results.push_back({by_name.at(values.node), values.begin + i});
      }
      if (results.empty() && !types.empty()) {
        return invalid_argument("Return ", output.name, " -> ", ret->second, " is not found.");
      }
      if (results.size() != types.size()) return invalid_argument("Return ", output.name, ": invalid number of values");
      for (size_t i = 0; i < types.size(); ++i) {
        if (results[i].node->info->outputs[results[i].index].dtype != types[i]) {
          return invalid_argument("Invalid ret types ", output.name, " : ", dtype_name(types[i]), " vs. ",
                                  dtype_name(results[i].node->info->outputs[results[i].index].dtype));
        }
      }
      body->results.insert(body->results.end(), results.begin(), results.end());
    }
    find_targets(nodes, *body);
    return std::shared_ptr<const FunctionBody>(std::move(body));
  }

  /// Passes on the dtypes of results that nodes of undeclared ops compute, which only the signature tells.
  Status tell_returned_types(ImportOptions& options) const {
    if (unknown_.empty()) return Status();
    for (const ArgDef& output : function_.signature.outputs) {
      const auto ret = function_.ret.find(output.name);
      if (ret == function_.ret.end()) continue;
      TINYTF_ASSIGN_OR_RETURN(const std::vector<DType> types, types_of(output, values_));
      const std::vector<Values> found = find(ret->second);
      if (found.size() != 1 || types.size() != 1 || unknown_.count(found[0].node) == 0) continue;
      options.output_types[{found[0].node, found[0].begin}] = types[0];
    }
    return Status();
  }

  /// Sets the targets to the nodes of control outputs. A definition without any, as older versions wrote it, has all
  /// stateful nodes as targets.
  void find_targets(const std::vector<ImportedNode>& nodes, FunctionBody& body) const {
    std::vector<Node*> all;
    std::unordered_set<std::string_view> named;
    for (const auto& [name, node] : function_.control_ret) named.insert(node);
    for (const ImportedNode& node : nodes) {
      all.push_back(node.node);
      const OpDef& op = *node.node->info->op;
      const bool acts = op.is_stateful && !is_unknown_op(op) && !op.has(Trait::kRandom) && !op.has(Trait::kVariable) &&
                        !op.has(Trait::kPlaceholder) && !op.has(Trait::kReadsResource);
      if (named.count(node.name) != 0 || (named.empty() && acts)) body.targets.push_back(node.node);
    }
    if (named.empty()) body.targets = with_branch_ends(all, body.targets);
  }

  static constexpr int32_t kNewest = 1 << 30;  // Newer than every change of GraphDef semantics.

  const FunctionDef& function_;
  const AttrProtos& attrs_;
  const FunctionLibrary& library_;
  const Declarations declarations_;
  const int32_t ops_of_;
  AttrMap values_;
  GraphDefView graph_def_;
  size_t argument_count_ = 0;
  std::deque<std::string> texts_;
  std::unordered_set<std::string> names_;
  std::unordered_map<std::string, std::vector<Values>> known_;
  // Nodes of undeclared ops, with the number of their outputs that are read.
  std::map<std::string_view, int, std::less<>> unknown_;
  int suffix_ = 0;
  size_t spent_ = 0;
};

}  // namespace

Result<std::shared_ptr<const FunctionBody>> instantiate(const FunctionDef& function, const AttrProtos& attrs,
                                                        const FunctionLibrary& library, Declarations declarations,
                                                        int32_t ops_of) {
  return Instance(function, attrs, library, declarations, ops_of).build();
}

}  // namespace tinytf

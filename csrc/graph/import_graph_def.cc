#include "graph/import_graph_def.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <optional>
#include <queue>
#include <unordered_map>
#include <unordered_set>

#include "graph/colocation.h"
#include "graph/unknown_op.h"
#include "op/op_registry.h"
#include "op/op_summary.h"
#include "op/registration_error.h"
#include "op/removed_ops.h"

namespace tinytf {

namespace {

constexpr int64_t kControl = -1;
constexpr std::string_view kFrameAttr = "frame_name";

/// A parsed input: output `output` of the node `source`, or (kControl) the node itself.
struct InputName {
  std::string_view source;
  int64_t output = 0;
};

InputName parse_input(std::string_view text) {
  if (text.substr(0, 1) == "^") return {text.substr(1), kControl};
  const size_t colon = text.rfind(':');
  const std::string_view index = colon == text.npos ? std::string_view() : text.substr(colon + 1);
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  // A colon that is not followed by a number is part of the name, which then does not exist.
  if (index.empty() || !std::all_of(index.begin(), index.end(), is_digit)) return {text, 0};
  int64_t output = 0;
  if (std::from_chars(index.data(), index.data() + index.size(), output).ec != std::errc()) {
    output = std::numeric_limits<int64_t>::max();
  }
  return {text.substr(0, colon), output};
}

/// The resolved source of an input.
struct Source {
  int node = -1;  ///< Index in the GraphDef.
  int64_t output = 0;
  const MappedInput* mapped = nullptr;
  bool closes_loop = false;

  bool is_control() const { return output == kControl; }
  bool is_awaited() const { return mapped == nullptr && !closes_loop; }
};

/// A node during the import.
struct Pending {
  const NodeDefView* def = nullptr;
  std::string name;
  std::vector<Source> sources;
  const OpDef* op = nullptr;  ///< Null if it is not declared.
  ImportedAttrs attrs;
  std::string device;
  bool is_colocated = false;
  Node* node = nullptr;
  UnknownOutputs outputs;  ///< For a node whose op is not declared.

  bool is_unknown() const { return op == nullptr; }
};

bool is_of_kind(std::string_view op, ControlFlow kind) {
  const OpDef* declared = OpRegistry::global().find(op);
  return declared != nullptr && declared->control_flow == kind;
}

class GraphImport {
 public:
  GraphImport(Graph& graph, const GraphDefView& graph_def, const ImportOptions& options)
      : graph_(graph), options_(options), attrs_(options.producer, options.undeclared) {
    nodes_.resize(graph_def.nodes.size());
    for (size_t i = 0; i < nodes_.size(); ++i) nodes_[i].def = &graph_def.nodes[i];
    library_bytes_ = graph_def.library.view();
  }

  Result<std::vector<ImportedNode>> run();

 private:
  Status index_nodes();
  Status find_sources(Pending& node);
  void find_names();
  void find_order();
  const OpDef* find_op(std::string_view name) const;
  Status prepare(Pending& node);
  Status rename_groups(Pending& node);
  const std::string* frame_of(const Pending& node) const;
  std::unordered_set<std::string> frames_of_graph() const;
  std::unordered_set<std::string> whole_loops() const;
  void rename_frames();
  Status find_unknown_outputs();
  Status note_reads(const Pending& reader);
  Status add_all(const Status& not_prepared);
  Status add(Pending& node, Graph::Addition& addition);
  NodeRequest request_of(Pending& node, const std::vector<Endpoint>& inputs, Graph::Addition& addition) const;
  Result<Endpoint> endpoint(const Pending& node, const Source& source) const;
  Status check_inputs(const Pending& node, const std::vector<Endpoint>& inputs) const;
  Status close_loops();
  Status check_mapped() const;

  Graph& graph_;
  const ImportOptions& options_;
  AttrImporter attrs_;
  std::vector<Pending> nodes_;
  std::unordered_map<std::string_view, int> by_name_;
  std::unordered_map<std::string, const MappedInput*> mapped_;
  std::unordered_set<const MappedInput*> used_;
  std::string_view library_bytes_;
  FunctionLibrary library_;
  std::vector<int> order_;
  size_t prepared_ = 0;  // Number of prepared nodes, from the start of `order_`.
};

Status GraphImport::index_nodes() {
  by_name_.reserve(nodes_.size());
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const std::string_view name = nodes_[i].def->name;
    if (!is_valid_node_name(name)) return invalid_argument("Node '", name, "': Node name contains invalid characters");
    if (!by_name_.emplace(name, static_cast<int>(i)).second) return invalid_argument("Node '", name, "' is not unique");
  }
  return Status();
}

std::string key_of(std::string_view source, int64_t output) { return str_cat(source, ":", output); }

Status GraphImport::find_sources(Pending& node) {
  const bool is_merge = is_of_kind(node.def->op, ControlFlow::kMerge);
  for (const std::string_view text : node.def->inputs) {
    const InputName input = parse_input(text);
    Source source{-1, input.output};
    if (!mapped_.empty()) {
      const auto mapped = mapped_.find(key_of(input.source, input.output));
      if (mapped != mapped_.end()) source.mapped = mapped->second;
    }
    if (source.mapped == nullptr) {
      const auto found = by_name_.find(input.source);
      if (found == by_name_.end()) {
        return invalid_argument("Node '", node.def->name, "': Unknown input node '", text, "'");
      }
      source.node = found->second;
      source.closes_loop =
          !source.is_control() && is_merge && is_of_kind(nodes_[source.node].def->op, ControlFlow::kNextIteration);
    }
    node.sources.push_back(source);
  }
  return Status();
}

/// Chooses names under the prefix. A name gets a suffix if the graph has a node or a scope of that name.
void GraphImport::find_names() {
  std::unordered_set<std::string> taken;
  if (!options_.is_prefix_new) {
    for (const Node* node : graph_.nodes()) {
      const std::string& name = node->name();
      taken.insert(name);
      for (size_t slash = name.find('/'); slash != name.npos; slash = name.find('/', slash + 1)) {
        taken.insert(name.substr(0, slash));
      }
    }
  }
  for (Pending& node : nodes_) {
    node.name = options_.prefix + std::string(node.def->name);
    if (options_.is_prefix_new) continue;
    const std::string wanted = node.name;
    for (int i = 1; taken.count(node.name) != 0 || (i > 1 && by_name_.count(node.name) != 0); ++i) {
      node.name = str_cat(wanted, "_", i);
    }
    taken.insert(node.name);
  }
}

void GraphImport::find_order() {
  const int count = static_cast<int>(nodes_.size());
  std::vector<int> awaited(count), first_consumer(count + 1);
  for (const Pending& node : nodes_) {
    for (const Source& source : node.sources) first_consumer[source.is_awaited() ? source.node + 1 : 0] += 1;
  }
  first_consumer[0] = 0;
  for (int i = 0; i < count; ++i) first_consumer[i + 1] += first_consumer[i];
  std::vector<int> consumers(first_consumer[count]);
  std::vector<int> next = first_consumer;
  for (int i = 0; i < count; ++i) {
    for (const Source& source : nodes_[i].sources) {
      if (!source.is_awaited()) continue;
      consumers[next[source.node]++] = i;
      ++awaited[i];
    }
  }
  std::priority_queue<int, std::vector<int>, std::greater<int>> ready;
  for (int i = 0; i < count; ++i) {
    if (awaited[i] == 0) ready.push(i);
  }
  while (!ready.empty()) {
    const int node = ready.top();
    ready.pop();
    order_.push_back(node);
    for (int i = first_consumer[node]; i < first_consumer[node + 1]; ++i) {
      if (--awaited[consumers[i]] == 0) ready.push(consumers[i]);
    }
  }
}

/// Ops whose _output_shapes TensorFlow 1.15 does not check, because early versions wrote wrong ones: scalars for
/// handles of queues, readers and tables, which are vectors of two strings, and shapes of outputs that are references.
bool has_doubtful_shapes(const OpDef& op) {
  static constexpr std::string_view kOps[] = {"RandomShuffleQueue",
                                              "PaddingFIFOQueue",
                                              "FIFOQueue",
                                              "PriorityQueue",
                                              "QueueSize",
                                              "Stack",
                                              "Barrier",
                                              "BarrierReadySize",
                                              "BarrierIncompleteSize",
                                              "ConditionalAccumulator",
                                              "SparseConditionalAccumulator",
                                              "HashTable",
                                              "MutableHashTable",
                                              "MutableHashTableOfTensors",
                                              "WholeFileReader",
                                              "TextLineReader",
                                              "FixedLengthRecordReader",
                                              "TFRecordReader",
                                              "IdentityReader",
                                              "LMDBReader",
                                              "RefSwitch",
                                              "RefEnter",
                                              "RefNextIteration",
                                              "RefMerge",
                                              "RefIdentity"};
  return std::find(std::begin(kOps), std::end(kOps), op.name) != std::end(kOps);
}

const OpDef* GraphImport::find_op(std::string_view name) const {
  if (const OpDef* function = library_.op(name)) return function;
  const OpDef* op = graph_.find_op(name);
  return op != nullptr || !options_.function ? op : options_.function(name);
}

/// Does everything that does not depend on other nodes having been added.
Status GraphImport::prepare(Pending& node) {
  node.op = find_op(node.def->op);
  if (node.is_unknown()) {
    TINYTF_RETURN_IF_ERROR(check_not_removed(node.def->op, options_.ops_of));
    if (options_.is_strict) return not_registered(str_cat("'", node.def->op, "'"));
    TINYTF_ASSIGN_OR_RETURN(node.attrs, AttrImporter::read_unknown(*node.def, node.name));
  } else {
    const auto beside = options_.values.find(node.def->name);
    const AttrValue* value = beside == options_.values.end() ? nullptr : &beside->second;
    TINYTF_ASSIGN_OR_RETURN(node.attrs, attrs_.read(*node.op, *node.def, node.name, value));
  }
  TINYTF_RETURN_IF_ERROR(rename_groups(node));
  if (node.is_colocated || node.def->device.empty()) return Status();
  node.device = node.def->device;
  if (!options_.device) return Status();
  TINYTF_ASSIGN_OR_RETURN(node.device, options_.device(node.def->device));
  return Status();
}

Status GraphImport::rename_groups(Pending& node) {
  const auto* given = node.attrs.attrs.get<std::vector<std::string>>(kClassAttr);
  if (given == nullptr) return Status();
  std::vector<std::string> groups = *given;
  if (options_.is_function) {
    const auto is_unknown = [this](const std::string& group) {
      const auto name = group_name(group);
      return name && by_name_.count(*name) == 0;
    };
    groups.erase(std::remove_if(groups.begin(), groups.end(), is_unknown), groups.end());
  }
  for (std::string& group : groups) {
    const auto name = group_name(group);
    if (!name) continue;
    const auto found = by_name_.find(*name);
    if (found == by_name_.end()) {
      return invalid_argument("Node '", node.def->name, "' expects to be colocated with unknown node '", *name, "'");
    }
    group = group_class(nodes_[found->second].name);
    node.is_colocated |= &nodes_[found->second] != &node;
  }
  node.attrs.attrs.set(kClassAttr, std::move(groups));
  return Status();
}

/// The name of the frame that a prepared node enters; null if it is no Enter.
const std::string* GraphImport::frame_of(const Pending& node) const {
  if (node.is_unknown() || node.op->control_flow != ControlFlow::kEnter) return nullptr;
  return node.attrs.attrs.get<std::string>(kFrameAttr);
}

std::unordered_set<std::string> GraphImport::frames_of_graph() const {
  std::unordered_set<std::string> frames;
  for (const Node* node : graph_.nodes()) {
    if (node->info->op->control_flow != ControlFlow::kEnter) continue;
    if (const auto* frame = node->info->attrs.get<std::string>(kFrameAttr)) frames.insert(*frame);
  }
  return frames;
}

/// The frame names of the loops whose LoopCond is among the prepared nodes.
std::unordered_set<std::string> GraphImport::whole_loops() const {
  struct Nesting {
    int around;  // index of the frame around this one
    const std::string* name;
  };
  std::vector<Nesting> frames{{0, nullptr}};
  std::map<std::pair<int, std::string_view>, int> numbers;
  std::vector<int> frame_after(nodes_.size(), 0);  // by node: the frame of its outputs
  std::unordered_set<std::string> whole;
  for (size_t i = 0; i < prepared_; ++i) {
    const Pending& node = nodes_[order_[i]];
    int frame = 0;
    for (const Source& source : node.sources) {
      if (source.is_awaited() && frame == 0) frame = frame_after[source.node];
    }
    const ControlFlow kind = node.is_unknown() ? ControlFlow::kNone : node.op->control_flow;
    if (const std::string* name = frame_of(node)) {
      const auto [number, is_new] = numbers.try_emplace({frame, *name}, static_cast<int>(frames.size()));
      if (is_new) frames.push_back({frame, name});
      frame = number->second;
    } else if (kind == ControlFlow::kExit) {
      frame = frames[frame].around;
    } else if (kind == ControlFlow::kLoopCond && frame != 0) {
      whole.insert(*frames[frame].name);
    }
    frame_after[order_[i]] = frame;
  }
  return whole;
}

/// A loop keeps its frame name, which identifies the frame in a step, unless the graph has a loop of that name. The two
/// could then run in one step, which TensorFlow 1.15 does not support. A frame without a LoopCond is a part of the
/// graph's loop.
void GraphImport::rename_frames() {
  const auto begin = order_.begin(), end = begin + static_cast<std::ptrdiff_t>(prepared_);
  if (std::none_of(begin, end, [this](int i) { return frame_of(nodes_[i]) != nullptr; })) return;
  const std::unordered_set<std::string> taken = frames_of_graph();
  if (taken.empty()) return;
  const std::unordered_set<std::string> whole = whole_loops();
  std::unordered_map<std::string, std::string> renamed;
  for (auto i = begin; i != end; ++i) {
    const std::string* given = frame_of(nodes_[*i]);
    if (given == nullptr || taken.count(*given) == 0 || whole.count(*given) == 0) continue;
    std::string& name = renamed[*given];
    if (name.empty()) name = options_.prefix + *given;
    for (int k = 1; taken.count(name) != 0; ++k) name = str_cat(options_.prefix, *given, "_", k);
    nodes_[*i].attrs.attrs.set(kFrameAttr, std::string(name));
  }
}

/// Collects what the prepared nodes reveal about the outputs of nodes whose ops are not declared.
Status GraphImport::find_unknown_outputs() {
  const auto is_unknown = [this](int node) { return nodes_[node].is_unknown(); };
  const auto end = order_.begin() + static_cast<std::ptrdiff_t>(prepared_);
  if (std::none_of(order_.begin(), end, is_unknown)) return Status();
  for (auto i = order_.begin(); i != end; ++i) TINYTF_RETURN_IF_ERROR(note_reads(nodes_[*i]));
  for (const auto& [output, type] : options_.output_types) {
    const auto found = by_name_.find(output.first);
    if (found == by_name_.end() || !is_unknown(found->second)) continue;
    UnknownOutputs& outputs = nodes_[found->second].outputs;
    outputs.count = std::max(outputs.count, output.second + 1);
    outputs.types.emplace(output.second, ArgType{type, false});
  }
  for (auto i = order_.begin(); i != end; ++i) {
    Pending& node = nodes_[*i];
    if (!node.is_unknown() || !node.attrs.output_shapes) continue;
    node.outputs.count = std::max(node.outputs.count, static_cast<int64_t>(node.attrs.output_shapes->size()));
  }
  return Status();
}

Result<Endpoint> GraphImport::endpoint(const Pending& node, const Source& source) const {
  if (source.mapped != nullptr) return source.mapped->with;
  const Pending& from = nodes_[source.node];
  if (source.output >= from.node->num_outputs()) {
    return invalid_argument("Node '", node.def->name, "': Connecting to invalid output ", source.output,
                            " of source node ", from.def->name, " which has ", from.node->num_outputs(), " outputs.");
  }
  return Endpoint{from.node, static_cast<int>(std::max<int64_t>(source.output, 0))};
}

/// The dtypes of a declared input: `count` items that cycle through `types`.
struct Declared {
  std::vector<DType> types;
  int64_t count = 1;
  bool is_ref = false;
};

const AttrValue* value_of(const Pending& node, std::string_view attr) {
  if (const AttrValue* given = node.attrs.attrs.find(attr)) return given;
  return &*node.op->find_attr(attr)->default_value;  // The attrs are complete.
}

Result<Declared> declared_types(const Pending& node, const ArgDef& arg) {
  Declared declared;
  declared.is_ref = arg.is_ref;
  if (!arg.type_list_attr.empty()) {
    declared.types = std::get<std::vector<DType>>(*value_of(node, arg.type_list_attr));
    declared.count = static_cast<int64_t>(declared.types.size());
    return declared;
  }
  if (!arg.number_attr.empty()) {
    declared.count = std::get<int64_t>(*value_of(node, arg.number_attr));
    const int64_t minimum = node.op->find_attr(arg.number_attr)->minimum.value_or(0);
    if (declared.count < minimum) {
      return invalid_argument("Value for attr '", arg.number_attr, "' of ", declared.count,
                              " must be at least minimum ", minimum, "; ", op_summary(*node.op));
    }
  }
  declared.types = {arg.type_attr.empty() ? arg.type : std::get<DType>(*value_of(node, arg.type_attr))};
  return declared;
}

/// Records the outputs of undeclared ops that a node reads, and the types it expects if its own op is declared.
Status GraphImport::note_reads(const Pending& reader) {
  std::vector<Declared> declared;
  if (!reader.is_unknown()) {
    for (const ArgDef& arg : reader.op->inputs) {
      auto one = declared_types(reader, arg);
      if (!one.ok()) return Status();  // Adding the node reports the error.
      declared.push_back(one.take());
    }
  }
  size_t arg = 0;
  int64_t place = 0;  // Position within the arg.
  for (const Source& source : reader.sources) {
    if (source.is_control()) continue;
    for (; arg < declared.size() && place == declared[arg].count; ++arg) place = 0;
    std::optional<ArgType> type;
    if (arg < declared.size()) {
      const std::vector<DType>& types = declared[arg].types;
      type = ArgType{types[static_cast<size_t>(place) % types.size()], declared[arg].is_ref};
      ++place;
    }
    if (source.mapped != nullptr || !nodes_[source.node].is_unknown()) continue;
    Pending& from = nodes_[source.node];
    if (source.output >= kMaxOutputs) {
      return invalid_argument("Node '", reader.def->name, "': Connecting to invalid output ", source.output,
                              " of source node ", from.def->name, ": a node has at most ", kMaxOutputs, " outputs");
    }
    from.outputs.count = std::max(from.outputs.count, source.output + 1);
    if (type) from.outputs.types.emplace(source.output, *type);
  }
  return Status();
}

/// The types of inputs as text; only the first few are shown.
std::string type_list(const std::vector<Declared>& inputs) {
  constexpr size_t kShown = 20;
  std::vector<std::string> shown;
  for (const Declared& input : inputs) {
    for (int64_t i = 0; i < input.count && shown.size() <= kShown; ++i) {
      shown.push_back(type_text(input.types[static_cast<size_t>(i) % input.types.size()], input.is_ref));
    }
  }
  const bool is_cut = shown.size() > kShown;
  if (is_cut) shown.resize(kShown);
  return str_join(shown, ", ", [](const std::string& text) { return text; }) + (is_cut ? ", ..." : "");
}

/// Checks the number and the types of the inputs against the declaration.
Status GraphImport::check_inputs(const Pending& node, const std::vector<Endpoint>& inputs) const {
  std::vector<Declared> declared;
  Size total = 0;
  for (const ArgDef& arg : node.op->inputs) {
    TINYTF_ASSIGN_OR_RETURN(Declared one, declared_types(node, arg));
    total += one.count;
    declared.push_back(std::move(one));
  }
  if (total.value() != static_cast<int64_t>(inputs.size())) {
    return invalid_argument("NodeDef expected inputs '", type_list(declared), "' do not match ", inputs.size(),
                            " inputs specified; ", op_summary(*node.op), "; NodeDef: {{node ", node.name, "}}");
  }
  size_t next = 0;
  for (const Declared& input : declared) {
    for (int64_t i = 0; i < input.count; ++i, ++next) {
      const DType wanted = input.types[static_cast<size_t>(i) % input.types.size()];
      const Endpoint from = inputs[next];
      const ArgType got = from.node->info->outputs[from.index];
      if (got.dtype == wanted && (got.is_ref || !input.is_ref)) continue;
      return invalid_argument("Input ", next, " of node ", node.name, " was passed ", type_text(got.dtype, got.is_ref),
                              " from ", from.node->name(), ":", from.index, " incompatible with expected ",
                              type_text(wanted, input.is_ref), ".");
    }
  }
  return Status();
}

/// The request to add the node, without its inputs. Moves the node's attrs.
NodeRequest GraphImport::request_of(Pending& node, const std::vector<Endpoint>& inputs,
                                    Graph::Addition& addition) const {
  NodeRequest request;
  request.name = node.name;
  request.op = node.def->op;
  request.device = node.device;
  request.attrs = std::move(node.attrs.attrs);
  if (node.is_unknown()) {
    std::vector<ArgType> types;
    for (const Endpoint input : inputs) types.push_back(input.node->info->outputs[input.index]);
    const auto producers = options_.producers_ops.find(node.def->op);
    const OpDef* declared = producers == options_.producers_ops.end() ? nullptr : &producers->second;
    const auto outputs = unknown_output_types(*node.def, declared, node.outputs);
    request.declared = addition.declare(declare_unknown_op(node.def->op, types, outputs, request.attrs));
    request.written_attrs = std::move(node.attrs.written);
  } else if (node.op->has(Trait::kFunction) && options_.function) {
    request.declared = options_.function(request.op);
  }
  return request;
}

Status GraphImport::add(Pending& node, Graph::Addition& addition) {
  std::vector<Endpoint> inputs;
  std::vector<Node*> control_inputs;
  Endpoint stand_in;  // Replaces inputs from back edges until close_loops.
  bool waits = false;
  std::unordered_set<const Node*> controls;
  for (const Source& source : node.sources) {
    if (source.mapped != nullptr) used_.insert(source.mapped);
    if (source.closes_loop) {
      waits = true;
      inputs.emplace_back();
      continue;
    }
    TINYTF_ASSIGN_OR_RETURN(const Endpoint from, endpoint(node, source));
    if (!source.is_control()) {
      inputs.push_back(stand_in = from);
    } else if (controls.insert(from.node).second) {
      control_inputs.push_back(from.node);
    }
  }
  if (waits) {
    if (stand_in.node == nullptr) {
      return invalid_argument("Node '", node.def->name, "': all inputs come from later iterations");
    }
    for (Endpoint& e : inputs) e = e.node == nullptr ? stand_in : e;
  }
  if (!node.is_unknown()) TINYTF_RETURN_IF_ERROR(check_inputs(node, inputs));
  TINYTF_RETURN_IF_ERROR(check_not_removed(node.def->op, options_.ops_of));
  NodeRequest request = request_of(node, inputs, addition);
  request.inputs = std::move(inputs);
  request.control_inputs = std::move(control_inputs);
  TINYTF_ASSIGN_OR_RETURN(node.node, graph_.add_node(std::move(request)));
  if (waits && !node.node->output_shapes.empty()) node.node->output_shapes[0] = PartialShape();
  if (!node.attrs.output_shapes) return Status();
  const auto& shapes = *node.attrs.output_shapes;
  for (int i = 0; i < node.node->num_outputs() && i < static_cast<int>(shapes.size()); ++i) {
    const Status status = graph_.set_shape({node.node, i}, shapes[i]);
    if (!status.ok() && !has_doubtful_shapes(*node.node->info->op)) {
      return invalid_argument("Node '", node.def->name,
                              "' has an _output_shapes attribute inconsistent with the GraphDef for output #", i, ": ",
                              status.message());
    }
  }
  return Status();
}

Status GraphImport::close_loops() {
  for (const Pending& node : nodes_) {
    int index = 0;
    for (const Source& source : node.sources) {
      if (source.closes_loop) {
        TINYTF_ASSIGN_OR_RETURN(const Endpoint from, endpoint(node, source));
        const DType given = from.node->info->outputs[from.index].dtype, wanted = node.node->info->outputs[0].dtype;
        if (given != wanted) {
          return invalid_argument("Input ", index, " of node ", node.name, " was passed ", type_text(given, false),
                                  " from ", from.node->name(), ":", from.index, " incompatible with expected ",
                                  type_text(wanted, false), ".");
        }
        TINYTF_RETURN_IF_ERROR(graph_.update_input(node.node, index, from));
      }
      index += source.is_control() ? 0 : 1;
    }
  }
  return Status();
}

/// An output in the input map must exist in the GraphDef, even if no node reads it.
Status GraphImport::check_mapped() const {
  std::vector<std::string> missing;
  for (const MappedInput& input : options_.input_map) {
    if (used_.count(&input) != 0) continue;
    const auto found = by_name_.find(input.source);
    if (found != by_name_.end() && input.output < nodes_[found->second].node->num_outputs()) continue;
    missing.push_back(input.output == kControl ? str_cat("^", input.source) : key_of(input.source, input.output));
  }
  if (missing.empty()) return Status();
  return invalid_argument("Attempted to map inputs that were not found in graph_def: [",
                          str_join(missing, ", ", [](const std::string& text) { return text; }), "]");
}

Status GraphImport::add_all(const Status& not_prepared) {
  Graph::Addition addition(graph_);
  addition.lower_ops_of(options_.ops_of);
  TINYTF_RETURN_IF_ERROR(addition.add_functions(library_));
  for (size_t i = 0; i < prepared_; ++i) TINYTF_RETURN_IF_ERROR(add(nodes_[order_[i]], addition));
  TINYTF_RETURN_IF_ERROR(not_prepared);
  if (order_.size() < nodes_.size()) return invalid_argument(nodes_.size() - order_.size(), " nodes in a cycle");
  TINYTF_RETURN_IF_ERROR(close_loops());
  TINYTF_RETURN_IF_ERROR(check_mapped());
  for (const Pending& node : nodes_) graph_.mark_as_used(node.name);
  addition.keep();
  return Status();
}

Result<std::vector<ImportedNode>> GraphImport::run() {
  for (const MappedInput& input : options_.input_map) mapped_[key_of(input.source, input.output)] = &input;
  TINYTF_ASSIGN_OR_RETURN(library_, FunctionLibrary::read(library_bytes_));
  TINYTF_RETURN_IF_ERROR(index_nodes());
  find_names();
  for (Pending& node : nodes_) TINYTF_RETURN_IF_ERROR(find_sources(node));
  find_order();
  Status not_prepared;  // Reported only if adding the nodes before it succeeds.
  while (prepared_ < order_.size() && not_prepared.ok()) {
    not_prepared = prepare(nodes_[order_[prepared_]]);
    if (not_prepared.ok()) ++prepared_;
  }
  rename_frames();
  TINYTF_RETURN_IF_ERROR(find_unknown_outputs());
  TINYTF_RETURN_IF_ERROR(add_all(not_prepared));
  std::vector<ImportedNode> imported;
  imported.reserve(nodes_.size());
  for (const int i : order_) {
    const Pending& node = nodes_[i];
    imported.push_back({node.node, node.def->name, node.def->device, node.is_colocated});
  }
  return imported;
}

}  // namespace

Result<std::vector<ImportedNode>> import_graph_def(Graph& graph, const GraphDefView& graph_def,
                                                   const ImportOptions& options) {
  return GraphImport(graph, graph_def, options).run();
}

}  // namespace tinytf

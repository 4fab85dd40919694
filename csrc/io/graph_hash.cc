#include "io/graph_hash.h"

#include <cstring>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "io/fixed_int.h"
#include "io/wire.h"

namespace tinytf {

namespace {

// Fields of messages.
constexpr uint32_t kGraphNode = 1, kGraphLibrary = 2, kLibraryFunction = 1;
constexpr uint32_t kNodeName = 1, kNodeOp = 2, kNodeInput = 3, kNodeDevice = 4, kNodeAttr = 5;
constexpr uint32_t kEntryKey = 1, kEntryValue = 2;
constexpr uint32_t kAttrFunc = 10, kFuncName = 1;
constexpr uint32_t kSignature = 1, kFunctionNode = 3, kFunctionRet = 4, kFunctionAttr = 5, kControlRet = 6,
                   kArgAttr = 7;
constexpr uint32_t kOpName = 1, kOpInput = 2, kOpOutput = 3, kOpAttr = 4, kOpSummary = 5, kOpDescription = 6;
constexpr uint32_t kOpControlOutput = 20;
constexpr uint32_t kArgName = 1, kArgDescription = 2, kAttrDefName = 1;

constexpr int kMostNested = 100;  // Functions that call each other.

uint64_t combined(uint64_t a, uint64_t b) { return a ^ (b + 0x9e3779b97f4a7800u + (a << 10) + (a >> 4)); }

Status damaged() { return invalid_argument("The graph is damaged"); }

struct HashedNode {
  std::string_view op, device;
  std::vector<std::string_view> inputs;
  std::vector<std::pair<std::string_view, std::string_view>> attrs;
};
using HashedNodes = std::unordered_map<std::string_view, HashedNode>;

/// Sets key and value of a map's entry.
Status read_entry(std::string_view bytes, std::string_view& key, std::string_view& value) {
  WireReader fields(bytes);
  while (fields.next()) {
    if (fields.is(kEntryKey, WireType::kBytes)) key = fields.bytes();
    if (fields.is(kEntryValue, WireType::kBytes)) value = fields.bytes();
  }
  return fields.ok() ? Status() : damaged();
}

Status read_node(std::string_view bytes, HashedNodes& nodes) {
  HashedNode node;
  std::string_view name;
  WireReader fields(bytes);
  while (fields.next()) {
    if (fields.is(kNodeName, WireType::kBytes)) name = fields.bytes();
    if (fields.is(kNodeOp, WireType::kBytes)) node.op = fields.bytes();
    if (fields.is(kNodeDevice, WireType::kBytes)) node.device = fields.bytes();
    if (fields.is(kNodeInput, WireType::kBytes)) node.inputs.push_back(fields.bytes());
    if (!fields.is(kNodeAttr, WireType::kBytes)) continue;
    std::string_view key, value;
    TINYTF_RETURN_IF_ERROR(read_entry(fields.bytes(), key, value));
    node.attrs.emplace_back(key, value);
  }
  if (!fields.ok()) return damaged();
  nodes[name] = std::move(node);
  return Status();
}

/// The text before and after the first colon.
std::pair<std::string_view, std::string_view> split_at_colon(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return {text, {}};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

/// Without the name and the description of the argument.
void write_anonymous_argument(WireWriter& to, uint32_t field, std::string_view bytes, std::string& out) {
  to.nested(field, [&] {
    WireReader fields(bytes);
    while (fields.next()) {
      if (fields.field() != kArgName && fields.field() != kArgDescription) out += fields.whole();
    }
  });
}

/// Of the signature of a function, without names and texts.
Result<uint64_t> signature_hash(std::string_view bytes) {
  std::string rest;
  WireWriter to(&rest);
  std::set<std::string_view> control_outputs;
  std::set<std::pair<std::string_view, std::string_view>> attrs;
  WireReader fields(bytes);
  while (fields.next()) {
    switch (fields.field()) {
      case kOpInput:
      case kOpOutput: write_anonymous_argument(to, fields.field(), fields.bytes(), rest); break;
      case kOpControlOutput: control_outputs.insert(fields.bytes()); break;
      case kOpAttr: attrs.emplace(fields.bytes(), fields.bytes()); break;
      case kOpName:
      case kOpSummary:
      case kOpDescription: break;
      default: rest += fields.whole();
    }
  }
  if (!fields.ok()) return damaged();
  uint64_t hash = 0xDECAFCAFFE;
  // Functions of datasets have no attrs that calls could set. Others are hashed in a way of their own.
  for (const auto& [name, attr] : attrs) hash = combined(murmur_hash(attr, hash), hash);
  for (const std::string_view output : control_outputs) hash = combined(hash, murmur_hash(output));
  return murmur_hash(rest, hash);
}

class FunctionHashes;

/// Hashes the nodes of one graph, or of the body of one function.
class NodeHashes {
 public:
  NodeHashes(FunctionHashes& functions, const HashedNodes& nodes) : functions_(functions), nodes_(nodes) {}

  /// The hash of a node, and of all that it depends on. Chains of nodes may be long, so this does not recurse.
  Result<uint64_t> hash(std::string_view name);

 private:
  struct Visit {
    std::string_view name;
    const HashedNode* node;
    size_t next = 0;  // The number of inputs that are in the hashes.
    uint64_t inputs = 0, control_inputs = 0;
  };

  Status enter(std::string_view name);
  Status leave();
  /// Whether the hash of the input is known; then it is added.
  bool add_input(Visit& visit, std::string_view input);

  FunctionHashes& functions_;
  const HashedNodes& nodes_;
  std::vector<Visit> path_;
  std::unordered_set<std::string_view> on_path_;
  std::unordered_map<std::string_view, uint64_t> done_;
};

/// Hashes the functions of a library, and attrs, which may name functions.
class FunctionHashes {
 public:
  Status add_library(std::string_view bytes);
  /// Of an attr with its name; 0 for a function that the library lacks.
  Result<uint64_t> attr_hash(std::string_view key, std::string_view value);

 private:
  struct Body {
    std::string_view signature;
    HashedNodes nodes;
    std::vector<std::pair<std::string_view, std::string_view>> attrs, rets, control_rets;
  };

  static Result<Body> read_body(std::string_view bytes);
  static Status add_argument_nodes(Body& body);
  Result<uint64_t> function_hash(std::string_view name);
  Result<uint64_t> body_hash(const Body& body, uint64_t signature);
  static Result<uint64_t> rets_hash(NodeHashes& nodes,
                                    const std::vector<std::pair<std::string_view, std::string_view>>& rets);

  std::unordered_map<std::string_view, std::string_view> functions_;
  std::unordered_set<std::string_view> on_path_;
  std::unordered_map<std::string_view, uint64_t> done_;
};

Result<uint64_t> NodeHashes::hash(std::string_view name) {
  if (const auto done = done_.find(name); done != done_.end()) return done->second;
  TINYTF_RETURN_IF_ERROR(enter(name));
  while (!path_.empty()) {
    Visit& visit = path_.back();
    if (visit.next == visit.node->inputs.size()) {
      TINYTF_RETURN_IF_ERROR(leave());
      continue;
    }
    std::string_view input = visit.node->inputs[visit.next];
    if (input.empty()) return damaged();
    if (add_input(visit, input)) {
      ++visit.next;
    } else {
      TINYTF_RETURN_IF_ERROR(enter(input[0] == '^' ? input.substr(1) : split_at_colon(input).first));
    }
  }
  return done_[name];
}

bool NodeHashes::add_input(Visit& visit, std::string_view input) {
  const bool is_control = input[0] == '^';
  const auto [name, port] = is_control ? std::make_pair(input.substr(1), std::string_view()) : split_at_colon(input);
  const auto done = done_.find(name);
  if (done == done_.end()) return false;
  if (is_control) {
    visit.control_inputs += done->second;
  } else {
    visit.inputs = combined(visit.inputs, combined(done->second, murmur_hash(port)));
  }
  return true;
}

Status NodeHashes::enter(std::string_view name) {
  const auto node = nodes_.find(name);
  if (node == nodes_.end()) return invalid_argument("The graph has no node ", name);
  if (on_path_.insert(name).second) {
    path_.push_back({node->first, &node->second});
  } else {  // In a loop, until the node is left.
    done_[node->first] = combined(murmur_hash("DependencyLoopNode"), murmur_hash(node->second.op));
  }
  return Status();
}

Status NodeHashes::leave() {
  const Visit visit = path_.back();
  uint64_t attrs = 0;
  for (const auto& [key, value] : visit.node->attrs) {
    TINYTF_ASSIGN_OR_RETURN(const uint64_t attr, functions_.attr_hash(key, value));
    attrs += attr;
  }
  done_[visit.name] = combined(combined(attrs, murmur_hash(visit.node->op)),
                               combined(murmur_hash(visit.node->device), combined(visit.inputs, visit.control_inputs)));
  on_path_.erase(visit.name);
  path_.pop_back();
  return Status();
}

Status FunctionHashes::add_library(std::string_view bytes) {
  WireReader fields(bytes);
  while (fields.next()) {
    if (!fields.is(kLibraryFunction, WireType::kBytes)) continue;
    std::string_view name;
    WireReader function(fields.bytes());
    while (function.next()) {
      if (!function.is(kSignature, WireType::kBytes)) continue;
      WireReader signature(function.bytes());
      while (signature.next()) {
        if (signature.is(kOpName, WireType::kBytes)) name = signature.bytes();
      }
    }
    if (!function.ok()) return damaged();
    functions_.emplace(name, fields.bytes());
  }
  return fields.ok() ? Status() : damaged();
}

Result<uint64_t> FunctionHashes::attr_hash(std::string_view key, std::string_view value) {
  bool is_function = false;
  std::string_view name;
  WireReader fields(value);
  while (fields.next()) {
    if (!fields.is(kAttrFunc, WireType::kBytes)) continue;
    is_function = true;
    WireReader function(fields.bytes());
    while (function.next()) {
      if (function.is(kFuncName, WireType::kBytes)) name = function.bytes();
    }
  }
  if (!fields.ok()) return damaged();
  uint64_t hash = 0;
  if (!is_function) {
    hash = murmur_hash(value);
  } else if (functions_.count(name) == 1) {
    TINYTF_ASSIGN_OR_RETURN(hash, function_hash(name));
  } else {
    return uint64_t{0};
  }
  return murmur_hash(str_cat(key, "=", hash));
}

Result<uint64_t> FunctionHashes::function_hash(std::string_view name) {
  if (const auto done = done_.find(name); done != done_.end()) return done->second;
  const auto found = functions_.find(name);
  TINYTF_ASSIGN_OR_RETURN(const Body body, read_body(found->second));
  TINYTF_ASSIGN_OR_RETURN(const uint64_t signature, signature_hash(body.signature));
  if (on_path_.size() > kMostNested) return invalid_argument("The functions of the graph call each other too deeply");
  if (!on_path_.insert(found->first).second) {
    return done_[found->first] = combined(murmur_hash("DependencyLoopFn"), signature);
  }
  TINYTF_ASSIGN_OR_RETURN(const uint64_t hash, body_hash(body, signature));
  on_path_.erase(found->first);
  return done_[found->first] = hash;
}

Result<uint64_t> FunctionHashes::body_hash(const Body& body, uint64_t signature) {
  uint64_t attrs = 0;
  for (const auto& [key, value] : body.attrs) {
    TINYTF_ASSIGN_OR_RETURN(const uint64_t attr, attr_hash(key, value));
    attrs += attr;
  }
  NodeHashes nodes(*this, body.nodes);
  TINYTF_ASSIGN_OR_RETURN(const uint64_t rets, rets_hash(nodes, body.rets));
  TINYTF_ASSIGN_OR_RETURN(const uint64_t control_rets, rets_hash(nodes, body.control_rets));
  return combined(combined(signature, attrs), combined(rets, control_rets));
}

Result<uint64_t> FunctionHashes::rets_hash(NodeHashes& nodes,
                                           const std::vector<std::pair<std::string_view, std::string_view>>& rets) {
  uint64_t hash = rets.size();
  for (const auto& [key, value] : rets) {
    const auto [name, port] = split_at_colon(value);
    TINYTF_ASSIGN_OR_RETURN(const uint64_t node, nodes.hash(name));
    hash += combined(murmur_hash(key), combined(node, murmur_hash(port)));
  }
  return hash;
}

Result<FunctionHashes::Body> FunctionHashes::read_body(std::string_view bytes) {
  Body body;
  WireReader fields(bytes);
  while (fields.next()) {
    if (fields.is(kSignature, WireType::kBytes)) body.signature = fields.bytes();
    if (fields.is(kFunctionNode, WireType::kBytes)) TINYTF_RETURN_IF_ERROR(read_node(fields.bytes(), body.nodes));
    for (auto [field, to] :
         {std::pair(kFunctionAttr, &body.attrs), {kFunctionRet, &body.rets}, {kControlRet, &body.control_rets}}) {
      if (!fields.is(field, WireType::kBytes)) continue;
      to->emplace_back();
      TINYTF_RETURN_IF_ERROR(read_entry(fields.bytes(), to->back().first, to->back().second));
    }
  }
  if (!fields.ok()) return damaged();
  TINYTF_RETURN_IF_ERROR(add_argument_nodes(body));
  return body;
}

/// An argument counts as a node without inputs, as in TensorFlow of op _Retval.
Status FunctionHashes::add_argument_nodes(Body& body) {
  WireReader fields(body.signature);
  while (fields.next()) {
    if (!fields.is(kOpInput, WireType::kBytes)) continue;
    HashedNode node;
    node.op = "_Retval";
    std::string_view name;
    WireReader argument(fields.bytes());
    while (argument.next()) {
      if (argument.is(kArgName, WireType::kBytes)) name = argument.bytes();
    }
    body.nodes[name] = std::move(node);
  }
  return fields.ok() ? Status() : damaged();
}

}  // namespace

uint64_t murmur_hash(std::string_view bytes, uint64_t seed) {
  constexpr uint64_t kFactor = 0xc6a4a7935bd1e995;
  constexpr int kShift = 47;
  uint64_t hash = seed ^ (bytes.size() * kFactor);
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    uint64_t word = read_fixed<uint64_t>(bytes.data()) * kFactor;
    word ^= word >> kShift;
    hash = (hash ^ (word * kFactor)) * kFactor;
  }
  if (!bytes.empty()) {
    for (size_t i = 0; i < bytes.size(); ++i) hash ^= uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    hash *= kFactor;
  }
  hash = (hash ^ (hash >> kShift)) * kFactor;
  return hash ^ (hash >> kShift);
}

Result<uint64_t> graph_hash(std::string_view graph_def) {
  HashedNodes nodes;
  FunctionHashes functions;
  WireReader fields(graph_def);
  while (fields.next()) {
    if (fields.is(kGraphNode, WireType::kBytes)) TINYTF_RETURN_IF_ERROR(read_node(fields.bytes(), nodes));
    if (fields.is(kGraphLibrary, WireType::kBytes)) TINYTF_RETURN_IF_ERROR(functions.add_library(fields.bytes()));
  }
  if (!fields.ok()) return damaged();
  for (const auto& [name, node] : nodes) {
    if (node.op == "_Retval") return NodeHashes(functions, nodes).hash(name);
  }
  return invalid_argument("Cannot find sink node for dataset graph.");
}

}  // namespace tinytf

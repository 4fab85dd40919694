#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "graph/passes/frames.h"
#include "graph/passes/made_node.h"
#include "graph/passes/value_origins.h"

namespace tinytf {

namespace {

using Input = SubgraphNode::Input;

/// Whether a node reads the value of the reference that is its input `k`.
bool is_read_by(const Subgraph& subgraph, const SubgraphNode& node, size_t k) {
  return subgraph.is_ref(node.inputs[k]) && !takes_reference(*node.info, k);
}

/// Whether a node only reads a variable or another resource.
bool only_reads(const Subgraph& subgraph, const SubgraphNode& node) {
  if (!node.runs() || node.values || !node.feeds.empty() || node.inputs.size() != 1) return false;
  if (node.info->outputs.size() != 1 || node.info->op->control_flow != ControlFlow::kNone) return false;
  if (node.info->op->has(Trait::kPassesValue)) return subgraph.is_ref(node.inputs[0]);
  return node.info->op->has(Trait::kReadsResource) && node.info->inputs[0].dtype == DType::kResource;
}

/// Whether a fetch is a reference that branches or loops have passed on, and thus may be dead.
bool is_passed_reference(const Subgraph& subgraph, Input fetch) {
  while (subgraph.is_ref(fetch)) {
    const SubgraphNode& source = subgraph.nodes[fetch.node];
    if (source.runs() && source.control_flow() != ControlFlow::kNone) return true;
    if (source.inputs.empty()) return false;
    fetch = source.inputs[0];
  }
  return false;
}

/// Whether there are reference variables of type bool. Reading one yields its memory, not a copy.
bool has_flags(const Subgraph& subgraph) {
  const auto is_flag = [](const ArgType& type) { return type.is_ref && type.dtype == DType::kBool; };
  return std::any_of(subgraph.nodes.begin(), subgraph.nodes.end(), [&](const SubgraphNode& node) {
    return node.runs() && std::any_of(node.info->outputs.begin(), node.info->outputs.end(), is_flag);
  });
}

/// Whether control flow depends on the time at which a variable is read.
bool has_reads(const Subgraph& subgraph) {
  const auto is_passed = [&](const Input& fetch) { return is_passed_reference(subgraph, fetch); };
  if (std::any_of(subgraph.fetches.begin(), subgraph.fetches.end(), is_passed)) return true;
  return std::any_of(subgraph.nodes.begin(), subgraph.nodes.end(), [&](const SubgraphNode& node) {
    if (!node.runs() || node.control_flow() == ControlFlow::kNone) return false;
    for (size_t k = 0; k < node.inputs.size(); ++k) {
      if (is_read_by(subgraph, node, k)) return true;
    }
    if (node.control_flow() != ControlFlow::kSwitch) return false;
    const Input predicate = behind_identities(subgraph, node.inputs[1]);
    const SubgraphNode& source = subgraph.nodes[predicate.node];
    return !source.fed(predicate.output) && only_reads(subgraph, source);
  });
}

/// Rebuilds the subgraph in order, with reads of variables inserted.
class VariableReads {
 public:
  explicit VariableReads(Subgraph& subgraph)
      : subgraph_(subgraph), places_(subgraph.nodes.size()), may_be_written_(has_flags(subgraph)) {}

  void run() {
    made_.nodes.reserve(subgraph_.nodes.size());
    for (size_t i = 0; i < subgraph_.nodes.size(); ++i) {
      SubgraphNode node = std::move(subgraph_.nodes[i]);
      for (Input& input : node.inputs) input.node = places_[input.node];
      for (int& control : node.control_inputs) control = places_[control];
      if (node.runs() && node.control_flow() != ControlFlow::kNone) read_inputs(node);
      if (node.runs() && node.control_flow() == ControlFlow::kSwitch) node.inputs[1] = agreed(node.inputs[1]);
      places_[i] = static_cast<int>(made_.nodes.size());
      made_.nodes.push_back(std::move(node));
    }
    for (const BackEdge& edge : subgraph_.back_edges) {
      made_.back_edges.push_back({places_[edge.merge], edge.position, {places_[edge.from.node], edge.from.output}});
    }
    for (const Input& fetch : subgraph_.fetches) {
      Input placed{places_[fetch.node], fetch.output};
      if (is_passed_reference(made_, placed)) {
        const SubgraphNode& source = made_.nodes[placed.node];
        made_.nodes.push_back(made_identity(source, source.info->outputs[placed.output], placed, {}, false));
        placed = {static_cast<int>(made_.nodes.size()) - 1, 0};
      }
      made_.fetches.push_back(placed);
    }
    for (const int target : subgraph_.targets) made_.targets.push_back(target < 0 ? target : places_[target]);
    subgraph_ = std::move(made_);
  }

 private:
  /// Reference, reading op and control inputs. Reads with equal keys can be merged.
  using Key = std::tuple<int, int, const OpDef*, std::vector<int>>;

  static Key key_of(const SubgraphNode& read) {
    std::vector<int> controls = read.control_inputs;
    std::sort(controls.begin(), controls.end());
    controls.erase(std::unique(controls.begin(), controls.end()), controls.end());
    return {read.inputs[0].node, read.inputs[0].output, read.info->op, std::move(controls)};
  }

  /// Inserts reads of references after the node's other inputs and control inputs.
  void read_inputs(SubgraphNode& node) {
    const std::vector<Input> inputs = node.inputs;
    for (size_t k = 0; k < inputs.size(); ++k) {
      if (!is_read_by(made_, node, k)) continue;
      std::vector<int> controls = node.control_inputs;
      if (node.control_flow() != ControlFlow::kMerge) {
        for (const Input& other : inputs) {
          if (other.node != inputs[k].node) controls.push_back(other.node);
        }
      }
      const ArgType type = made_.nodes[inputs[k].node].info->outputs[inputs[k].output];
      SubgraphNode read = made_identity(node, type, inputs[k], std::move(controls), /*keeps_reference=*/false);
      const auto [known, is_new] = reads_.try_emplace(key_of(read), static_cast<int>(made_.nodes.size()));
      if (is_new) made_.nodes.push_back(std::move(read));
      node.inputs[k] = {known->second, 0};
    }
  }

  /// The first of the reads that can be merged with this predicate, or a copy of it if a branch may write to the memory
  /// that was read before the other branch tests it.
  Input agreed(const Input& predicate) {
    Input behind = behind_identities(made_, predicate);
    const SubgraphNode& source = made_.nodes[behind.node];
    if (!source.fed(behind.output) && only_reads(made_, source)) {
      behind = {reads_.try_emplace(key_of(source), behind.node).first->second, 0};
    }
    if (!may_be_written_ || source.control_flow() == ControlFlow::kLoopCond) return behind;
    const auto [known, is_new] =
        copies_.try_emplace({behind.node, behind.output}, static_cast<int>(made_.nodes.size()));
    if (is_new) {
      const ArgType type{DType::kBool};
      SubgraphNode copy = made_node(made_.nodes[behind.node], "LogicalAnd", {type, type}, {type}, {});
      copy.inputs = {behind, behind};
      made_.nodes.push_back(std::move(copy));
    }
    return {known->second, 0};
  }

  Subgraph& subgraph_;
  Subgraph made_;
  std::vector<int> places_;                    // By old index: the index in `made_`.
  std::map<Key, int> reads_;                   // The first read with each key, in `made_`.
  std::map<std::pair<int, int>, int> copies_;  // Copies of predicates, in `made_`.
  const bool may_be_written_;                  // Predicates may share memory with variables.
};

}  // namespace

void read_variables_once(Subgraph& subgraph) {
  if (has_control_flow(subgraph) && (has_flags(subgraph) || has_reads(subgraph))) VariableReads(subgraph).run();
}

}  // namespace tinytf

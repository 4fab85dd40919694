#pragma once

#include <string_view>
#include <vector>

#include "data/dataset.h"
#include "op/kernel.h"

namespace tinytf::data {

/// Where a dataset may be rewritten: in the graph or function that has its node. Valid during the call.
class RewriteSite {
 public:
  /// `constants`: bit i is set if input i of the dataset's node is a constant. `maker`: the runner of the function that
  /// has the node; 0 if the whole pipeline counts as one graph.
  RewriteSite(const KernelServices& step, const DatasetRewrites& rewrites, uint64_t constants, uint64_t maker)
      : step_(step), rewrites_(rewrites), constants_(constants), maker_(maker) {}

  const DatasetRewrites& rewrites() const { return rewrites_; }
  bool is_constant(int input) const { return input < 64 && (constants_ >> input & 1) != 0; }
  /// Whether the input was made in the same graph, by a node of this op.
  bool joins(const Dataset& input, std::string_view op) const {
    return input.origin().node->op->name == op && (maker_ == 0 || input.origin().maker == maker_);
  }

  const KernelServices& step() const { return step_; }

 private:
  const KernelServices& step_;
  const DatasetRewrites rewrites_;
  const uint64_t constants_, maker_;
};

/// The functions that attrs of a node name, in their order. Valid as long as the node.
std::vector<const FuncRef*> functions_named_by(const NodeInfo& node);

/// Makes a dataset of an origin, by the kernel of its node. In reports it stands for the node of `replaced`.
Result<RefPtr<const Dataset>> make_dataset(const KernelServices& step, const DatasetOrigin& origin,
                                           const Dataset& replaced);
/// The same for a node of that op with these attrs, inputs and functions. Fails as its kernel does.
Result<RefPtr<const Dataset>> make_dataset(const KernelServices& step, std::string_view op, AttrMap attrs,
                                           std::vector<Tensor> inputs, const Dataset& replaced,
                                           std::vector<RefPtr<FunctionSource>> functions = {});

}  // namespace tinytf::data

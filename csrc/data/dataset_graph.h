#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/dataset.h"

namespace tinytf::data {

/// What stateful ops the functions of a written dataset may have.
struct AllowedOps {
  std::vector<std::string> names = {};
  bool all = false;
};

/// Returns a serialized GraphDef whose node `dataset` yields an equal dataset. Unimplemented for datasets that have no
/// such form, FailedPrecondition if a function has a stateful op that is not allowed.
Result<std::string> write_dataset(const Dataset& dataset, AllowedOps allowed);
/// Returns a tensor with the dataset that such a graph yields. FailedPrecondition outside a step; else fails with the
/// error of the import or of a node.
Result<Tensor> read_dataset(std::string_view graph, const KernelServices& step);

}  // namespace tinytf::data

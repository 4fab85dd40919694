#pragma once

// Kernels of eager operations, without Python.

#include <string>
#include <utility>
#include <vector>

#include "op/op_registry.h"
#include "runtime/eager/eager_kernel.h"

namespace tinytf {
namespace testing {

/// A kernel of the op for inputs of these types; inputs must not be lists.
inline Result<RefPtr<EagerKernel>> eager_kernel(const std::string& op, const std::vector<DType>& inputs,
                                                std::vector<AttrMap::Item> attrs = {}) {
  NodeInfo node;
  node.name = op;
  node.op = OpRegistry::global().find(op);
  TINYTF_CHECK(node.op != nullptr);
  for (DType dtype : inputs) node.inputs.push_back({dtype, false});
  for (AttrMap::Item& attr : attrs) node.attrs.set(attr.first, std::move(attr.second));
  return EagerKernel::make(std::move(node), {});
}

}  // namespace testing
}  // namespace tinytf

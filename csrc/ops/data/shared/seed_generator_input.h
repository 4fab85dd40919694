#pragma once

#include "op/kernel.h"
#include "ops/data/shared/random_words.h"

namespace tinytf::ops {

/// The seed generator behind input i. InvalidArgument if it is no handle of one.
inline Result<RefPtr<SeedGenerator>> seed_generator_input(const KernelContext& ctx, int i) {
  const Tensor& handles = ctx.input(i);
  if (handles.rank() != 0) return invalid_argument("seed_generator must be a scalar");
  const ResourceHandle& handle = *handles.data<ResourceHandle>();
  if (handle.resource && handle.type_name == SeedGenerator::kTypeName) {
    return RefPtr<SeedGenerator>::share(static_cast<SeedGenerator*>(handle.resource.get()));
  }
  return invalid_argument("Trying to access resource using the wrong type. Expected ", SeedGenerator::kTypeName,
                          " got ", handle.type_name);
}

}  // namespace tinytf::ops

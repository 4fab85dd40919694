#pragma once

#include <atomic>
#include <string>
#include <utility>

#include "op/kernel.h"
#include "ops/data/shared/deleter.h"
#include "services/resource_manager.h"
#include "tensor/resource_handle.h"

namespace tinytf::ops {

/// The resource of class R whose handle is input i. InvalidArgument if it is none.
template <class R>
Result<RefPtr<R>> resource_input(const KernelContext& ctx, int i) {
  const Tensor& handles = ctx.input(i);
  if (handles.rank() != 0) return invalid_argument("resource_handle must be a scalar");
  const ResourceHandle& handle = *handles.data<ResourceHandle>();
  if (handle.resource && handle.type_name == R::kTypeName) {
    return RefPtr<R>::share(static_cast<R*>(handle.resource.get()));
  }
  return invalid_argument("Trying to access resource using the wrong type. Expected ", R::kTypeName, " got ",
                          handle.type_name);
}

/// Outputs the handle of a new resource, which it owns, and a token that stands for the deletion in TensorFlow.
inline Status set_anonymous_outputs(KernelContext& ctx, const char* name, const char* type, RefPtr<Resource> resource) {
  static std::atomic<int64_t> next{0};
  TINYTF_ASSIGN_OR_RETURN(Tensor * handle, ctx.allocate_output(0, Shape()));
  *handle->data<ResourceHandle>() = {ResourceManager::kDefaultContainer,
                                     str_cat(name, next.fetch_add(1, std::memory_order_relaxed)), type,
                                     std::move(resource)};
  TINYTF_ASSIGN_OR_RETURN(Tensor * deleter, ctx.allocate_output(1, Shape()));
  deleter->data<Variant>()->value = make_ref<Deleter>();
  return Status();
}

}  // namespace tinytf::ops

#pragma once

#include "op/op_def.h"
#include "ops/state/shared/resource_name.h"

namespace tinytf::ops {

/// The attrs that nodes of one staging area share: its name, which defaults to the name of the node, and its limits.
/// The first node that uses the area creates it as Area(name, capacity, memory limit).
class StagingArgs {
 public:
  explicit StagingArgs(KernelInit& init)
      : where_(init), capacity_(init.attr<int64_t>("capacity")), memory_limit_(init.attr<int64_t>("memory_limit")) {}

  /// Finds or creates the area. `type` is the type name of the area in the session.
  template <class Area>
  Result<RefPtr<Area>> area(const KernelContext& ctx, const char* type) const {
    const auto make = [this]() -> Result<RefPtr<Resource>> {
      return RefPtr<Resource>(make_ref<Area>(where_.name, capacity_, memory_limit_));
    };
    TINYTF_ASSIGN_OR_RETURN(RefPtr<Resource> found,
                            ctx.step().resources->find_or_create(where_.container, type, where_.name, make));
    return RefPtr<Area>::share(static_cast<Area*>(found.get()));
  }

 private:
  const ResourceName where_;
  const int64_t capacity_;
  const int64_t memory_limit_;
};

/// Declares everything except the inputs and outputs, which must be declared before.
inline OpDefBuilder declare_staging(OpDefBuilder op, std::initializer_list<const char*> dtypes) {
  op.attr("capacity: int >= 0 = 0").attr("memory_limit: int >= 0 = 0");
  for (const char* attr : dtypes) op.attr(attr);
  return op.attr("container: string = ''").attr("shared_name: string = ''").stateful().no_gradient();
}

}  // namespace tinytf::ops

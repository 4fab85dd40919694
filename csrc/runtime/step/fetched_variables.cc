#include "runtime/step/fetched_variables.h"

#include <mutex>
#include <utility>

namespace tinytf {

Status read_fetched_variable(Slot& slot, Allocator& allocator) {
  RefVariable* const variable = std::exchange(slot.ref, nullptr);
  if (variable == nullptr) return Status();
  std::lock_guard lock(variable->mutex);
  TINYTF_ASSIGN_OR_RETURN(slot.tensor, variable->tensor.clone(allocator));
  return Status();
}

Status read_fetched_variables(const Program& program, std::vector<Slot>& slots, Allocator& allocator) {
  for (const Deref& snapshot : program.snapshots) {
    TINYTF_RETURN_IF_ERROR(read_fetched_variable(slots[snapshot.to], allocator));
  }
  return Status();
}

}  // namespace tinytf

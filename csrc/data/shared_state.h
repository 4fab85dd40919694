#pragma once

#include "base/function_ref.h"
#include "data/iterator_state.h"

namespace tinytf::data {

/// State that the iterators at one place of a pipeline share, and that outlives each of them. It is a part of the
/// pipeline's position. Thread-safe.
class SharedState : public RefCounted {
 public:
  virtual Status save(StateWriter& state) const = 0;
  /// Sets the state to a saved one, which may be hostile. Called before and after the iterators of a pipeline are
  /// restored, because they find the state when they are made, and may change it then.
  virtual Status restore(const StateReader& state) = 0;
};

/// Makes the state; `saved` is null, or what was saved at this place, for this call only. Called with a lock: it takes
/// no other but the state's own, and runs no function.
using MakeSharedState = FunctionRef<Result<RefPtr<SharedState>>(const IteratorState* saved)>;

}  // namespace tinytf::data

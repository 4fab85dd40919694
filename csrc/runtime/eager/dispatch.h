#pragma once

#include <string>

#include "base/inlined_vector.h"
#include "runtime/eager/eager_context.h"
#include "runtime/eager/eager_host.h"

namespace tinytf {

/// An operation as it is called. Outlives the dispatch, and so do the owners of the inputs.
struct EagerOperation {
  EagerKernel& kernel;
  TensorHandle* const* inputs;
  const std::string& name;  ///< what the program calls it, for errors; '' if nothing
  int device = 0;           ///< that it is to run on, or the number of one that no session has
};

/// Handles for what an operation yields, the caller's to own; null where there was no memory for one.
using EagerOutputs = InlinedVector<TensorHandle*, 4>;

/// Runs an operation in a session whose core the caller is inside: on the calling thread, without the host's lock if it
/// takes long, or in asynchronous sessions later on the session's. On success `outputs`, which is empty, has the
/// handles. InvalidArgument for devices that do not fit, a FreedValue, or the error of the operation, which has its
/// name then.
Status dispatch(SessionCore& core, EagerContext& context, const EagerOperation& operation, EagerHost& host,
                EagerOutputs& outputs);

/// Bytes of outputs that are there.
int64_t bytes_of(const EagerOutputs& outputs);

}  // namespace tinytf

#pragma once

#include <string>

#include "io/early_checkpoint_reader.h"
#include "op/kernel.h"

namespace tinytf::ops {

/// Sets output i to the tensor `name` in checkpoints of Save, or to the slice of it that `text` names if it is not
/// empty.
Status restore_early_tensor(KernelContext& ctx, int i, EarlyCheckpointReader& reader, const std::string& name,
                            const std::string& text);

}  // namespace tinytf::ops

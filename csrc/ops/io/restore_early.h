#pragma once

#include <string>

#include "io/early_checkpoint_reader.h"
#include "op/kernel.h"

namespace tinytf::ops {

/// Output i: the tensor of that name in checkpoints of Save, or the part of it that `text` names, if it names one.
Status restore_early_tensor(KernelContext& ctx, int i, EarlyCheckpointReader& reader, const std::string& name,
                            const std::string& text);

}  // namespace tinytf::ops

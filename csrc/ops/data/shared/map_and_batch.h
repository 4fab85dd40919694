#pragma once

namespace tinytf::ops {

/// The attr of a MapAndBatchDataset node that stands for a MapDataset and a BatchDataset: its function is called when a
/// batch is wanted, not ahead of it.
inline constexpr const char* kWaits = "_waits";

}  // namespace tinytf::ops

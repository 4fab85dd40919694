#pragma once

namespace tinytf {

/// TensorFlow's rewrites of pipelines that change what a program sees: orders of elements, elements after an error,
/// or error messages.
struct DatasetRewrites {
  bool drops_noops = false;               ///< stages without effect are left out
  bool fuses_shuffle_and_repeat = false;  ///< a repeat directly behind a shuffle becomes one stage with it
  bool fuses_map_and_batch = false;       ///< so does a batch directly behind a map

  bool any() const { return drops_noops || fuses_shuffle_and_repeat || fuses_map_and_batch; }
  DatasetRewrites with(const DatasetRewrites& others) const {
    return {drops_noops || others.drops_noops, fuses_shuffle_and_repeat || others.fuses_shuffle_and_repeat,
            fuses_map_and_batch || others.fuses_map_and_batch};
  }
};

}  // namespace tinytf

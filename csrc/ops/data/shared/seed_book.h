#pragma once

#include <map>
#include <mutex>
#include <utility>

#include "ops/data/shared/dataset_kernel.h"
#include "ops/data/shared/random_words.h"

namespace tinytf::ops {

/// The seed generators of one pipeline, by the place and the levels of the shuffles that share them. Thread-safe.
class SeedBook final : public data::SharedState {
 public:
  static Result<RefPtr<SeedBook>> of(data::PipelineTasks& tasks) {
    const auto make = [](const data::IteratorState* saved) -> Result<RefPtr<data::SharedState>> {
      auto book = make_ref<SeedBook>();
      if (saved != nullptr) TINYTF_RETURN_IF_ERROR(book->restore(StateReader(*saved)));
      return RefPtr<data::SharedState>(std::move(book));
    };
    // No dataset has 0 levels.
    TINYTF_ASSIGN_OR_RETURN(const RefPtr<data::SharedState> state, tasks.shared_state(/*place=*/0, /*levels=*/0, make));
    return RefPtr<SeedBook>::share(static_cast<SeedBook*>(state.get()));
  }

  /// The generator of the shuffles at a place. The first one gives the seeds.
  RefPtr<SeedGenerator> generator(uint64_t place, int levels, Seeds seeds) {
    const std::lock_guard lock(mutex_);
    const Key key{static_cast<int64_t>(place), levels};
    RefPtr<SeedGenerator>& generator = generators_[key];
    if (!generator) {
      generator = make_ref<SeedGenerator>(seeds);
      if (const auto drawn = restored_.find(key); drawn != restored_.end()) generator->set_drawn(drawn->second);
    }
    return generator;
  }

  /// Writes a row [place, levels, words drawn] for each generator, also for those that no iterator uses now.
  Status save(StateWriter& state) const override {
    const std::lock_guard lock(mutex_);
    std::map<Key, int64_t> drawn = restored_;
    for (const auto& [key, generator] : generators_) drawn[key] = generator->drawn();
    TINYTF_ASSIGN_OR_RETURN(Tensor rows, Tensor::allocate(Allocator::process(), DType::kInt64,
                                                          Shape({static_cast<int64_t>(drawn.size()), 3})));
    auto* at = rows.data<int64_t>();
    for (const auto& [key, count] : drawn) {
      *at++ = key.first;
      *at++ = key.second;
      *at++ = count;
    }
    state.put(kRows, std::move(rows));
    return Status();
  }
  /// Sets all generators, those made later too.
  Status restore(const StateReader& state) override {
    TINYTF_ASSIGN_OR_RETURN(const Tensor rows, state.get(kRows));
    if (rows.dtype() != DType::kInt64 || rows.rank() != 2 || rows.dim(1) != 3) {
      return state.damaged(kRows, "has damaged seeds in");
    }
    const std::lock_guard lock(mutex_);
    for (int64_t row = 0; row < rows.dim(0); ++row) {
      const Key key{rows.int_at(row * 3), rows.int_at(row * 3 + 1)};  // elements of the tensor
      restored_[key] = rows.int_at(row * 3 + 2);
      if (const auto made = generators_.find(key); made != generators_.end()) made->second->set_drawn(restored_[key]);
    }
    return Status();
  }

 private:
  using Key = std::pair<int64_t, int64_t>;
  static constexpr const char* kRows = "seeds";

  mutable std::mutex mutex_;  // Guards the members below. Held together with the mutexes of generators.
  std::map<Key, RefPtr<SeedGenerator>> generators_;
  std::map<Key, int64_t> restored_;  // Words drawn by generators that may not be made yet.
};

}  // namespace tinytf::ops

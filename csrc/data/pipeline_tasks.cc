#include "data/pipeline_tasks.h"

#include <limits>
#include <string>

namespace tinytf::data {

namespace {

/// A row [place, levels] for each shared state.
constexpr const char* kPlaces = "places";

std::string name_of(int64_t row) { return str_cat("state_", row); }

}  // namespace

Result<RefPtr<SharedState>> PipelineTasks::shared_state(uint64_t place, int levels, MakeSharedState make) {
  const std::lock_guard lock(mutex_);
  RefPtr<SharedState>& state = states_[{place, levels}];
  if (state) return state;
  const auto saved = saved_.find({place, levels});
  Result<RefPtr<SharedState>> made = make(saved != saved_.end() ? &saved->second : nullptr);
  if (!made.ok()) {
    states_.erase({place, levels});
    return made;
  }
  state = made.value();
  if (saved != saved_.end()) saved_.erase(saved);
  return made;
}

Status PipelineTasks::save_shared(StateWriter& state) const {
  std::map<Key, RefPtr<SharedState>> states;
  std::map<Key, IteratorState> saved;
  {
    const std::lock_guard lock(mutex_);
    states = states_;
    saved = saved_;
  }
  TINYTF_ASSIGN_OR_RETURN(Tensor places,
                          Tensor::allocate(Allocator::process(), DType::kInt64,
                                           Shape({static_cast<int64_t>(states.size() + saved.size()), 2})));
  auto* at = places.data<int64_t>();
  int64_t row = 0;
  const auto begin = [&](const Key& key) {
    *at++ = static_cast<int64_t>(key.first);
    *at++ = key.second;
    return state.inside(name_of(row++));
  };
  for (const auto& [key, shared] : states) {
    StateWriter part = begin(key);
    TINYTF_RETURN_IF_ERROR(shared->save(part));
  }
  for (const auto& [key, values] : saved) {
    StateWriter part = begin(key);
    for (const auto& [name, value] : values) part.put(name, value);
  }
  state.put(kPlaces, std::move(places));
  return Status();
}

Status PipelineTasks::restore_shared(const StateReader& state) {
  TINYTF_ASSIGN_OR_RETURN(const Tensor places, state.get(kPlaces));
  if (places.dtype() != DType::kInt64 || places.rank() != 2 || places.dim(1) != 2) {
    return Status(Code::kDataLoss, "The saved position has damaged places");
  }
  for (int64_t row = 0; row < places.dim(0); ++row) {
    const auto place = static_cast<uint64_t>(places.int_at(row * 2));  // elements of the tensor
    const int64_t levels = places.int_at(row * 2 + 1);
    if (levels < 0 || levels > std::numeric_limits<int>::max()) {
      return Status(Code::kDataLoss, "The saved position has damaged places");
    }
    const Key key{place, static_cast<int>(levels)};
    const StateReader part = state.inside(name_of(row));
    RefPtr<SharedState> made;
    {
      const std::lock_guard lock(mutex_);
      const auto found = states_.find(key);
      if (found != states_.end()) made = found->second;
      if (!made) saved_[key] = part.values();
    }
    if (made) TINYTF_RETURN_IF_ERROR(made->restore(part));
  }
  return Status();
}

}  // namespace tinytf::data

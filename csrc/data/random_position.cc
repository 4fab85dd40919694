#include "data/random_position.h"

#include <algorithm>
#include <string>

namespace tinytf::data {

namespace {

constexpr const char* kNames = "random_names";
constexpr const char* kStates = "random_states";
constexpr int64_t kWords = std::tuple_size_v<RandomStateHolder::State>;

}  // namespace

Status put_random_states(StateWriter& state, const RandomStates& states) {
  if (states.empty()) return Status();
  const auto n = static_cast<int64_t>(states.size());
  Allocator& allocator = Allocator::process();
  TINYTF_ASSIGN_OR_RETURN(Tensor names, Tensor::allocate(allocator, DType::kString, Shape({n})));
  TINYTF_ASSIGN_OR_RETURN(Tensor words, Tensor::allocate(allocator, DType::kInt64, Shape({n, kWords})));
  auto* name = names.data<std::string>();
  auto* word = words.data<int64_t>();
  for (const auto& [key, generator] : states) {
    *name++ = key;
    word = std::copy(generator.begin(), generator.end(), word);
  }
  state.put(kNames, std::move(names));
  state.put(kStates, std::move(words));
  return Status();
}

Result<RandomStates> get_random_states(const StateReader& state) {
  RandomStates states;
  if (!state.has(kNames)) return states;
  TINYTF_ASSIGN_OR_RETURN(const Tensor names, state.get(kNames));
  TINYTF_ASSIGN_OR_RETURN(const Tensor words, state.get(kStates));
  if (names.dtype() != DType::kString || names.rank() != 1) return state.damaged(kNames, "has no list of names in");
  if (words.dtype() != DType::kInt64 || words.shape() != Shape({names.dim(0), kWords})) {
    return state.damaged(kStates, "has damaged states of random operations in");
  }
  for (int64_t i = 0; i < names.dim(0); ++i) {
    RandomStateHolder::State& generator = states[names.data<std::string>()[i]];
    for (int64_t k = 0; k < kWords; ++k) {
      generator[static_cast<size_t>(k)] = static_cast<uint32_t>(words.int_at(i * kWords + k));
    }
  }
  return states;
}

}  // namespace tinytf::data

#include "runtime/eager/random_sequences.h"

#include <algorithm>
#include <utility>

namespace tinytf {

namespace {

/// A key of a kernel's input types and attrs, including seeds.
std::string identity_of(const NodeInfo& node) {
  std::string identity;
  for (const ArgType& input : node.inputs) identity += static_cast<char>(input.dtype);
  for (const auto& [name, value] : node.attrs) {
    identity += '\0';
    identity += name;
    identity += '\0';
    identity += attr_to_string(value);
  }
  return identity;
}

RandomStateHolder* holder_in(const EagerKernel& kernel) { return dynamic_cast<RandomStateHolder*>(&kernel.kernel()); }

bool is_seeded(const NodeInfo& node) {
  const auto is_set = [&node](const char* name) {
    const auto* seed = node.attrs.get<int64_t>(name);
    return seed != nullptr && *seed != 0;
  };
  return is_set("seed") || is_set("seed2");
}

}  // namespace

bool RandomSequences::has_sequence(const EagerKernel& kernel) {
  return holder_in(kernel) != nullptr && is_seeded(kernel.node());
}

void RandomSequences::keep(RefPtr<EagerKernel> kernel) {
  std::string identity = identity_of(kernel->node());
  if (kernel->unique()) {
    states_[std::move(identity)] = holder_in(*kernel)->random_state();
    return;
  }
  in_use_[std::move(identity)] = std::move(kernel);
  if (in_use_.size() >= settle_at_) settle();
}

/// Replaces kernels without other users by their states. Takes amortized constant time for each kept kernel.
void RandomSequences::settle() {
  for (auto it = in_use_.begin(); it != in_use_.end();) {
    if (!it->second->unique()) {
      ++it;
      continue;
    }
    states_[it->first] = holder_in(*it->second)->random_state();
    it = in_use_.erase(it);
  }
  settle_at_ = std::max<size_t>(16, 2 * in_use_.size());
}

RefPtr<EagerKernel> RandomSequences::resumed(RefPtr<EagerKernel> made) {
  if (size() == 0) return made;
  const std::string identity = identity_of(made->node());
  if (auto used = in_use_.find(identity); used != in_use_.end()) {
    made = std::move(used->second);
    in_use_.erase(used);
  } else if (auto state = states_.find(identity); state != states_.end()) {
    holder_in(*made)->set_random_state(state->second);
    states_.erase(state);
  }
  return made;
}

}  // namespace tinytf

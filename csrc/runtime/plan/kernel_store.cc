#include "runtime/plan/kernel_store.h"

#include "op/compact_constant.h"
#include "op/kernel_registry.h"
#include "op/lowered.h"

namespace tinytf {

namespace {

/// Whether the node is a compact constant. Its kernel keeps the expanded value for the lifetime of the store.
bool is_compact_constant(const NodeInfo& node) {
  const AttrValue* value = node.op->has(Trait::kConstant) ? node.attrs.find("value") : nullptr;
  return value != nullptr && CompactConstant::of(*value).has_value();
}

}  // namespace

std::string KernelStore::name_of(const Key& key) {
  std::string name;
  for (const auto& [node, branch] : key) name = str_cat(node->name(), ":", branch, name.empty() ? "" : "/", name);
  return name;
}

Result<std::shared_ptr<Kernel>> KernelStore::kernel_for(const SubgraphNode& node) {
  const bool owns = node.info->op->has(Trait::kChooses) && is_lowered(*node.info);
  const bool has_state = node.info->op->is_stateful || owns;
  const bool keeps = has_state || is_compact_constant(*node.info);
  Key key{{node.origin, 0}};
  if (keeps) {
    if (has_state) {
      for (const CallPath* call = node.call.get(); call != nullptr && !call->shares_state; call = call->caller.get())
        key.emplace_back(call->call, call->branch);
    }
    std::lock_guard lock(mutex_);
    const auto found = kept_.find(key);
    if (found != kept_.end()) return found->second;
  }
  TINYTF_ASSIGN_OR_RETURN(std::unique_ptr<Kernel> made, KernelRegistry::global().create(*node.info));
  std::shared_ptr<Kernel> kernel = std::move(made);
  if (keeps) {
    std::lock_guard lock(mutex_);
    const auto [place, is_new] = kept_.emplace(std::move(key), std::move(kernel));
    kernel = place->second;
    auto* const generator = is_new ? dynamic_cast<RandomStateHolder*>(kernel.get()) : nullptr;
    if (generator != nullptr) {
      const std::string name = name_of(place->first);
      generators_[name] = generator;
      const auto state = awaited_.find(name);
      if (state != awaited_.end()) generator->set_random_state(state->second);
    }
    if (owns) owners_.try_emplace(kernel.get(), CallPath{node.origin, node.call});
  }
  return kernel;
}

std::shared_ptr<const CallPath> KernelStore::path_of(const FuncRef& function, FunctionOwner owner) const {
  CallPath path;
  {
    std::lock_guard lock(mutex_);
    const auto found = owners_.find(owner.kernel);
    if (found == owners_.end()) return nullptr;
    path = found->second;
  }
  for (const CallPath* around = path.caller.get(); around != nullptr; around = around->caller.get()) {
    if (around->function == function.name) return nullptr;
  }
  path.function = function.name;
  path.branch = owner.branch;
  return std::make_shared<const CallPath>(std::move(path));
}

RandomStates KernelStore::random_states() const {
  std::lock_guard lock(mutex_);
  RandomStates states = awaited_;
  for (const auto& [name, generator] : generators_) states[name] = generator->random_state();
  return states;
}

void KernelStore::set_random_states(RandomStates states) {
  std::lock_guard lock(mutex_);
  awaited_ = std::move(states);
  for (const auto& [name, generator] : generators_) {
    const auto state = awaited_.find(name);
    if (state != awaited_.end()) generator->set_random_state(state->second);
  }
}

void KernelStore::clear() {
  decltype(kept_) kept;  // Destroyed after the lock is released.
  std::lock_guard lock(mutex_);
  kept.swap(kept_);
  generators_.clear();
  owners_.clear();
}

}  // namespace tinytf

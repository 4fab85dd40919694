#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "runtime/eager/random_sequences.h"

namespace tinytf {

/// A bounded cache of one op's kernels, with input types, lengths of list inputs and attrs as key. `Attrs`: a program's
/// attrs as the cache stores them. `Inputs`: the inputs of a call, with `count()`, `dtype(i)` and `groups()`. When a
/// seeded kernel is evicted, the state of its random sequence is kept. Kernels of functions that have left the eager
/// library are not found, and go with the next `make`. For one thread at a time.
template <class Attrs>
class EagerKernelCache {
 public:
  explicit EagerKernelCache(const OpDef& def) : def_(def) {}

  /// The kernel of such a call; null if none is cached. `same_attrs(stored)` tells whether stored attrs equal the
  /// call's.
  template <class Inputs, class SameAttrs>
  EagerKernel* find(const Inputs& inputs, SameAttrs same_attrs) const {
    const uint64_t hash = hash_of(inputs);
    for (const Variant& variant : variants_) {
      if (variant.hash != hash || !has_inputs(variant, inputs) || !same_attrs(variant.attrs)) continue;
      if (!variant.kernel->is_outdated()) return variant.kernel.get();
    }
    return nullptr;
  }

  /// Makes a kernel. It continues the random sequence of an evicted kernel with the same key. It is cached if
  /// `freeze(Attrs*)` succeeds in storing the call's attrs. Fails as EagerKernel::make does.
  template <class Inputs, class Freeze>
  Result<RefPtr<EagerKernel>> make(const Inputs& inputs, AttrMap checked, Freeze freeze) {
    NodeInfo node;
    node.name = def_.name;
    node.op = &def_;
    node.attrs = std::move(checked);
    Variant variant;
    for (int i = 0; i < inputs.count(); ++i) {
      node.inputs.push_back({inputs.dtype(i), false});
      variant.types.push_back(inputs.dtype(i));
    }
    variant.groups.assign(inputs.groups().begin(), inputs.groups().end());
    variant.hash = hash_of(inputs);
    TINYTF_ASSIGN_OR_RETURN(RefPtr<EagerKernel> kernel, EagerKernel::make(std::move(node), variant.groups));
    if (makes_resource(kernel->node()) || !freeze(&variant.attrs)) return kernel;
    if (kernel->calls_functions()) drop_outdated();
    if (RandomSequences::has_sequence(*kernel)) kernel = sequences_.resumed(std::move(kernel));
    variant.kernel = kernel;
    keep(std::move(variant));
    return kernel;
  }

  const OpDef& def() const { return def_; }
  size_t size() const { return variants_.size(); }
  /// Number of evicted seeded kernels whose random state is kept.
  size_t kept_sequences() const { return sequences_.size(); }

  static constexpr size_t kMostVariants = 512;

 private:
  /// A kernel and its key.
  struct Variant {
    uint64_t hash = 0;
    std::vector<DType> types;  ///< Of all inputs.
    std::vector<int> groups;   ///< Length of each list input; empty if there are none.
    Attrs attrs;
    RefPtr<EagerKernel> kernel;
  };

  template <class Inputs>
  static uint64_t hash_of(const Inputs& inputs) {
    uint64_t hash = 14695981039346656037u;
    const auto add = [&hash](uint64_t value) { hash = (hash ^ value) * 1099511628211u; };
    for (int i = 0; i < inputs.count(); ++i) add(static_cast<uint64_t>(inputs.dtype(i)));
    for (const int group : inputs.groups()) add(1000 + static_cast<uint64_t>(group));
    return hash;
  }

  template <class Inputs>
  static bool has_inputs(const Variant& variant, const Inputs& inputs) {
    const auto& groups = inputs.groups();
    if (variant.types.size() != static_cast<size_t>(inputs.count()) ||
        !std::equal(variant.groups.begin(), variant.groups.end(), groups.begin(), groups.end())) {
      return false;
    }
    for (int i = 0; i < inputs.count(); ++i) {
      if (inputs.dtype(i) != variant.types[i]) return false;
    }
    return true;
  }

  /// Whether the kernel owns a queue or variable, so that it must not be shared between calls.
  static bool makes_resource(const NodeInfo& node) {
    return node.op->is_stateful && std::any_of(node.outputs.begin(), node.outputs.end(),
                                               [](const ArgType& output) { return output.dtype == DType::kResource; });
  }

  void drop_outdated() {
    std::vector<Variant> current;
    current.reserve(variants_.size());
    for (Variant& variant : variants_) {
      if (!variant.kernel->is_outdated()) current.push_back(std::move(variant));
    }
    current.swap(variants_);  // The others are destroyed when the cache is consistent.
  }

  void keep(Variant variant) {
    if (variants_.size() < kMostVariants) {
      variants_.push_back(std::move(variant));
      return;
    }
    std::swap(variants_[next_victim_++ % kMostVariants], variant);
    if (RandomSequences::has_sequence(*variant.kernel)) sequences_.keep(std::move(variant.kernel));
  }

  const OpDef& def_;
  std::vector<Variant> variants_;
  size_t next_victim_ = 0;
  RandomSequences sequences_;
};

}  // namespace tinytf

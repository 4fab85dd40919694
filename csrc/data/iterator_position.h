#pragma once

#include "data/iterator_state.h"
#include "op/variant_forms.h"
#include "tensor/variant.h"

namespace tinytf::data {

/// The position of an iterator as the value of a variant, which checkpoints store. Its values are no variants
/// themselves, so positions do not nest. Immutable.
class IteratorPosition final : public VariantValue {
 public:
  static constexpr const char* kTypeName = "tensorflow::Iterator";

  explicit IteratorPosition(IteratorState state) : state_(std::move(state)) {}

  const IteratorState& state() const { return state_; }
  std::string type_name() const override { return kTypeName; }
  std::string debug_string() const override { return str_cat("IteratorPosition of ", state_.size(), " values"); }
  int64_t bytes() const override;

 private:
  const IteratorState state_;
};

/// The stored form: the keys, each followed by "@@", and the values.
VariantForm iterator_position_form();

}  // namespace tinytf::data

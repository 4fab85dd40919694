#pragma once

#include <string_view>

#include "data/iterator_state.h"

namespace tinytf::data {

/// Writes a component of an element. A tensor of variants is written as the tensors that its values consist of:
/// datasets as lists of elements or as graphs, others in their stored form. Unimplemented for resources, for variants
/// without such a form, and for values that are nested too deeply.
Status put_value(StateWriter& state, std::string_view key, const Tensor& value);
/// Reads what put_value wrote. DataLoss for damaged values; else fails as read_dataset does.
Result<Tensor> get_value(const StateReader& state, std::string_view key);

}  // namespace tinytf::data

#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "io/tensor_slice.h"

namespace tinytf {

// Numbers and names in "ordered code": the bytes sort as what they stand for.

void append_ordered(std::string& to, uint64_t number);
void append_ordered_signed(std::string& to, int64_t number);
void append_ordered(std::string& to, std::string_view text);

/// The key under which tables of checkpoints have a part of the tensor of that name. It sorts before all names.
std::string slice_key(std::string_view name, const TensorSlice& slice);

}  // namespace tinytf

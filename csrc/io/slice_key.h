#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "io/tensor_slice.h"

namespace tinytf {

// Numbers and names in "ordered code": the encoded bytes sort like the values.

void append_ordered(std::string& to, uint64_t number);
void append_ordered_signed(std::string& to, int64_t number);
void append_ordered(std::string& to, std::string_view text);

/// Key of a tensor's slice in the tables of checkpoints. Sorts before all names.
std::string slice_key(std::string_view name, const TensorSlice& slice);

}  // namespace tinytf

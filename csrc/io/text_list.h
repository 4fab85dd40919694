#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace tinytf {

// Several texts in one, as the memory of a TensorProto of strings has them: all lengths as varints, then all bytes.

std::string text_list(const std::vector<std::string_view>& texts);
/// Returns `count` texts, which refer to `bytes`; bytes after them are ignored. InvalidArgument if there are fewer.
Result<std::vector<std::string_view>> read_text_list(std::string_view bytes, int64_t count);

}  // namespace tinytf

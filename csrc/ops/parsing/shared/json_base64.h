#pragma once

#include <string>
#include <string_view>

namespace tinytf::ops {

/// Decodes base64 as JSON does: digits of either alphabet (+ and /, or - and _), with complete padding or none. Returns
/// false for other text, and if unused bits are not zero.
bool bytes_of_base64(std::string_view text, std::string& bytes);

}  // namespace tinytf::ops

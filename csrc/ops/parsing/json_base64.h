#pragma once

#include <string>
#include <string_view>

namespace tinytf::ops {

/// The bytes that a text in base64 stands for, as JSON has them: digits of one of both alphabets, + and / or - and _,
/// with all of the padding or none. False for others, and where bits are left that are not zero.
bool bytes_of_base64(std::string_view text, std::string& bytes);

}  // namespace tinytf::ops

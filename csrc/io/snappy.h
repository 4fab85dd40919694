#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tinytf {

/// Decodes a block in snappy's raw format; nullopt for malformed bytes. Memory is bounded by 32 times the block's size.
std::optional<std::string> snappy_decoded(std::string_view block);

}  // namespace tinytf

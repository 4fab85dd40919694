#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tinytf {

/// What a block in snappy's raw format stands for; none for bytes that are no such block. Memory is taken only as far
/// as a block of that size can reach: some 32 times its own.
std::optional<std::string> snappy_decoded(std::string_view block);

}  // namespace tinytf

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace tinytf {

/// Reads a file of one word per line (see LineStream): calls `take` with each of the first `size` words (-1: all) and
/// its number, from 0 on; stops at the first error. Returns the number of words. InvalidArgument if a line that counts
/// is empty or there are fewer than `size` lines, OutOfRange if `size` is 0 or the file has no lines.
Result<int64_t> read_vocabulary(const std::string& path, int64_t size,
                                const std::function<Status(std::string_view word, int64_t number)>& take);

}  // namespace tinytf

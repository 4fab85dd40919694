#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace tinytf {

/// Reads a file with a word a line, as LineStream has its lines: calls `take` with each of the first `size` words (-1:
/// all) and its number, from 0 on; ends with the first error. Returns how many there were. InvalidArgument where a line
/// that counts is empty or lines are fewer than `size`, OutOfRange where no word is asked for or there.
Result<int64_t> read_vocabulary(const std::string& path, int64_t size,
                                const std::function<Status(std::string_view word, int64_t number)>& take);

}  // namespace tinytf

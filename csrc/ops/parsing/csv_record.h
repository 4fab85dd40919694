#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace tinytf::ops {

/// How the fields of a record are told apart, and which of them count.
struct CsvFormat {
  char delimiter = ',';
  bool has_quotes = true;         ///< fields may stand in double quotes
  std::vector<int64_t> selected;  ///< numbers of fields in ascending order; none: all
};

/// The fields of a record that count, in `fields`, whose memory is used again; how many there are is `count`.
/// InvalidArgument for quotes and ends of lines where none may be.
Status split_record(std::string_view record, const CsvFormat& format, std::vector<std::string>& fields, size_t* count);

}  // namespace tinytf::ops

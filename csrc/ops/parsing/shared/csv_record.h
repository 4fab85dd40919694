#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace tinytf::ops {

/// How a record is split into fields, and which fields are selected.
struct CsvFormat {
  char delimiter = ',';
  bool has_quotes = true;         ///< whether fields may be enclosed in double quotes
  std::vector<int64_t> selected;  ///< indices of the selected fields in ascending order; empty selects all
};

/// Splits a record and stores the selected fields in `fields`, whose memory is reused; their number is `count`.
/// InvalidArgument for misplaced quotes or line ends.
Status split_record(std::string_view record, const CsvFormat& format, std::vector<std::string>& fields, size_t* count);

}  // namespace tinytf::ops

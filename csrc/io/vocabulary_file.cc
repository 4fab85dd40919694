#include "io/vocabulary_file.h"

#include "io/line_stream.h"

namespace tinytf {

Result<int64_t> read_vocabulary(const std::string& path, int64_t size,
                                const std::function<Status(std::string_view word, int64_t number)>& take) {
  TINYTF_ASSIGN_OR_RETURN(LineStream lines, LineStream::open(path));
  int64_t count = 0;
  for (std::string_view word; size < 0 || count < size; ++count) {
    TINYTF_ASSIGN_OR_RETURN(const bool is_there, lines.next(&word));
    if (!is_there) break;
    if (word.empty()) {
      return invalid_argument("Invalid content in ", path, ": empty line found at position ", lines.offset(), ".");
    }
    TINYTF_RETURN_IF_ERROR(take(word, count));
  }
  if (size > count) return invalid_argument("Invalid vocab_size in ", path, ": expected ", size, " but got ", count);
  if (size == 0) return Status(Code::kOutOfRange, str_cat("Finished reading 0 of lines from ", path));
  if (count == 0) return Status(Code::kOutOfRange, str_cat("Read less bytes than requested: ", path, " has no lines"));
  return count;
}

}  // namespace tinytf

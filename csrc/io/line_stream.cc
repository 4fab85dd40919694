#include "io/line_stream.h"

namespace tinytf {

Result<LineStream> LineStream::open(const std::string& path) {
  TINYTF_ASSIGN_OR_RETURN(ByteStream stream, ByteStream::open(path));
  return LineStream(std::move(stream));
}

/// Takes a line of `line` bytes, without its carriage return, and drops it with its end of `end` bytes.
std::string_view LineStream::take(size_t line, size_t end) {
  std::string_view text = stream_.ready().substr(0, line);
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  stream_.drop(line + end);
  offset_ += line + end;
  return text;
}

Result<bool> LineStream::next(std::string_view* line) {
  for (size_t searched = 0;;) {
    const std::string_view ready = stream_.ready();
    const size_t end = ready.find('\n', searched);
    if (end != std::string_view::npos) {
      *line = take(end, 1);
      return true;
    }
    searched = ready.size();
    TINYTF_ASSIGN_OR_RETURN(const bool more, stream_.has(searched + 1));
    if (more) continue;
    *line = take(searched, 0);
    return !line->empty();
  }
}

}  // namespace tinytf

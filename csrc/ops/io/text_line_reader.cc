#include <cstring>
#include <optional>
#include <string_view>

#include "io/byte_stream.h"
#include "ops/io/reader_kernel.h"

namespace tinytf::ops {
namespace {

/// Each line of a file is a record, without its end.
class TextLineSource final : public RecordSource {
 public:
  static constexpr const char* kKind = "TextLineReader";
  struct Spec {
    explicit Spec(KernelInit& init) : skip_header_lines(size_attr(init, "skip_header_lines")) {}
    int64_t skip_header_lines;
  };
  explicit TextLineSource(const Spec& spec) : spec_(spec) {}

  Status begin(const std::string& work) override {
    line_ = 0;
    TINYTF_ASSIGN_OR_RETURN(stream_, ByteStream::open(work));
    for (bool is_there = true; is_there && line_ < spec_.skip_header_lines;) {
      std::string_view text;
      TINYTF_ASSIGN_OR_RETURN(is_there, take_line(&text));
    }
    return Status();
  }

  Result<Next> next(const std::string& work, std::string* key, std::string* value) override {
    std::string_view text;
    TINYTF_ASSIGN_OR_RETURN(const bool is_there, take_line(&text));
    if (!is_there) return Next::kEnd;
    *value = text;
    *key = str_cat(work, ":", line_);
    return Next::kRecord;
  }

  void end() override { stream_.reset(); }

 private:
  /// The next line, valid until the next call; false if there is none. A carriage return before the line's end goes,
  /// and with it a last line that consists of nothing else.
  Result<bool> take_line(std::string_view* text) {
    size_t searched = 0;
    for (;;) {
      const std::string_view ready = stream_->ready();
      const size_t end = ready.find('\n', searched);
      if (end != std::string_view::npos) {
        *text = without_return(ready.substr(0, end));
        stream_->drop(end + 1);
        break;
      }
      searched = ready.size();
      TINYTF_ASSIGN_OR_RETURN(const bool more, stream_->has(searched + 1));
      if (more) continue;
      *text = without_return(stream_->ready());
      stream_->drop(searched);
      if (text->empty()) return false;
      break;
    }
    ++line_;
    return true;
  }

  static std::string_view without_return(std::string_view line) {
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return line;
  }

  const Spec spec_;
  std::optional<ByteStream> stream_;
  int64_t line_ = 0;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(io_text_line_reader) {
  using namespace tinytf::ops;
  declare_reader<TextLineSource>(
      ops, kernels, "TextLineReader", {"skip_header_lines: int = 0"}, {}, {},
      "Handle to a reader of lines: the key is the file's name, a colon and the line's number, from 1 on. The first "
      "`skip_header_lines` lines of each file are left out.");
}

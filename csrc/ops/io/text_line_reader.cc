#include <optional>
#include <string_view>

#include "io/line_stream.h"
#include "ops/io/shared/reader_kernel.h"

namespace tinytf::ops {
namespace {

/// Each line of a file is a record, without its line end.
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
    TINYTF_ASSIGN_OR_RETURN(lines_, LineStream::open(work));
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

  void end() override { lines_.reset(); }

 private:
  Result<bool> take_line(std::string_view* text) {
    TINYTF_ASSIGN_OR_RETURN(const bool is_there, lines_->next(text));
    line_ += is_there;
    return is_there;
  }

  const Spec spec_;
  std::optional<LineStream> lines_;
  int64_t line_ = 0;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(io_text_line_reader) {
  using namespace tinytf::ops;
  declare_reader<TextLineSource>(
      ops, kernels, "TextLineReader", {"skip_header_lines: int = 0"}, {}, {},
      "Returns a handle to a reader of lines. The key is the name of the file, a colon and the number of the line, "
      "from 1 on. The first `skip_header_lines` lines of each file are skipped.");
}

#include "ops/parsing/shared/csv_record.h"

#include <algorithm>

namespace tinytf::ops {

namespace {

bool ends_line(char c) { return c == '\n' || c == '\r'; }

class Splitter {
 public:
  Splitter(std::string_view record, const CsvFormat& format, std::vector<std::string>& fields)
      : record_(record), rest_(record), format_(format), fields_(fields) {}

  Status split(size_t* count) {
    while (!is_done_ && !rest_.empty()) {
      if (ends_line(rest_.front())) {
        rest_.remove_prefix(1);
        continue;
      }
      const bool is_quoted = format_.has_quotes && rest_.front() == '"';
      TINYTF_RETURN_IF_ERROR(is_quoted ? take_quoted() : take_plain());
    }
    // A trailing delimiter is followed by an empty field.
    if (!is_done_ && !record_.empty() && record_.back() == format_.delimiter && counts()) add({});
    *count = count_;
    return Status();
  }

 private:
  bool counts() const { return format_.selected.empty() || format_.selected[count_] == number_; }

  void add(std::string_view field) {
    if (count_ == fields_.size()) fields_.emplace_back();
    fields_[count_++].assign(field);
    is_done_ = count_ == format_.selected.size();
  }

  void end_field(std::string_view field) {
    const bool is_wanted = counts();
    ++number_;
    if (is_wanted) add(field);
  }

  Status take_plain() {
    size_t size = 0;
    for (; size < rest_.size() && rest_[size] != format_.delimiter; ++size) {
      if ((format_.has_quotes && rest_[size] == '"') || ends_line(rest_[size])) {
        return invalid_argument("Unquoted fields cannot have quotes/CRLFs inside");
      }
    }
    end_field(rest_.substr(0, size));
    pass(size + 1);
    return Status();
  }

  Status take_quoted() {
    rest_.remove_prefix(1);
    text_.clear();
    while (rest_.size() > 1 && (rest_[0] != '"' || rest_[1] != format_.delimiter)) {
      if (rest_[0] == '"') {
        if (rest_[1] != '"') return invalid_argument("Quote inside a string has to be escaped by another quote");
        rest_.remove_prefix(1);
      }
      text_ += rest_[0];
      rest_.remove_prefix(1);
    }
    if (rest_.empty() || rest_[0] != '"') {
      return invalid_argument("Quoted field has to end with quote followed by delim or end");
    }
    end_field(text_);
    pass(2);
    return Status();
  }

  void pass(size_t size) { rest_.remove_prefix(std::min(size, rest_.size())); }

  const std::string_view record_;
  std::string_view rest_;
  const CsvFormat& format_;
  std::vector<std::string>& fields_;
  size_t count_ = 0;    // number of selected fields so far
  int64_t number_ = 0;  // index of the next field
  bool is_done_ = false;
  std::string text_;
};

}  // namespace

Status split_record(std::string_view record, const CsvFormat& format, std::vector<std::string>& fields, size_t* count) {
  return Splitter(record, format, fields).split(count);
}

}  // namespace tinytf::ops

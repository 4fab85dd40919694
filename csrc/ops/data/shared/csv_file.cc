#include "ops/data/shared/csv_file.h"

#include "base/parse_number.h"

namespace tinytf::ops {

namespace {

bool is_line_end(char c) { return c == '\n' || c == '\r'; }

template <class T>
bool set_number(std::string_view text, Tensor& value) {
  return parse_number(text, *value.data<T>());
}

bool set_value(std::string_view text, Tensor& value) {
  switch (value.dtype()) {
    case DType::kFloat: return set_number<float>(text, value);
    case DType::kDouble: return set_number<double>(text, value);
    case DType::kInt32: return set_number<int32_t>(text, value);
    case DType::kInt64: return set_number<int64_t>(text, value);
    default: value.data<std::string>()->assign(text); return true;
  }
}

}  // namespace

Result<bool> CsvFile::next(const data::IteratorContext& ctx, data::Element& element) {
  TINYTF_ASSIGN_OR_RETURN(const bool has_record, bytes_.has(ctx, 1));
  if (!has_record) return false;
  element.resize(format_.types.size());
  TINYTF_RETURN_IF_ERROR(take_record(ctx, &element));
  TINYTF_RETURN_IF_ERROR(error_);
  if (count_ == format_.types.size()) return true;
  return invalid_argument("Expect ", format_.types.size(), " fields but have ", count_, " in record");
}

Status CsvFile::skip_header(const data::IteratorContext& ctx) {
  const Result<bool> has_record = bytes_.has(ctx, 1);
  Status status = has_record.status();
  if (status.ok() && has_record.value()) status = take_record(ctx, nullptr);
  if (status.code() == Code::kCancelled) return status;
  if (status.ok() && has_record.value() && error_.ok()) return Status();
  return invalid_argument("Can't read header of file");
}

/// Takes the record at the front and stores its selected fields, unless `element` is null. Fails only if the file
/// cannot be read; errors of the record are in error_.
Status CsvFile::take_record(const data::IteratorContext& ctx, data::Element* element) {
  at_ = count_ = 0;
  error_ = Status();
  size_t selected = 0;
  bool is_last = false;
  for (int64_t number = 0; !is_last; ++number) {
    const bool is_selected =
        format_.columns.empty() || (selected < format_.columns.size() && format_.columns[selected] == number);
    TINYTF_ASSIGN_OR_RETURN(is_last, take_field(ctx, is_selected ? element : nullptr));
    if (is_selected) ++selected;
  }
  bytes_.drop(at_);
  return Status();
}

/// Takes a field and what ends it, and stores it unless `element` is null. Returns whether it is the last one.
Result<bool> CsvFile::take_field(const data::IteratorContext& ctx, data::Element* element) {
  TINYTF_ASSIGN_OR_RETURN(const bool has_more, this->has_more(ctx));
  if (!has_more) {
    add(ctx, element, {});
    return true;
  }
  if (format_.has_quotes && bytes_.ready()[at_] == '"') return take_quoted(ctx, element);
  return take_plain(ctx, element);
}

Result<bool> CsvFile::take_plain(const data::IteratorContext& ctx, data::Element* element) {
  const size_t begin = at_;
  for (;;) {
    const std::string_view ready = bytes_.ready();
    for (; at_ < ready.size(); ++at_) {
      const char c = ready[at_];
      if (c == format_.delimiter || is_line_end(c)) {
        add(ctx, element, ready.substr(begin, at_ - begin));
        ++at_;
        if (c == format_.delimiter) return false;
        if (c == '\r') TINYTF_RETURN_IF_ERROR(skip_newline(ctx));
        return true;
      }
      if (c == '"' && format_.has_quotes) fail(invalid_argument("Unquoted fields cannot have quotes inside"));
    }
    TINYTF_ASSIGN_OR_RETURN(const bool has_more, this->has_more(ctx));
    if (has_more) continue;
    add(ctx, element, bytes_.ready().substr(begin));
    return true;
  }
}

Result<bool> CsvFile::take_quoted(const data::IteratorContext& ctx, data::Element* element) {
  text_.clear();
  ++at_;
  Status error;  // Reported at the end of the field.
  for (;;) {
    TINYTF_ASSIGN_OR_RETURN(bool has_more, this->has_more(ctx));
    if (!has_more) {
      fail(invalid_argument("Reached end of file without closing quoted field in record"));
      return false;
    }
    const std::string_view rest = bytes_.ready().substr(at_);
    const std::string_view inside = rest.substr(0, rest.find('"'));
    if (element != nullptr) text_ += inside;
    at_ += inside.size();
    if (inside.size() == rest.size()) continue;
    ++at_;
    TINYTF_ASSIGN_OR_RETURN(has_more, this->has_more(ctx));
    const char next = has_more ? bytes_.ready()[at_++] : '\n';
    if (!has_more || next == format_.delimiter || is_line_end(next)) {
      fail(error);
      add(ctx, element, text_);
      if (has_more && next == format_.delimiter) return false;
      if (next == '\r') TINYTF_RETURN_IF_ERROR(skip_newline(ctx));
      return true;
    }
    if (next == '"') {
      if (element != nullptr) text_ += '"';
    } else {
      element = nullptr;
      error = invalid_argument("Quote inside a string has to be escaped by another quote");
    }
  }
}

/// Skips a newline behind a carriage return. If the file is damaged there, the next record tells.
Status CsvFile::skip_newline(const data::IteratorContext& ctx) {
  const Result<bool> has_more = this->has_more(ctx);
  if (has_more.status().code() == Code::kCancelled) return has_more.status();
  if (has_more.ok() && has_more.value() && bytes_.ready()[at_] == '\n') ++at_;
  return Status();
}

void CsvFile::add(const data::IteratorContext& ctx, data::Element* element, std::string_view field) {
  if (element == nullptr) return;
  if (count_ == format_.types.size()) {
    return fail(invalid_argument("Expect ", format_.types.size(), " fields but have more in record"));
  }
  fail(set(ctx, count_, field, (*element)[count_]));
  ++count_;
}

Status CsvFile::set(const data::IteratorContext& ctx, size_t i, std::string_view field, Tensor& value) const {
  if (field.empty() || field == format_.na_value) {
    value = format_.defaults[i];
    return value.valid() ? Status() : invalid_argument("Field ", i, " is required but missing in record!");
  }
  const DType dtype = format_.types[i];
  if (value.dtype() != dtype || value.rank() != 0 || !value.writable_in_place()) {
    TINYTF_ASSIGN_OR_RETURN(value, Tensor::allocate(ctx.allocator(), dtype, Shape()));
  }
  if (set_value(field, value)) return Status();
  return invalid_argument("Field ", i, " in record is not a valid ", dtype_name(dtype), ": ", field);
}

}  // namespace tinytf::ops

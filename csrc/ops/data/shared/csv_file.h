#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ops/data/shared/file_bytes.h"

namespace tinytf::ops {

/// How a CSV file is split into fields, and what becomes of them.
struct CsvFileFormat {
  char delimiter = ',';
  bool has_quotes = true;
  std::string na_value;
  std::vector<int64_t> columns;  ///< of the selected fields, in ascending order; empty: all
  std::vector<DType> types;      ///< of the selected fields
  std::vector<Tensor> defaults;  ///< scalars; invalid for fields that are needed
};

/// Reads the records of a CSV file by TensorFlow's rules for datasets, which differ from those of DecodeCSV: after an
/// error in a record, reading goes on behind it. One thread at a time.
class CsvFile {
 public:
  /// `format` must outlive the file.
  CsvFile(FileBytes bytes, const CsvFileFormat& format) : bytes_(std::move(bytes)), format_(format) {}

  /// Reads the next record; false at the end of the file. InvalidArgument for a damaged record.
  Result<bool> next(const data::IteratorContext& ctx, data::Element& element);
  /// Skips the next record. InvalidArgument with TensorFlow's text if there is none, or if it is damaged.
  Status skip_header(const data::IteratorContext& ctx);
  uint64_t offset() const { return bytes_.offset(); }

 private:
  Status take_record(const data::IteratorContext& ctx, data::Element* element);
  Result<bool> take_field(const data::IteratorContext& ctx, data::Element* element);
  Result<bool> take_plain(const data::IteratorContext& ctx, data::Element* element);
  Result<bool> take_quoted(const data::IteratorContext& ctx, data::Element* element);
  Status skip_newline(const data::IteratorContext& ctx);
  Result<bool> has_more(const data::IteratorContext& ctx) {
    if (at_ < bytes_.ready().size()) return true;
    return bytes_.has(ctx, at_ + 1);
  }
  void add(const data::IteratorContext& ctx, data::Element* element, std::string_view field);
  Status set(const data::IteratorContext& ctx, size_t i, std::string_view field, Tensor& value) const;
  void fail(Status error) {
    if (error_.ok()) error_ = std::move(error);
  }

  FileBytes bytes_;
  const CsvFileFormat& format_;
  // Of the record that is being read, which begins with the first ready byte.
  size_t at_ = 0;     // The next byte.
  size_t count_ = 0;  // Selected fields so far.
  Status error_;      // The first error.
  std::string text_;  // The contents of a quoted field.
};

}  // namespace tinytf::ops

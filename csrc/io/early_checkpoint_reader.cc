#include "io/early_checkpoint_reader.h"

#include <algorithm>

#include "io/bundle_entry.h"
#include "io/early_checkpoint_writer.h"
#include "io/file_system.h"
#include "io/slice_key.h"
#include "io/slice_proto.h"
#include "io/tensor_box.h"
#include "io/tensor_proto.h"

namespace tinytf {

namespace {

constexpr const char* kUnsuccessful = "Unsuccessful TensorSliceReader constructor: ";

Status damaged(const std::string& file) {
  return Status(Code::kDataLoss, str_cat("The checkpoint file is damaged: ", file));
}

/// Returns the message in a field of another message; empty if there is none.
std::string_view field_of(std::string_view bytes, uint32_t field) {
  std::string_view found;
  WireReader fields(bytes);
  while (fields.next()) {
    if (fields.is(field, WireType::kBytes)) found = fields.bytes();
  }
  return fields.ok() ? found : std::string_view();
}

}  // namespace

Result<std::unique_ptr<EarlyCheckpointReader>> EarlyCheckpointReader::open(const std::string& pattern) {
  auto names = files_called(pattern);
  if (!names.ok()) {
    return invalid_argument(kUnsuccessful, "Failed to get matching files on ", pattern, ": ",
                            names.status().to_string());
  }
  if (names.value().empty()) return not_found(kUnsuccessful, "Failed to find any matching files for ", pattern);
  std::sort(names.value().begin(), names.value().end());
  std::unique_ptr<EarlyCheckpointReader> reader(new EarlyCheckpointReader(pattern));
  for (const std::string& name : names.value()) TINYTF_RETURN_IF_ERROR(reader->add_file(name));
  return reader;
}

Status EarlyCheckpointReader::add_file(const std::string& name) {
  const auto open = [&]() -> Result<TableCursor> {
    TINYTF_ASSIGN_OR_RETURN(auto table, Table::open(name));
    return TableCursor::open(std::move(table));
  };
  auto cursor = open();
  if (!cursor.ok()) {
    return Status(Code::kDataLoss, str_cat("Unable to open table file ", name, ": ", cursor.status().to_string(),
                                           ": perhaps your file is in a different file format and you need to use a "
                                           "different restore operator?"));
  }
  TableCursor& table = cursor.value();
  table.seek("");
  if (!table.valid() || !table.key().empty()) {
    if (!table.status().ok()) return table.status();
    return internal_error("failed to find the saved tensor slices at the beginning of the checkpoint file: ", name);
  }
  const std::string first(table.value());
  files_.push_back({name, cursor.take()});
  return add_meta(field_of(first, early::kMeta), files_.size() - 1);
}

Status EarlyCheckpointReader::add_meta(std::string_view meta, size_t file) {
  WireReader fields(meta);
  std::string_view version;
  while (fields.next()) {
    if (fields.is(early::kVersions, WireType::kBytes)) version = fields.bytes();
    if (fields.is(early::kTensor, WireType::kBytes)) TINYTF_RETURN_IF_ERROR(add_tensor(fields.bytes(), file));
  }
  return fields.ok() ? check_checkpoint_version(version) : damaged(files_[file].name);
}

Status EarlyCheckpointReader::add_tensor(std::string_view meta, size_t file) {
  std::string name;
  Saved found;
  MergedBytes shape;
  WireReader fields(meta);
  while (fields.next()) {
    if (fields.is(early::kName, WireType::kBytes)) name = fields.bytes();
    if (fields.is(early::kShape, WireType::kBytes)) shape.add(fields.bytes());
    if (fields.is(early::kType, WireType::kVarint)) {
      found.dtype = dtype_of_number(fields.int64()).value_or(DType::kInvalid);
    }
    if (fields.is(early::kSlice, WireType::kBytes)) {
      auto slice = read_slice(fields.bytes());
      if (!slice.ok()) return damaged(files_[file].name);
      found.slices.push_back({slice.take(), file});
    }
  }
  auto known = read_known_shape(shape.view());
  if (!fields.ok() || !known.ok()) return damaged(files_[file].name);
  found.shape = known.take();
  for (const Slice& slice : found.slices) {
    if (!slice.slice.apply(found.shape).ok()) return damaged(files_[file].name);
  }
  const auto [at, is_new] = tensors_.try_emplace(std::move(name), found);
  if (is_new) return Status();
  Saved& saved = at->second;
  if (saved.dtype != found.dtype || saved.shape != found.shape) {
    return internal_error("Incompatible tensor shapes or types of ", at->first, " in the files ", pattern_);
  }
  saved.slices.insert(saved.slices.end(), found.slices.begin(), found.slices.end());
  return Status();
}

namespace {

std::optional<std::vector<size_t>> slices_that_fill(const EarlyCheckpointReader::Saved& saved,
                                                    const TensorSlice& wanted) {
  std::vector<TensorBox> boxes;
  for (const auto& slice : saved.slices) boxes.push_back(TensorBox::of(slice.slice, saved.shape));
  return parts_that_fill(TensorBox::of(wanted, saved.shape), boxes);
}

Status insufficient(const std::string& name, const TensorSlice& slice) {
  return invalid_argument("Does not have sufficient slices for partitioned tensor ", name,
                          " to restore in slice_spec: ", slice.to_string());
}

}  // namespace

Status EarlyCheckpointReader::check(const std::string& name, const Saved& saved, const TensorSlice& slice) {
  TINYTF_RETURN_IF_ERROR(slice.apply(saved.shape).status());
  const auto numbers = slices_that_fill(saved, slice);
  if (!numbers) return insufficient(name, slice);
  for (const size_t i : *numbers) {
    TINYTF_ASSIGN_OR_RETURN(const Shape shape, saved.slices[i].slice.apply(saved.shape));
    TINYTF_RETURN_IF_ERROR(stored_value(name, saved.slices[i], shape.num_elements()).status());
  }
  return Status();
}

Result<std::string_view> EarlyCheckpointReader::stored_value(const std::string& name, const Slice& slice,
                                                             int64_t elements) {
  File& file = files_[slice.file];
  const std::string key = slice_key(name, slice.slice);
  file.cursor.seek(key);
  TINYTF_RETURN_IF_ERROR(file.cursor.status());
  if (!file.cursor.valid() || file.cursor.key() != key) return damaged(file.name);
  const std::string_view value = field_of(field_of(file.cursor.value(), early::kData), early::kDataValue);
  // Each element takes at least one byte.
  return static_cast<int64_t>(value.size()) >= elements ? Result<std::string_view>(value) : damaged(file.name);
}

Result<Tensor> EarlyCheckpointReader::value_of(const std::string& name, const Saved& saved, const Slice& slice) {
  TINYTF_ASSIGN_OR_RETURN(const Shape shape, slice.slice.apply(saved.shape));
  const int64_t elements = shape.num_elements();
  TINYTF_ASSIGN_OR_RETURN(const std::string_view value, stored_value(name, slice, elements));
  const std::string& file = files_[slice.file].name;
  auto read = read_elements(value, saved.dtype, elements);
  if (!read.ok()) return Status(Code::kDataLoss, str_cat(read.status().message(), ": ", name, " in ", file));
  if (read.value().num_elements() != elements) return damaged(file);
  return read;
}

Status EarlyCheckpointReader::read(const std::string& name, const Saved& saved, const TensorSlice& slice, Tensor& to) {
  const auto numbers = slices_that_fill(saved, slice);
  if (!numbers) return insufficient(name, slice);
  for (const size_t i : *numbers) {
    TINYTF_ASSIGN_OR_RETURN(const Tensor part, value_of(name, saved, saved.slices[i]));
    SharedRuns runs(TensorBox::of(saved.slices[i].slice, saved.shape), TensorBox::of(slice, saved.shape));
    for (SharedRuns::Run run; runs.next(run);) copy_elements(part, run.from, to, run.to, run.count);
  }
  return Status();
}

}  // namespace tinytf

#include "io/checkpoint_reader.h"

#include <cctype>

#include "io/file_system.h"

namespace tinytf {

namespace {

/// "v (DT_FLOAT) [2,3]"
std::string description(const std::string& name, DType dtype, const Shape& shape) {
  std::string type(dtype_name(dtype));
  for (char& c : type) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return str_cat(name, " (DT_", type, ") ", shape.to_string());
}

bool is_slice_key(const std::string& key) { return key[0] == '\0'; }

}  // namespace

Result<std::unique_ptr<CheckpointReader>> CheckpointReader::open(const std::string& prefix) {
  std::unique_ptr<CheckpointReader> reader(new CheckpointReader());
  const auto indexes = files_called(index_file_name(prefix));
  if (indexes.ok() && !indexes.value().empty()) {
    TINYTF_ASSIGN_OR_RETURN(reader->bundle_, BundleReader::open(prefix));
  } else {
    TINYTF_ASSIGN_OR_RETURN(reader->early_, EarlyCheckpointReader::open(prefix));
  }
  return reader;
}

Result<std::map<std::string, CheckpointReader::Saved>> CheckpointReader::tensors() {
  std::lock_guard lock(mutex_);
  std::map<std::string, Saved> all;
  if (early_) {
    for (const auto& [name, saved] : early_->tensors()) all[name] = {saved.dtype, saved.shape};
    return all;
  }
  TINYTF_RETURN_IF_ERROR(bundle_->index().for_each([&](const std::string& key, BundleEntry entry) {
    if (!is_slice_key(key)) all[key] = {entry.dtype, std::move(entry.shape)};
    return Status();
  }));
  return all;
}

Result<bool> CheckpointReader::has(const std::string& name) {
  std::lock_guard lock(mutex_);
  if (early_) return early_->tensors().count(name) > 0;
  const auto found = bundle_->index().find(name);
  if (!found.ok() && found.status().code() != Code::kNotFound) return found.status();
  return found.ok();
}

Result<Tensor> CheckpointReader::read(const std::string& name, Allocator& allocator, Parallel& parallel) {
  std::lock_guard lock(mutex_);
  if (bundle_) return bundle_->read(name, allocator, parallel);
  const auto at = early_->tensors().find(name);
  if (at == early_->tensors().end()) return not_found(name, " not found in checkpoint file");
  const auto& saved = at->second;
  const TensorSlice all = TensorSlice::whole(saved.shape.rank());
  TINYTF_RETURN_IF_ERROR(early_->check(name, saved, all));
  TINYTF_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(allocator, saved.dtype, saved.shape));
  TINYTF_RETURN_IF_ERROR(early_->read(name, saved, all, tensor));
  return tensor;
}

Result<std::string> CheckpointReader::debug_string() {
  std::lock_guard lock(mutex_);
  std::string text;
  if (early_) {
    for (const auto& [name, saved] : early_->tensors()) {
      text += description(name, saved.dtype, saved.shape);
      if (saved.slices.size() > 1) text += str_cat(", ", saved.slices.size(), " slices");
      text += '\n';
    }
    return text;
  }
  TINYTF_RETURN_IF_ERROR(bundle_->index().for_each([&](const std::string& key, const BundleEntry& entry) {
    if (entry.slices.empty()) text += description(key, entry.dtype, entry.shape) + "\n";
    return Status();
  }));
  return text;
}

}  // namespace tinytf

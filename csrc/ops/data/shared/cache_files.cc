#include "ops/data/shared/cache_files.h"

#include <chrono>
#include <utility>

#include "io/bundle_merge.h"
#include "io/file.h"
#include "io/file_system.h"
#include "ops/io/shared/variant_codec.h"

namespace tinytf::ops {

namespace {

constexpr int64_t kMostElements = 10'000'000;

std::string padded(int64_t number, int64_t greatest) {
  const std::string digits = std::to_string(number);
  const size_t width = std::to_string(greatest).size();
  return digits.size() < width ? std::string(width - digits.size(), ' ') + digits : digits;
}

/// "      0_1": numbers are padded so that the order of the keys is that of the elements.
std::string key_of(int64_t element, int64_t component, int64_t components) {
  return str_cat(padded(element, kMostElements - 1), "_", padded(component, components - 1));
}

Status is_locked(const std::string& lock) {
  const Result<std::string> content = read_file(lock);
  return Status(
      Code::kAlreadyExists,
      str_cat("There appears to be a concurrent caching iterator running - cache lockfile already exists ('", lock,
              "'). If you are sure no other running TF computations are using this cache prefix, delete the "
              "lockfile and re-initialize the iterator. Lockfile contents: ",
              content.ok() ? content.value() : ""));
}

Status create_lock(const std::string& lock) {
  if (file_exists(lock).ok()) return is_locked(lock);
  Result<std::unique_ptr<WritableFile>> file = WritableFile::create_new(lock);
  if (!file.ok()) return file.status().code() == Code::kAlreadyExists ? is_locked(lock) : file.status();
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const std::string text = str_cat("Created at: ", std::chrono::duration_cast<std::chrono::seconds>(now).count());
  TINYTF_RETURN_IF_ERROR(file.value()->append(text));
  return file.value()->close();
}

}  // namespace

bool has_cache(const std::string& prefix) { return file_exists(index_file_name(prefix)).ok(); }

CacheWriter::~CacheWriter() {
  if (!writer_) return;
  writer_ = nullptr;  // Deletes its files.
  (void)delete_file(lock_file(part_));
}

Status CacheWriter::begin() {
  if (writer_) return Status();
  const std::string part = part_prefix(part_);
  if (has_cache(part)) {
    return Status(Code::kAlreadyExists, str_cat("Existing cache files found: \n", index_file_name(part), "\n",
                                                data_file_name(part, 0, 1), "\nTo continue delete the above files."));
  }
  TINYTF_RETURN_IF_ERROR(create_lock(lock_file(part_)));
  Result<std::unique_ptr<BundleWriter>> writer = BundleWriter::create(part, &variant_codec());
  if (!writer.ok()) {
    (void)delete_file(lock_file(part_));
    return writer.status();
  }
  writer_ = writer.take();
  return Status();
}

Status CacheWriter::add(const KernelServices& step, const Element& element) {
  if (static_cast<int64_t>(element.size()) != components_) {
    return internal_error("Upstream iterator returned invalid number of tensors. Expected ", components_,
                          " got: ", element.size());
  }
  if (size_ >= kMostElements) {
    return invalid_argument("Upstream iterator is producing more than ", kMostElements,
                            " items, which is more than the cache limit.");
  }
  for (int64_t i = 0; i < components_; ++i) {
    TINYTF_RETURN_IF_ERROR(
        writer_->add(key_of(size_, i, components_), element[static_cast<size_t>(i)], *step.parallel));
  }
  ++size_;
  return Status();
}

Status CacheWriter::finish_part() {
  if (!writer_) return Status();
  if (part_ >= kMostParts) return Status(Code::kResourceExhausted, "The cache has too many parts");
  TINYTF_RETURN_IF_ERROR(writer_->finish());
  writer_ = nullptr;
  ++part_;
  return Status();
}

Status CacheWriter::finish() {
  TINYTF_RETURN_IF_ERROR(finish_part());
  std::vector<std::string> prefixes;
  for (int64_t part = 0; part < part_; ++part) prefixes.push_back(part_prefix(part));
  TINYTF_RETURN_IF_ERROR(merge_bundles(prefixes, prefix_, /*delete_old_folders=*/true));
  for (int64_t part = 0; part < part_; ++part) (void)delete_file(lock_file(part));
  has_finished_ = true;
  return Status();
}

void CacheWriter::save(StateWriter& state) const {
  state.put_int("part", part_);
  state.put_int("size", size_);
  state.put_int("has_finished", has_finished_);
}

Status CacheWriter::restore(const StateReader& state) {
  TINYTF_ASSIGN_OR_RETURN(part_, state.get_int("part", 0, kMostParts));
  TINYTF_ASSIGN_OR_RETURN(size_, state.get_int("size", 0, kMostElements));
  TINYTF_ASSIGN_OR_RETURN(const int64_t has_finished, state.get_int("has_finished", 0, 1));
  has_finished_ = has_finished != 0;
  return Status();
}

Status CacheReader::open() {
  TINYTF_ASSIGN_OR_RETURN(auto reader, BundleReader::open(prefix_, &variant_codec()));
  bool is_empty = true;
  const Status stops = reader->index().for_each([&](const std::string&, const BundleEntry&) {
    is_empty = false;
    return Status(Code::kAborted, "One entry is enough");
  });
  if (is_empty) TINYTF_RETURN_IF_ERROR(stops);
  const bool has_first = reader->index().find(key_of(0, 0, components_)).ok();
  const bool has_more = reader->index().find(key_of(0, components_, components_)).ok();
  if ((!is_empty && !has_first) || has_more) {
    return Status(Code::kDataLoss, str_cat("The cache ", prefix_, " has elements with another number of components"));
  }
  reader_ = std::move(reader);
  return Status();
}

Result<bool> CacheReader::read(const KernelServices& step, Element& element) {
  if (!reader_) TINYTF_RETURN_IF_ERROR(open());
  const Result<BundleEntry> first = reader_->index().find(key_of(next_, 0, components_));
  if (!first.ok() && first.status().code() == Code::kNotFound) return false;
  const int64_t at = next_++;
  element.clear();
  for (int64_t i = 0; i < components_; ++i) {
    TINYTF_ASSIGN_OR_RETURN(Tensor tensor, reader_->read(key_of(at, i, components_), *step.allocator, *step.parallel));
    element.push_back(std::move(tensor));
  }
  return true;
}

}  // namespace tinytf::ops

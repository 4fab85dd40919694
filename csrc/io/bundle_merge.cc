#include "io/bundle_merge.h"

#include <map>
#include <set>

#include "io/bundle_index.h"
#include "io/bundle_writer.h"
#include "io/durable_scope.h"
#include "io/file_system.h"
#include "io/local_path.h"
#include "io/replaced_checkpoint.h"

namespace tinytf {

namespace {

/// Collects the entries of the merged checkpoint.
class Merge {
 public:
  Status add(const std::string& prefix) {
    TINYTF_ASSIGN_OR_RETURN(BundleIndex index, BundleIndex::open(prefix));
    const BundleHeader& header = index.header();
    if (data_files_.empty()) {
      header_ = header;
    } else if (header.big_endian != header_.big_endian) {
      return invalid_argument("Merging bundles with conflicting endianness; inputs corrupted?");
    } else if (header.version != header_.version) {
      return invalid_argument("Merging bundles with different format versions: ", prefix);
    }
    if (header.data_files < 0 || header.data_files > kMaxDataFiles) {
      return Status(Code::kDataLoss,
                    str_cat("Invalid number of data files, ", header.data_files, ", in checkpoint ", prefix));
    }
    const auto before = static_cast<int32_t>(data_files_.size());
    for (int32_t i = 0; i < header.data_files; ++i) {
      data_files_.push_back(data_file_name(prefix, i, header.data_files));
    }
    return index.for_each([&](const std::string& key, BundleEntry entry) { return add(prefix, key, entry, before); });
  }

  const std::vector<std::string>& data_files() const { return data_files_; }
  const std::map<std::string, BundleEntry>& entries() const { return entries_; }
  BundleHeader header() const {
    BundleHeader header = header_;
    header.data_files = static_cast<int32_t>(data_files_.size());
    return header;
  }

 private:
  static constexpr int32_t kMaxDataFiles = 100000;

  Status add(const std::string& prefix, const std::string& key, BundleEntry& entry, int32_t data_files_before) {
    if (entry.slices.empty()) entry.data_file += data_files_before;
    const auto [at, is_new] = entries_.try_emplace(key, entry);
    if (is_new) return Status();
    BundleEntry& known = at->second;
    if (known.slices.empty() || entry.slices.empty()) {
      return invalid_argument("Duplicate tensor keyed by ", key, " encountered, when merging prefix: ", prefix);
    }
    if (known.dtype != entry.dtype || known.shape != entry.shape) {
      return invalid_argument("Slices of ", key, " have different types or shapes: ", dtype_name(known.dtype),
                              known.shape.to_string(), " and ", dtype_name(entry.dtype), entry.shape.to_string(),
                              ", when merging prefix: ", prefix);
    }
    known.slices.insert(known.slices.end(), entry.slices.begin(), entry.slices.end());
    return Status();
  }

  BundleHeader header_;
  std::vector<std::string> data_files_;
  std::map<std::string, BundleEntry> entries_;
};

}  // namespace

Status merge_bundles(const std::vector<std::string>& prefixes, const std::string& merged, bool delete_old_folders) {
  Merge merge;
  for (const std::string& prefix : prefixes) TINYTF_RETURN_IF_ERROR(merge.add(prefix));
  TINYTF_RETURN_IF_ERROR(make_folder_of(merged));
  TINYTF_ASSIGN_OR_RETURN(const auto index, AtomicFile::create(index_file_name(merged)));
  const BundleHeader header = merge.header();
  TINYTF_RETURN_IF_ERROR(write_index(*index, header, merge.entries()));
  TINYTF_ASSIGN_OR_RETURN(const ReplacedCheckpoint before, ReplacedCheckpoint::of(merged, header.data_files));
  for (int32_t i = 0; i < header.data_files; ++i) {
    TINYTF_RETURN_IF_ERROR(
        rename_file(merge.data_files()[static_cast<size_t>(i)], data_file_name(merged, i, header.data_files)));
  }
  TINYTF_RETURN_IF_ERROR(sync_folder_if_durable(merged));
  TINYTF_RETURN_IF_ERROR(index->keep());
  TINYTF_RETURN_IF_ERROR(sync_folder_if_durable(merged));
  before.drop();
  if (!delete_old_folders) return Status();
  // Best effort: other processes may have put files there.
  std::set<std::string> folders;
  for (const std::string& prefix : prefixes) {
    if (prefix == merged) continue;
    static_cast<void>(delete_file(index_file_name(prefix)).ok());
    folders.emplace(folder_of(prefix));
  }
  for (const std::string& folder : folders) static_cast<void>(delete_folder(folder).ok());
  return Status();
}

}  // namespace tinytf

#include "io/bundle_merge.h"

#include <map>
#include <set>

#include "io/bundle_index.h"
#include "io/bundle_index_writer.h"
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

  /// The renames of the data files to those of the merged checkpoint.
  Result<std::vector<PreparedRename>> renames(const std::string& merged) const {
    std::vector<PreparedRename> renames;
    const auto count = static_cast<int32_t>(data_files_.size());
    for (int32_t i = 0; i < count; ++i) {
      const std::string& from = data_files_[static_cast<size_t>(i)];
      TINYTF_ASSIGN_OR_RETURN(PreparedRename rename, PreparedRename::of(from, data_file_name(merged, i, count)));
      renames.push_back(std::move(rename));
    }
    return renames;
  }
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

/// The deletions of the old indexes and of their folders. A folder in which other processes have put files stays.
Result<std::vector<PreparedDeletion>> deletions_of(const std::vector<std::string>& prefixes,
                                                   const std::string& merged) {
  std::vector<PreparedDeletion> deletions;
  std::set<std::string> folders;
  for (const std::string& prefix : prefixes) {
    if (prefix == merged) continue;
    TINYTF_ASSIGN_OR_RETURN(PreparedDeletion deletion, PreparedDeletion::of_file(index_file_name(prefix)));
    deletions.push_back(std::move(deletion));
    folders.emplace(folder_of(prefix));
  }
  for (const std::string& folder : folders) {
    TINYTF_ASSIGN_OR_RETURN(PreparedDeletion deletion, PreparedDeletion::of_folder(folder));
    deletions.push_back(std::move(deletion));
  }
  return deletions;
}

}  // namespace

Status merge_bundles(const std::vector<std::string>& prefixes, const std::string& merged, bool delete_old_folders) {
  Merge merge;
  for (const std::string& prefix : prefixes) TINYTF_RETURN_IF_ERROR(merge.add(prefix));
  TINYTF_ASSIGN_OR_RETURN(const std::vector<PreparedRename> renames, merge.renames(merged));
  std::vector<PreparedDeletion> deletions;
  if (delete_old_folders) {
    TINYTF_ASSIGN_OR_RETURN(deletions, deletions_of(prefixes, merged));
  }
  TINYTF_RETURN_IF_ERROR(make_folder_of(merged));
  TINYTF_ASSIGN_OR_RETURN(const auto index, AtomicFile::create(index_file_name(merged)));
  const BundleHeader header = merge.header();
  TINYTF_RETURN_IF_ERROR(write_index(*index, header, merge.entries()));
  TINYTF_ASSIGN_OR_RETURN(const ReplacedCheckpoint before, ReplacedCheckpoint::of(merged, header.data_files));
  for (const PreparedRename& rename : renames) TINYTF_RETURN_IF_ERROR(rename.run());
  TINYTF_RETURN_IF_ERROR(sync_folder_if_durable(merged));
  TINYTF_RETURN_IF_ERROR(index->keep());
  TINYTF_RETURN_IF_ERROR(sync_folder_if_durable(merged));
  before.drop();
  for (const PreparedDeletion& deletion : deletions) deletion.try_to_run();
  return Status();
}

}  // namespace tinytf

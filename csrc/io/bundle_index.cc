#include "io/bundle_index.h"

namespace tinytf {

namespace {

// Limit of the total key size, per byte of the file. Keys share prefixes, but in TensorFlow's files every sixteenth key
// is stored whole; blocks may also be compressed.
constexpr uint64_t kMostKeyBytes = 256;

Status corrupt(const Status& status, const std::string& file, const char* what) {
  return Status(status.ok() ? Code::kDataLoss : status.code(),
                str_cat("Unable to read file (", file,
                        "). Perhaps the file is corrupt or was produced by a newer version of TensorFlow with format "
                        "changes (",
                        what, "): ", status.message()));
}

/// System errors already name the file; errors about its contents do not.
Status with_name(const Status& status, const std::string& file) {
  if (status.code() != Code::kDataLoss && status.code() != Code::kOutOfRange) return status;
  return Status(status.code(), str_cat(status.message(), ": ", file));
}

}  // namespace

Result<BundleIndex> BundleIndex::open(const std::string& prefix) {
  const std::string file = index_file_name(prefix);
  auto table = Table::open(file);
  if (!table.ok()) return with_name(table.status(), file);
  TINYTF_ASSIGN_OR_RETURN(TableCursor cursor, TableCursor::open(table.take()));
  cursor.seek("");
  if (!cursor.valid() || !cursor.key().empty()) {
    return corrupt(cursor.status(), file, "failed to seek to header entry");
  }
  auto header = BundleHeader::parse(cursor.value());
  if (header.status().code() == Code::kDataLoss) return corrupt(header.status(), file, "unable to parse header entry");
  if (!header.ok()) return header.status();
  return BundleIndex(prefix, header.take(), std::move(cursor));
}

Result<BundleEntry> BundleIndex::find(const std::string& key) {
  cursor_.seek(key);
  if (!cursor_.status().ok()) return cursor_.status();
  if (!cursor_.valid() || cursor_.key() != key || key.empty()) {
    return not_found("Key ", key, " not found in checkpoint");
  }
  return BundleEntry::parse(cursor_.value(), key);
}

Status BundleIndex::for_each(FunctionRef<Status(const std::string&, BundleEntry)> f) {
  uint64_t left = kMostKeyBytes * cursor_.file_size();
  for (cursor_.seek_to_first(); cursor_.valid(); cursor_.next()) {
    if (cursor_.key().empty()) continue;
    if (cursor_.key().size() > left)
      return Status(Code::kDataLoss, "the keys of the index are too long for the size of the file");
    left -= cursor_.key().size();
    TINYTF_ASSIGN_OR_RETURN(BundleEntry entry, BundleEntry::parse(cursor_.value(), cursor_.key()));
    TINYTF_RETURN_IF_ERROR(f(cursor_.key(), std::move(entry)));
  }
  return cursor_.status();
}

}  // namespace tinytf

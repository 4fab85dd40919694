#include "io/replaced_checkpoint.h"

#include <map>

#include "io/bundle_index.h"
#include "io/bundle_index_writer.h"
#include "io/durable_scope.h"
#include "io/file_system.h"

namespace tinytf {

Result<ReplacedCheckpoint> ReplacedCheckpoint::of(const std::string& prefix, int32_t data_files) {
  ReplacedCheckpoint aside;
  if (!file_exists(index_file_name(prefix)).ok()) return aside;
  auto index = BundleIndex::open(prefix);
  if (!index.ok()) return aside;  // It is unreadable, so there is nothing to preserve.
  BundleHeader header = index.value().header();
  if (header.data_files != data_files) return aside;
  std::map<std::string, BundleEntry> entries;
  const Status read = index.value().for_each([&](const std::string& key, BundleEntry entry) {
    entries.emplace(key, std::move(entry));
    return Status();
  });
  if (!read.ok()) return aside;
  ++header.data_files;
  for (int32_t i = 0; i < data_files; ++i) {
    const std::string second = data_file_name(prefix, i, header.data_files);
    TINYTF_ASSIGN_OR_RETURN(PreparedDeletion deletion, PreparedDeletion::of_file(second));
    aside.names_.push_back(std::move(deletion));
    const Status linked = link_file(data_file_name(prefix, i, data_files), second);
    if (!linked.ok()) aside.names_.pop_back();
    if (linked.ok() || linked.code() == Code::kNotFound) continue;
    aside.drop();
    return ReplacedCheckpoint();
  }
  TINYTF_ASSIGN_OR_RETURN(const auto file, AtomicFile::create(index_file_name(prefix)));
  TINYTF_RETURN_IF_ERROR(write_index(*file, header, entries));
  TINYTF_RETURN_IF_ERROR(sync_folder_if_durable(prefix));
  TINYTF_RETURN_IF_ERROR(file->keep());
  TINYTF_RETURN_IF_ERROR(sync_folder_if_durable(prefix));
  return aside;
}

void ReplacedCheckpoint::drop() const {
  // Best effort: leftovers do no harm.
  for (const PreparedDeletion& name : names_) name.try_to_run();
}

}  // namespace tinytf

#include "io/bundle_index_writer.h"

#include "io/table_builder.h"

namespace tinytf {

Status write_index(AtomicFile& file, const BundleHeader& header, const std::map<std::string, BundleEntry>& entries) {
  TableBuilder table(file.file());
  TINYTF_RETURN_IF_ERROR(table.add("", header.bytes()));
  for (const auto& [key, entry] : entries) TINYTF_RETURN_IF_ERROR(table.add(key, entry.bytes()));
  TINYTF_RETURN_IF_ERROR(table.finish());
  return file.close();
}

}  // namespace tinytf

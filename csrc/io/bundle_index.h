#pragma once

#include <memory>
#include <string>

#include "base/function_ref.h"
#include "base/status.h"
#include "io/bundle_entry.h"
#include "io/table.h"

namespace tinytf {

/// Reads the index of a checkpoint, the file `PREFIX.index`: its entries by key. One thread at a time.
class BundleIndex {
 public:
  /// NotFound if the file does not exist, DataLoss if it is damaged, InvalidArgument if its version is too new.
  static Result<BundleIndex> open(const std::string& prefix);

  const std::string& prefix() const { return prefix_; }
  const BundleHeader& header() const { return header_; }
  /// NotFound "Key K not found in checkpoint". Lookups in ascending key order are faster.
  Result<BundleEntry> find(const std::string& key);
  /// Calls f(key, entry) for all entries in key order, until it returns an error. Keys of tensor slices begin with a
  /// NUL. DataLoss if the total size of the keys exceeds a bound derived from the file size.
  Status for_each(FunctionRef<Status(const std::string&, BundleEntry)> f);

 private:
  BundleIndex(std::string prefix, BundleHeader header, TableCursor cursor)
      : prefix_(std::move(prefix)), header_(std::move(header)), cursor_(std::move(cursor)) {}

  std::string prefix_;
  BundleHeader header_;
  TableCursor cursor_;
};

}  // namespace tinytf

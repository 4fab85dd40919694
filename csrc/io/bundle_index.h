#pragma once

#include <memory>
#include <string>

#include "base/function_ref.h"
#include "base/status.h"
#include "io/bundle_entry.h"
#include "io/table.h"

namespace tinytf {

/// The index of a checkpoint: what it has under which key. One thread at a time.
class BundleIndex {
 public:
  /// NotFound if there is no such file, DataLoss for one that is damaged, InvalidArgument for versions that are too
  /// new.
  static Result<BundleIndex> open(const std::string& prefix);

  const std::string& prefix() const { return prefix_; }
  const BundleHeader& header() const { return header_; }
  /// NotFound "Key K not found in checkpoint". Names that come in their order are found faster.
  Result<BundleEntry> find(const std::string& key);
  /// Calls f(key, entry) for all entries, in their order, until it yields an error. Parts of tensors have keys that
  /// begin with a NUL. What the keys take together is bounded by the size of the file: DataLoss beyond that.
  Status for_each(FunctionRef<Status(const std::string&, BundleEntry)> f);

 private:
  BundleIndex(std::string prefix, BundleHeader header, TableCursor cursor)
      : prefix_(std::move(prefix)), header_(std::move(header)), cursor_(std::move(cursor)) {}

  std::string prefix_;
  BundleHeader header_;
  TableCursor cursor_;
};

}  // namespace tinytf

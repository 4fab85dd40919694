#pragma once

#include <memory>
#include <string>

#include "io/bundle_reader.h"
#include "io/bundle_writer.h"
#include "op/kernel.h"
#include "ops/data/shared/dataset_kernel.h"

namespace tinytf::ops {

// The files of a cached dataset, in TensorFlow's format: a checkpoint with the components of all elements. It is
// written in parts, one more for each position that was saved meanwhile, and merged at the end.

/// Writes the elements of a dataset. Not thread-safe.
class CacheWriter {
 public:
  CacheWriter(std::string prefix, int64_t components) : prefix_(std::move(prefix)), components_(components) {}
  /// Deletes what is incomplete.
  ~CacheWriter();
  CacheWriter(const CacheWriter&) = delete;
  CacheWriter& operator=(const CacheWriter&) = delete;

  /// Creates the files of the part, unless that is done. AlreadyExists with TensorFlow's texts if there are such files
  /// or another iterator writes them.
  Status begin();
  Status add(const KernelServices& step, const Element& element);
  /// Completes the part; elements that are added later are in another one.
  Status finish_part();
  /// Completes the cache.
  Status finish();

  bool has_finished() const { return has_finished_; }
  int64_t size() const { return size_; }
  void save(StateWriter& state) const;
  Status restore(const StateReader& state);

 private:
  std::string part_prefix(int64_t part) const { return str_cat(prefix_, "_", part); }
  std::string lock_file(int64_t part) const { return part_prefix(part) + ".lockfile"; }

  static constexpr int64_t kMostParts = 10000;
  const std::string prefix_;
  const int64_t components_;
  int64_t part_ = 0;
  int64_t size_ = 0;  // Elements in all parts.
  bool has_finished_ = false;
  std::unique_ptr<BundleWriter> writer_;  // Of the part that was begun.
};

/// Reads the elements of a complete cache. Not thread-safe.
class CacheReader {
 public:
  CacheReader(std::string prefix, int64_t components, int64_t next = 0)
      : prefix_(std::move(prefix)), components_(components), next_(next) {}

  /// Sets `element` to the next one; false at the end. After an error, the next call continues behind the element.
  Result<bool> read(const KernelServices& step, Element& element);
  int64_t next() const { return next_; }

 private:
  Status open();

  const std::string prefix_;
  const int64_t components_;
  int64_t next_;
  std::unique_ptr<BundleReader> reader_;
};

/// Whether there is a complete cache.
bool has_cache(const std::string& prefix);

}  // namespace tinytf::ops

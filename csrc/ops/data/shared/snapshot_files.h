#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/byte_sink.h"
#include "ops/data/shared/dataset_kernel.h"
#include "ops/data/shared/file_bytes.h"

namespace tinytf::ops {

// Snapshots of datasets, in TensorFlow's format: a folder for each graph, with a file of metadata and a folder for each
// run that writes. The folder of a run has files of elements. A file is a sequence of messages, each after its length
// in 8 bytes; files of elements may be compressed as a whole.

/// What is known about the snapshot of a graph.
struct SnapshotMetadata {
  std::string graph_hash;
  std::string run_id;  ///< of the run that writes or wrote the snapshot; the name of its folder
  int64_t created_micros = 0;
  bool is_finalized = false;
};

/// Reads the metadata in the folder of a graph. NotFound if there are none, DataLoss if they are damaged.
Result<SnapshotMetadata> read_snapshot_metadata(const std::string& folder);
/// Writes the metadata into the folder, which is made if it does not exist. Readers find the metadata before or after
/// the change, whatever happens.
Status write_snapshot_metadata(const std::string& folder, const SnapshotMetadata& metadata);

/// Whether the text can be the name of a run's folder, and leads nowhere else.
bool is_run_id(const std::string& text);

/// What to do with a snapshot.
enum class SnapshotMode : int64_t {
  kRead,
  kWrite,
  kPass,  ///< another run writes it
};
/// As in TensorFlow. `metadata` is null if there are none; a run may take `expiry_seconds` before another one writes.
SnapshotMode snapshot_mode(const SnapshotMetadata* metadata, int64_t now_micros, int64_t expiry_seconds);

/// The files of a run's folder, in the order of their names. InvalidArgument with TensorFlow's text if there are none,
/// NotFound without the folder.
Result<std::vector<std::string>> snapshot_files(const std::string& folder);
/// 16 hexadecimal digits, as TensorFlow names graphs and runs.
std::string snapshot_id(uint64_t number);
/// "00000012.snapshot"
std::string snapshot_file_name(int64_t number);

/// Appends the record of an element. InvalidArgument for one that is too large for a message; else fails as
/// write_tensor_content does.
Status write_snapshot_record(const Element& element, ByteSink& sink);

/// Reads the elements of one file. One thread at a time.
class SnapshotFile {
 public:
  static Result<SnapshotFile> open(const std::string& name, std::optional<DeflateFormat> compression);

  /// Sets `element` to the next one; false at the end. DataLoss if the file is damaged or ends within a record. After
  /// an error, which is none of the step's end, nothing more can be read.
  Result<bool> read(const IteratorContext& ctx, Element& element);
  /// Skips the next element; false at the end.
  Result<bool> skip(const IteratorContext& ctx);

 private:
  SnapshotFile(std::string name, FileBytes bytes) : name_(std::move(name)), bytes_(std::move(bytes)) {}
  /// Sets the length of the next record; false at the end.
  Result<bool> length(const IteratorContext& ctx, uint64_t& length);
  Status damaged(std::string_view problem) const;

  std::string name_;
  FileBytes bytes_;
};

}  // namespace tinytf::ops

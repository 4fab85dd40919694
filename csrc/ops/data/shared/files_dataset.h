#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/deflate.h"
#include "ops/data/shared/dataset_kernel.h"

namespace tinytf::ops {

/// The files of a dataset, which are read one after the other.
struct FileList {
  std::vector<std::string> names;
  std::optional<DeflateFormat> compression;
};

/// The file names in input i. InvalidArgument with TensorFlow's text.
Result<std::vector<std::string>> file_names_input(const KernelContext& ctx, int i);
/// The compression named by input i. InvalidArgument with TensorFlow's text.
Result<std::optional<DeflateFormat>> compression_input(const KernelContext& ctx, int i);
/// Checks the size of a buffer in input i. Files are read in pieces of a size that suits the system, so it has no other
/// effect. `remark` follows the text of the error.
Status check_buffer_size_input(const KernelContext& ctx, int i, std::string_view remark);

/// The spec of elements that are one string.
std::shared_ptr<const ElementSpec> text_spec();
/// Sets the element to one string. Reuses its memory.
Status set_text(const IteratorContext& ctx, Element& element, std::string_view text);
/// The error for an OutOfRange error inside a dataset of that kind, which would look like the end of the sequence.
Status unexpected_end(std::string_view kind, const Status& error);

/// Base of the iterators of datasets that read files one after the other. The position is the number of the file and an
/// offset in its decompressed contents.
class FilesIterator : public data::Iterator {
 public:
  Result<Pulled> pull(PullContext& ctx, Element& element) final;
  Status save(IteratorContext& ctx, StateWriter& state) override;
  Status restore(IteratorContext& ctx, StateReader& state) override;

 protected:
  /// `files` must outlive the iterator.
  explicit FilesIterator(const FileList& files) : files_(files) {}

  /// Opens a file. After an error, the next pull opens it again.
  virtual Status open(const IteratorContext& ctx, const std::string& name) = 0;
  /// Opens a file again whose reading was interrupted behind this offset. An offset may be hostile.
  virtual Status reopen(const IteratorContext& ctx, const std::string& name, uint64_t offset) = 0;
  /// Reads the next element of the open file; kEnd at its end. After an error, the next pull reads again, unless
  /// leave_file() was called.
  virtual Result<Pulled> read(PullContext& ctx, Element& element) = 0;
  /// Closes the open file.
  virtual void close() = 0;
  /// The offset of the next element in the open file.
  virtual uint64_t offset() const = 0;

  /// Goes on to the next file.
  void leave_file();
  /// Makes the file whose opening failed count as open.
  void set_open() { is_open_ = true; }
  const FileList& files() const { return files_; }
  const std::string& file_name() const { return files_.names[file_]; }

 private:
  const FileList& files_;
  size_t file_ = 0;
  bool is_open_ = false;
};

}  // namespace tinytf::ops

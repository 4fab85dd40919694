#include <algorithm>

#include "ops/data/shared/dataset_shapes.h"
#include "ops/data/shared/file_bytes.h"
#include "ops/data/shared/files_dataset.h"

namespace tinytf::ops {
namespace {

class TextLineDataset final : public Dataset {
 public:
  TextLineDataset(DatasetParts parts, FileList files) : Dataset(std::move(parts)), files_(std::move(files)) {}

  const FileList& files() const { return files_; }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;

 private:
  const FileList files_;
};

class TextLineIterator final : public FilesIterator {
 public:
  explicit TextLineIterator(const TextLineDataset& dataset)
      : FilesIterator(dataset.files()), dataset_(RefPtr<const TextLineDataset>::share(&dataset)) {}

 protected:
  Status open(const IteratorContext&, const std::string& name) override {
    TINYTF_ASSIGN_OR_RETURN(bytes_, FileBytes::open(name, files().compression));
    return Status();
  }
  Status reopen(const IteratorContext& ctx, const std::string& name, uint64_t offset) override {
    TINYTF_ASSIGN_OR_RETURN(bytes_, reopened(ctx, name, files().compression, offset));
    return Status();
  }
  Result<Pulled> read(PullContext& ctx, Element& element) override {
    for (size_t searched = 0;;) {
      const std::string_view ready = bytes_->ready();
      const size_t end = ready.find('\n', searched);
      if (end != std::string_view::npos) return take(ctx, element, end, 1);
      searched = ready.size();
      TINYTF_ASSIGN_OR_RETURN(const bool has_more, bytes_->has(ctx, searched + 1));
      if (has_more) continue;
      // Carriage returns alone are no line.
      if (bytes_->ready().find_first_not_of('\r') == std::string_view::npos) return Pulled::kEnd;
      return take(ctx, element, searched, 0);
    }
  }
  void close() override { bytes_.reset(); }
  uint64_t offset() const override { return bytes_->offset(); }

 private:
  /// Takes a line of `line` bytes, without carriage returns, and drops it with its end of `end` bytes.
  Result<Pulled> take(const IteratorContext& ctx, Element& element, size_t line, size_t end) {
    const std::string_view text = bytes_->ready().substr(0, line);
    TINYTF_RETURN_IF_ERROR(set_text(ctx, element, text));
    if (text.find('\r') != std::string_view::npos) {
      auto& value = *element[0].data<std::string>();
      value.erase(std::remove(value.begin(), value.end(), '\r'), value.end());
    }
    bytes_->drop(line + end);
    return Pulled::kElement;
  }

  const RefPtr<const TextLineDataset> dataset_;
  std::optional<FileBytes> bytes_;
};

Result<IteratorPtr> TextLineDataset::make_iterator(IteratorContext&) const {
  return IteratorPtr(std::make_unique<TextLineIterator>(*this));
}

class TextLineKernel final : public DatasetKernel {
 public:
  explicit TextLineKernel(KernelInit& init) : DatasetKernel(init, text_spec()) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    FileList files;
    TINYTF_ASSIGN_OR_RETURN(files.names, file_names_input(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(files.compression, compression_input(ctx, 1));
    TINYTF_RETURN_IF_ERROR(check_buffer_size_input(ctx, 2, " (0 == default)"));
    return RefPtr<const Dataset>(make_ref<TextLineDataset>(std::move(parts), std::move(files)));
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_text_line) {
  using namespace tinytf::ops;
  ops.op("TextLineDataset")
      .input("filenames: string")
      .input("compression_type: string")
      .input("buffer_size: int64")
      .output("handle: variant")
      .stateful()
      .shape(shapes::files_dataset<1, 2>)
      .no_gradient()
      .doc(
          "Makes a dataset of the lines of the files, one after the other, without line ends and carriage returns. "
          "`compression_type` is empty, `ZLIB` or `GZIP`; `buffer_size` has no effect.");
  kernels.add<TextLineKernel>("TextLineDataset");
}

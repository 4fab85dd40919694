#include <algorithm>

#include "io/file_system.h"
#include "ops/data/shared/dataset_shapes.h"
#include "ops/data/shared/file_bytes.h"
#include "ops/data/shared/files_dataset.h"

namespace tinytf::ops {
namespace {

/// The parts of a file in bytes.
struct RecordSizes {
  uint64_t header = 0, record = 0, footer = 0;
};

class FixedLengthRecordDataset final : public Dataset {
 public:
  FixedLengthRecordDataset(DatasetParts parts, FileList files, RecordSizes sizes)
      : Dataset(std::move(parts)), files_(std::move(files)), sizes_(sizes) {}

  const FileList& files() const { return files_; }
  const RecordSizes& sizes() const { return sizes_; }
  bool is_v2() const { return origin().node->op->inputs.size() > 5; }
  Status unexpected_end(const char* text) const {
    return ops::unexpected_end(is_v2() ? "FixedLengthRecordV2" : "FixedLengthRecord", Status(Code::kOutOfRange, text));
  }
  /// The error for a file with another size. As in TensorFlow, sizes are computed modulo 2^64.
  std::string misfit(const std::string& name, uint64_t body) const {
    return str_cat("Excluding the header (", sizes_.header, " bytes) and footer (", sizes_.footer,
                   " bytes), input file \"", name, "\" has body length ", body,
                   " bytes, which is not an exact multiple of the record length (", sizes_.record, " bytes).");
  }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;

 private:
  const FileList files_;
  const RecordSizes sizes_;
};

/// Reads files that are not compressed, whose sizes are checked when they are opened.
class PlainRecordIterator final : public FilesIterator {
 public:
  explicit PlainRecordIterator(const FixedLengthRecordDataset& dataset)
      : FilesIterator(dataset.files()), dataset_(RefPtr<const FixedLengthRecordDataset>::share(&dataset)) {}

 protected:
  Status open(const IteratorContext& ctx, const std::string& name) override {
    TINYTF_RETURN_IF_ERROR(open_at_records(name));
    TINYTF_ASSIGN_OR_RETURN(const bool has_header, bytes_->skip(ctx, dataset_->sizes().header));
    if (has_header) return Status();
    set_open();
    return dataset_->unexpected_end("Read less bytes than requested");
  }
  Status reopen(const IteratorContext& ctx, const std::string& name, uint64_t offset) override {
    TINYTF_RETURN_IF_ERROR(open_at_records(name));
    TINYTF_ASSIGN_OR_RETURN(bytes_, reopened(ctx, name, {}, offset));
    return Status();
  }
  Result<Pulled> read(PullContext& ctx, Element& element) override {
    if (static_cast<int64_t>(bytes_->offset()) >= end_) return Pulled::kEnd;
    const auto record = static_cast<size_t>(dataset_->sizes().record);
    TINYTF_ASSIGN_OR_RETURN(const bool has_record, bytes_->has(ctx, record));
    if (!has_record) {  // The file has become shorter.
      leave_file();
      return dataset_->unexpected_end("Read less bytes than requested");
    }
    TINYTF_RETURN_IF_ERROR(set_text(ctx, element, bytes_->ready().substr(0, record)));
    bytes_->drop(record);
    return Pulled::kElement;
  }
  void close() override { bytes_.reset(); }
  uint64_t offset() const override { return bytes_->offset(); }

 private:
  Status open_at_records(const std::string& name) {
    const auto& [header, record, footer] = dataset_->sizes();
    TINYTF_ASSIGN_OR_RETURN(const uint64_t size, file_size(name));
    const uint64_t body = size - (header + footer);
    if (body % record != 0) return invalid_argument(dataset_->misfit(name, body));
    end_ = static_cast<int64_t>(size) - static_cast<int64_t>(footer);
    TINYTF_ASSIGN_OR_RETURN(bytes_, FileBytes::open(name, {}));
    return Status();
  }

  const RefPtr<const FixedLengthRecordDataset> dataset_;
  std::optional<FileBytes> bytes_;
  int64_t end_ = 0;  // The offset of the footer; negative if the file is shorter.
};

/// Reads compressed files, whose sizes are not known before their ends.
class CompressedRecordIterator final : public FilesIterator {
 public:
  explicit CompressedRecordIterator(const FixedLengthRecordDataset& dataset)
      : FilesIterator(dataset.files()), dataset_(RefPtr<const FixedLengthRecordDataset>::share(&dataset)) {}

 protected:
  Status open(const IteratorContext& ctx, const std::string& name) override {
    const RecordSizes& sizes = dataset_->sizes();
    TINYTF_ASSIGN_OR_RETURN(bytes_, FileBytes::open(name, files().compression));
    set_open();
    TINYTF_ASSIGN_OR_RETURN(const bool has_header, bytes_->skip(ctx, sizes.header));
    if (!has_header) return dataset_->unexpected_end("EOF reached");
    TINYTF_ASSIGN_OR_RETURN(const bool has_footer, bytes_->has(ctx, sizes.footer));
    if (has_footer) return Status();
    bytes_->drop(bytes_->ready().size());
    return dataset_->unexpected_end("EOF reached");
  }
  Status reopen(const IteratorContext& ctx, const std::string& name, uint64_t offset) override {
    TINYTF_ASSIGN_OR_RETURN(bytes_, reopened(ctx, name, files().compression, offset));
    return Status();
  }
  Result<Pulled> read(PullContext& ctx, Element& element) override {
    const auto& [header, record, footer] = dataset_->sizes();
    TINYTF_ASSIGN_OR_RETURN(const bool has_record, bytes_->has(ctx, record + footer));  // Both are below 2^63.
    const std::string_view ready = bytes_->ready();
    if (!has_record && ready.size() <= footer) return Pulled::kEnd;
    if (!has_record) {
      const uint64_t body = bytes_->offset() + ready.size() - (header + footer);
      bytes_->drop(ready.size());
      return Status(Code::kDataLoss, dataset_->misfit(file_name(), body));
    }
    TINYTF_RETURN_IF_ERROR(set_text(ctx, element, ready.substr(0, static_cast<size_t>(record))));
    bytes_->drop(static_cast<size_t>(record));
    return Pulled::kElement;
  }
  void close() override { bytes_.reset(); }
  uint64_t offset() const override { return bytes_->offset(); }

 private:
  const RefPtr<const FixedLengthRecordDataset> dataset_;
  std::optional<FileBytes> bytes_;
};

Result<IteratorPtr> FixedLengthRecordDataset::make_iterator(IteratorContext&) const {
  if (files_.compression) return IteratorPtr(std::make_unique<CompressedRecordIterator>(*this));
  return IteratorPtr(std::make_unique<PlainRecordIterator>(*this));
}

class FixedLengthRecordKernel final : public DatasetKernel {
 public:
  explicit FixedLengthRecordKernel(KernelInit& init) : DatasetKernel(init, text_spec()) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    FileList files;
    TINYTF_ASSIGN_OR_RETURN(files.names, file_names_input(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(const int64_t header, scalar_input<int64_t>(ctx, 1, "header_bytes"));
    if (header < 0) return invalid_argument("`header_bytes` must be >= 0");
    TINYTF_ASSIGN_OR_RETURN(const int64_t record, scalar_input<int64_t>(ctx, 2, "record_bytes"));
    if (record <= 0) return invalid_argument("`record_bytes` must be > 0");
    TINYTF_ASSIGN_OR_RETURN(const int64_t footer, scalar_input<int64_t>(ctx, 3, "footer_bytes"));
    if (footer < 0) return invalid_argument("`footer_bytes` must be >= 0");
    TINYTF_RETURN_IF_ERROR(check_buffer_size_input(ctx, 4, ""));
    if (ctx.num_inputs() > 5) {
      TINYTF_ASSIGN_OR_RETURN(files.compression, compression_input(ctx, 5));
    }
    const RecordSizes sizes{static_cast<uint64_t>(header), static_cast<uint64_t>(record),
                            static_cast<uint64_t>(footer)};
    return RefPtr<const Dataset>(make_ref<FixedLengthRecordDataset>(std::move(parts), std::move(files), sizes));
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_fixed_length_record) {
  using namespace tinytf::ops;
  ops.op("FixedLengthRecordDataset")
      .input("filenames: string")
      .input("header_bytes: int64")
      .input("record_bytes: int64")
      .input("footer_bytes: int64")
      .input("buffer_size: int64")
      .output("handle: variant")
      .stateful()
      .shape(shapes::files_dataset<1, 2, 3, 4>)
      .no_gradient()
      .doc(
          "Makes a dataset of the records of `record_bytes` bytes between header and footer of the files, one after "
          "the other. A file with a part of a record is an error; `buffer_size` has no effect.");
  kernels.add<FixedLengthRecordKernel>("FixedLengthRecordDataset");

  ops.op("FixedLengthRecordDatasetV2")
      .input("filenames: string")
      .input("header_bytes: int64")
      .input("record_bytes: int64")
      .input("footer_bytes: int64")
      .input("buffer_size: int64")
      .input("compression_type: string")
      .output("handle: variant")
      .stateful()
      .shape(shapes::files_dataset<1, 2, 3, 4, 5>)
      .no_gradient()
      .doc(
          "Does what FixedLengthRecordDataset does, for files that may be compressed: `compression_type` is empty, "
          "`ZLIB` or `GZIP`.");
  kernels.add<FixedLengthRecordKernel>("FixedLengthRecordDatasetV2");
}

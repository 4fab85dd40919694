#include <algorithm>

#include "io/record_reader.h"
#include "ops/data/shared/dataset_shapes.h"
#include "ops/data/shared/files_dataset.h"

namespace tinytf::ops {
namespace {

class TFRecordDataset final : public Dataset {
 public:
  TFRecordDataset(DatasetParts parts, FileList files, RecordCompression compression)
      : Dataset(std::move(parts)), files_(std::move(files)), compression_(compression) {}

  const FileList& files() const { return files_; }
  RecordCompression compression() const { return compression_; }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;

 private:
  const FileList files_;
  const RecordCompression compression_;
};

class TFRecordIterator final : public FilesIterator {
 public:
  explicit TFRecordIterator(const TFRecordDataset& dataset)
      : FilesIterator(dataset.files()), dataset_(RefPtr<const TFRecordDataset>::share(&dataset)) {}

 protected:
  Status open(const IteratorContext&, const std::string& name) override {
    auto reader = RecordReader::open(name, dataset_->compression());
    // In TensorFlow only the first read finds that the file is a folder. Damaged files are left behind.
    if (reader.status().code() == Code::kFailedPrecondition) leave_file();
    TINYTF_ASSIGN_OR_RETURN(reader_, std::move(reader));
    return Status();
  }
  Status reopen(const IteratorContext& ctx, const std::string& name, uint64_t offset) override {
    TINYTF_ASSIGN_OR_RETURN(reader_, RecordReader::open(name, dataset_->compression()));
    while (reader_->offset() < offset) {
      TINYTF_RETURN_IF_ERROR(ctx.check());
      const Status skipped = reader_->skip(std::min(offset - reader_->offset(), kPiece));
      if (skipped.code() != Code::kOutOfRange) TINYTF_RETURN_IF_ERROR(skipped);
      if (!skipped.ok()) {
        return Status(Code::kDataLoss, str_cat("The saved position of the iterator is behind the end of ", name));
      }
    }
    return Status();
  }
  Result<Pulled> read(PullContext& ctx, Element& element) override {
    std::string_view record;
    const Status status = reader_->next(&record);
    if (status.code() == Code::kOutOfRange) return Pulled::kEnd;
    if (!status.ok()) {
      leave_file();
      return status;
    }
    TINYTF_RETURN_IF_ERROR(set_text(ctx, element, record));
    return Pulled::kElement;
  }
  void close() override { reader_.reset(); }
  uint64_t offset() const override { return reader_->offset(); }

 private:
  static constexpr uint64_t kPiece = uint64_t{1} << 20;  // Bytes skipped between two looks at whether the step is over.

  const RefPtr<const TFRecordDataset> dataset_;
  std::unique_ptr<RecordReader> reader_;
};

Result<IteratorPtr> TFRecordDataset::make_iterator(IteratorContext&) const {
  return IteratorPtr(std::make_unique<TFRecordIterator>(*this));
}

class TFRecordKernel final : public DatasetKernel {
 public:
  explicit TFRecordKernel(KernelInit& init) : DatasetKernel(init, text_spec()) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    FileList files;
    TINYTF_ASSIGN_OR_RETURN(files.names, file_names_input(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(const std::string name, scalar_input<std::string>(ctx, 1, "compression_type"));
    TINYTF_RETURN_IF_ERROR(check_buffer_size_input(ctx, 2, " (0 == no buffering)"));
    // As in TensorFlow, an unknown name means none.
    const auto compression = record_compression(name);
    return RefPtr<const Dataset>(make_ref<TFRecordDataset>(
        std::move(parts), std::move(files), compression.ok() ? compression.value() : RecordCompression::kNone));
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_tf_record) {
  using namespace tinytf::ops;
  ops.op("TFRecordDataset")
      .input("filenames: string")
      .input("compression_type: string")
      .input("buffer_size: int64")
      .output("handle: variant")
      .stateful()
      .shape(shapes::files_dataset<1, 2>)
      .no_gradient()
      .doc(
          "Makes a dataset of the records of the files, one after the other. `compression_type` is empty, `ZLIB` or "
          "`GZIP`; `buffer_size` has no effect.");
  kernels.add<TFRecordKernel>("TFRecordDataset");
}

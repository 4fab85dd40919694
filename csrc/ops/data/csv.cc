#include "ops/data/shared/csv_file.h"
#include "ops/data/shared/dataset_shapes.h"
#include "ops/data/shared/files_dataset.h"

namespace tinytf::ops {
namespace {

class CSVDataset final : public Dataset {
 public:
  CSVDataset(DatasetParts parts, FileList files, CsvFileFormat format, bool has_header)
      : Dataset(std::move(parts)), files_(std::move(files)), format_(std::move(format)), has_header_(has_header) {}

  const FileList& files() const { return files_; }
  const CsvFileFormat& format() const { return format_; }
  bool has_header() const { return has_header_; }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;

 private:
  const FileList files_;
  const CsvFileFormat format_;
  const bool has_header_;
};

class CSVIterator final : public FilesIterator {
 public:
  explicit CSVIterator(const CSVDataset& dataset)
      : FilesIterator(dataset.files()), dataset_(RefPtr<const CSVDataset>::share(&dataset)) {}

 protected:
  Status open(const IteratorContext& ctx, const std::string& name) override {
    TINYTF_ASSIGN_OR_RETURN(FileBytes bytes, FileBytes::open(name, files().compression));
    file_.emplace(std::move(bytes), dataset_->format());
    if (!dataset_->has_header()) return Status();
    const Status status = file_->skip_header(ctx);
    if (status.code() == Code::kInvalidArgument) set_open();
    return status;
  }
  Status reopen(const IteratorContext& ctx, const std::string& name, uint64_t offset) override {
    TINYTF_ASSIGN_OR_RETURN(FileBytes bytes, reopened(ctx, name, files().compression, offset));
    file_.emplace(std::move(bytes), dataset_->format());
    return Status();
  }
  Result<Pulled> read(PullContext& ctx, Element& element) override {
    TINYTF_ASSIGN_OR_RETURN(const bool has_record, file_->next(ctx, element));
    return has_record ? Pulled::kElement : Pulled::kEnd;
  }
  void close() override { file_.reset(); }
  uint64_t offset() const override { return file_->offset(); }

 private:
  const RefPtr<const CSVDataset> dataset_;
  std::optional<CsvFile> file_;
};

Result<IteratorPtr> CSVDataset::make_iterator(IteratorContext&) const {
  return IteratorPtr(std::make_unique<CSVIterator>(*this));
}

Status check_columns(const std::vector<int64_t>& columns, size_t outputs) {
  if (columns.empty()) return Status();
  if (columns.size() != outputs) return invalid_argument("select_cols should match output size");
  for (size_t i = 0; i < columns.size(); ++i) {
    if (i > 0 && columns[i] <= columns[i - 1]) {
      return invalid_argument("select_cols should be strictly increasing indices");
    }
    if (columns[i] < 0) return invalid_argument("select_cols should be non-negative indices");
  }
  return Status();
}

class CSVKernel final : public DatasetKernel {
 public:
  explicit CSVKernel(KernelInit& init) : DatasetKernel(init), types_(init.attr<std::vector<DType>>("output_types")) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    FileList files;
    TINYTF_ASSIGN_OR_RETURN(files.names, file_names_input(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(const std::string compression, scalar_input<std::string>(ctx, 1, "compression_type"));
    CsvFileFormat format;
    format.types = types_;
    TINYTF_RETURN_IF_ERROR(read_defaults(ctx, format));
    if (ctx.input(7).rank() != 1) return invalid_argument("`select_cols` must be a vector.");
    TINYTF_ASSIGN_OR_RETURN(format.columns, vector_input<int64_t>(ctx, 7, "select_cols"));
    TINYTF_ASSIGN_OR_RETURN(const int64_t buffer_size, scalar_input<int64_t>(ctx, 2, "buffer_size"));
    if (buffer_size <= 0) return invalid_argument("buffer_size should be positive");
    TINYTF_ASSIGN_OR_RETURN(const bool has_header, scalar_input<bool>(ctx, 3, "header"));
    TINYTF_ASSIGN_OR_RETURN(const std::string delimiter, scalar_input<std::string>(ctx, 4, "field_delim"));
    if (delimiter.size() != 1) return invalid_argument("field_delim should be only 1 char");
    format.delimiter = delimiter[0];
    TINYTF_ASSIGN_OR_RETURN(format.has_quotes, scalar_input<bool>(ctx, 5, "use_quote_delim"));
    TINYTF_ASSIGN_OR_RETURN(format.na_value, scalar_input<std::string>(ctx, 6, "na_value"));
    TINYTF_RETURN_IF_ERROR(check_columns(format.columns, types_.size()));
    auto known = compression_input(ctx, 1);
    if (!known.ok()) return invalid_argument("Unsupported compression_type: ", compression, ".");
    files.compression = known.take();
    return RefPtr<const Dataset>(
        make_ref<CSVDataset>(std::move(parts), std::move(files), std::move(format), has_header));
  }

 private:
  static constexpr int kFirstDefault = 8;  // Index among the inputs.

  Status read_defaults(const KernelContext& ctx, CsvFileFormat& format) const {
    for (size_t i = 0; i < types_.size(); ++i) {
      const Tensor& value = ctx.input(kFirstDefault + static_cast<int>(i));
      if (value.rank() > 1) return invalid_argument("Each record default should be at most rank 1");
      if (value.num_elements() > 1) {
        return invalid_argument("There should only be 1 default per field but field ", i, " has ",
                                value.num_elements());
      }
      format.defaults.push_back(value.num_elements() == 1 ? value.reshaped(Shape()) : Tensor());
    }
    return Status();
  }

  const std::vector<DType> types_;
};

Status csv_shape(ShapeContext& c) {
  constexpr int kColumns = 7, kFirstDefault = 8;  // Indices among the inputs.
  TINYTF_RETURN_IF_ERROR((tinytf::shapes::files_dataset<1, 2, 3, 4, 5, 6>(c)));
  TINYTF_RETURN_IF_ERROR(c.with_rank(kColumns, 1));
  for (int i = kFirstDefault; i < c.num_inputs(); ++i) {
    PartialShape value;
    TINYTF_RETURN_IF_ERROR(c.with_rank_at_most(i, 1, &value));
    if (value.rank() == 1 && value.dim(0) > 1) {
      return invalid_argument("Shape of a default must be a length-0 or length-1 vector, or a scalar.");
    }
  }
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_csv) {
  using namespace tinytf::ops;
  const auto declare = [&](const char* name) {
    kernels.add<CSVKernel>(name);
    return ops.op(name)
        .input("filenames: string")
        .input("compression_type: string")
        .input("buffer_size: int64")
        .input("header: bool")
        .input("field_delim: string")
        .input("use_quote_delim: bool")
        .input("na_value: string")
        .input("select_cols: int64")
        .input("record_defaults: output_types")
        .output("handle: variant")
        .attr("output_types: list({float, double, int32, int64, string}) >= 1")
        .attr("output_shapes: list(shape) >= 1")
        .stateful()
        .shape(csv_shape)
        .no_gradient();
  };
  declare("CSVDataset")
      .doc(
          "Makes a dataset of the records of the CSV files, one after the other. An element has a scalar for each "
          "field in `select_cols`, or for each field if that is empty; `record_defaults` gives the values of fields "
          "that are empty or `na_value`, and an empty default makes a field required.");
  declare("ExperimentalCSVDataset").doc("An earlier name of CSVDataset.");
}

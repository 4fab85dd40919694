#include "data/blocking_iterator.h"
#include "io/record_reader.h"
#include "io/record_writer.h"
#include "ops/data/shared/dataset_kernel.h"
#include "ops/data/shared/dataset_shapes.h"

namespace tinytf::ops {
namespace {

class DatasetToTFRecordKernel final : public Kernel {
 public:
  explicit DatasetToTFRecordKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const RefPtr<const Dataset> dataset, dataset_input(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(const std::string name, scalar_input<std::string>(ctx, 1, "filename"));
    TINYTF_ASSIGN_OR_RETURN(const std::string compression_name, scalar_input<std::string>(ctx, 2, "compression_type"));
    // As in TensorFlow, an unknown name means none.
    const auto compression = record_compression(compression_name);
    std::optional<DeflateOptions> deflate;
    if (compression.ok() && deflate_format(compression.value())) {
      deflate.emplace();
      deflate->format = *deflate_format(compression.value());
    }
    TINYTF_ASSIGN_OR_RETURN(const auto writer, RecordWriter::create(name, deflate));
    const Status written = write(ctx, *dataset, *writer);
    const Status closed = writer->close();
    return written.ok() ? closed : written;
  }

 private:
  static Status write(KernelContext& ctx, const Dataset& dataset, RecordWriter& writer) {
    data::BlockingIterator iterator(ctx.step());
    TINYTF_RETURN_IF_ERROR(iterator.start(dataset));
    Element element;
    for (;;) {
      TINYTF_ASSIGN_OR_RETURN(const bool has_element, iterator.next(element));
      if (!has_element) return Status();
      if (element.size() != 1 || element[0].dtype() != DType::kString || element[0].num_elements() != 1) {
        return invalid_argument("Only elements of one string can be written as records, but the dataset has ",
                                element.size() == 1 ? element[0].summary() : str_cat(element.size(), " components"));
      }
      TINYTF_RETURN_IF_ERROR(writer.write(*element[0].data<std::string>()));
    }
  }
};

Status dataset_to_tf_record_shape(ShapeContext& c) {
  for (int i = 0; i < 3; ++i) TINYTF_RETURN_IF_ERROR(c.with_rank(i, 0));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_dataset_to_tf_record) {
  using namespace tinytf::ops;
  const auto declare = [&](const char* name) {
    kernels.add<DatasetToTFRecordKernel>(name);
    return ops.op(name)
        .input("input_dataset: variant")
        .input("filename: string")
        .input("compression_type: string")
        .stateful()
        .may_block()
        .trait(Trait::kReadsExternalState)
        .trait(Trait::kWritesExternalState)
        .shape(dataset_to_tf_record_shape)
        .no_gradient();
  };
  declare("DatasetToTFRecord")
      .doc(
          "Writes the elements of the dataset, which are strings, to a file of records. `compression_type` is empty, "
          "`ZLIB` or `GZIP`.");
  declare("ExperimentalDatasetToTFRecord").doc("An earlier name of DatasetToTFRecord.");
}

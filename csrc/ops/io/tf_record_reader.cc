#include <memory>

#include "io/record_reader.h"
#include "ops/io/shared/reader_kernel.h"

namespace tinytf::ops {
namespace {

/// The records of TFRecord files.
class TFRecordSource final : public RecordSource {
 public:
  static constexpr const char* kKind = "TFRecordReader";
  struct Spec {
    /// As in TensorFlow, unknown names mean no compression.
    explicit Spec(KernelInit& init) {
      const auto named = record_compression(init.attr<std::string>("compression_type"));
      if (named.ok()) compression = named.value();
    }
    RecordCompression compression = RecordCompression::kNone;
  };
  explicit TFRecordSource(const Spec& spec) : spec_(spec) {}

  Status begin(const std::string& work) override {
    TINYTF_ASSIGN_OR_RETURN(reader_, RecordReader::open(work, spec_.compression));
    return Status();
  }

  Result<Next> next(const std::string& work, std::string* key, std::string* value) override {
    const uint64_t offset = reader_->offset();
    std::string_view record;
    const Status status = reader_->next(&record);
    if (status.code() == Code::kOutOfRange) return Next::kEnd;
    TINYTF_RETURN_IF_ERROR(status);
    *key = str_cat(work, ":", offset);
    *value = record;
    return Next::kRecord;
  }

  void end() override { reader_.reset(); }

 private:
  const Spec spec_;
  std::unique_ptr<RecordReader> reader_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(io_tf_record_reader) {
  using namespace tinytf::ops;
  declare_reader<TFRecordSource>(
      ops, kernels, "TFRecordReader", {}, {"compression_type: string = ''"}, {},
      "Returns a handle to a reader of TFRecord files. The key is the name of the file, a colon and the offset of the "
      "record. `compression_type` is the compression of the files: \"\", \"ZLIB\" or \"GZIP\".");
}

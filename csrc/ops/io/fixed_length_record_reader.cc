#include <optional>

#include "io/byte_stream.h"
#include "ops/io/shared/reader_kernel.h"

namespace tinytf::ops {
namespace {

/// Records of a fixed size. The header is skipped, and a record must end before the footer.
class FixedLengthSource final : public RecordSource {
 public:
  static constexpr const char* kKind = "FixedLengthRecordReader";
  struct Spec {
    explicit Spec(KernelInit& init)
        : header(bytes(init, "header_bytes")),
          record(bytes(init, "record_bytes")),
          footer(bytes(init, "footer_bytes")),
          hop(bytes(init, "hop_bytes")) {
      if (hop == 0) hop = record;
      const std::string* encoding = init.node().attrs.get<std::string>("encoding");
      if (encoding != nullptr && *encoding == "ZLIB") compression = DeflateFormat::kZlib;
      if (encoding != nullptr && *encoding == "GZIP") compression = DeflateFormat::kGzip;
    }
    static uint64_t bytes(KernelInit& init, std::string_view name) {
      return static_cast<uint64_t>(size_attr(init, name));
    }

    uint64_t header;
    uint64_t record;
    uint64_t footer;
    uint64_t hop;                              ///< offset from the beginning of a record to the beginning of the next
    std::optional<DeflateFormat> compression;  ///< unset for unknown names, as in TensorFlow
  };
  explicit FixedLengthSource(const Spec& spec) : spec_(spec) {}

  Status begin(const std::string& work) override {
    number_ = 0;
    TINYTF_ASSIGN_OR_RETURN(stream_, ByteStream::open(work, spec_.compression));
    return stream_->skip(spec_.header);
  }

  Result<Next> next(const std::string& work, std::string* key, std::string* value) override {
    if (number_ > 0 && !has_hopped_) {
      const Status status = stream_->skip(spec_.hop);
      if (status.code() == Code::kOutOfRange) return Next::kEnd;
      TINYTF_RETURN_IF_ERROR(status);
    }
    has_hopped_ = true;  // a retry after an error must not skip again
    TINYTF_ASSIGN_OR_RETURN(const bool is_there, stream_->has(spec_.record + spec_.footer));
    has_hopped_ = false;
    if (!is_there) return Next::kEnd;
    *value = stream_->ready().substr(0, spec_.record);
    *key = str_cat(work, ":", number_);
    ++number_;
    return Next::kRecord;
  }

  void end() override { stream_.reset(); }

 private:
  const Spec spec_;
  std::optional<ByteStream> stream_;
  int64_t number_ = 0;
  bool has_hopped_ = false;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(io_fixed_length_record_reader) {
  using namespace tinytf::ops;
  declare_reader<FixedLengthSource>(
      ops, kernels, "FixedLengthRecordReader",
      {"header_bytes: int = 0", "record_bytes: int", "footer_bytes: int = 0", "hop_bytes: int = 0"}, {},
      {"encoding: string = ''"},
      "Returns a handle to a reader of records of `record_bytes` bytes. The key is the name of the file, a colon and "
      "the index of the record, from 0 on. The first `header_bytes` and the last `footer_bytes` of each file are "
      "skipped. Records begin `hop_bytes` apart, or follow one another if that is 0. `encoding` is the compression of "
      "the files: \"\", \"ZLIB\" or \"GZIP\".");
}

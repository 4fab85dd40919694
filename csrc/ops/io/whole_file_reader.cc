#include "io/file.h"
#include "ops/io/shared/reader_kernel.h"

namespace tinytf::ops {
namespace {

/// Each file is a record.
class WholeFileSource final : public RecordSource {
 public:
  static constexpr const char* kKind = "WholeFileReader";
  using Spec = NoSpec;
  explicit WholeFileSource(const Spec& /*spec*/) {}

  Status begin(const std::string& /*work*/) override { return Status(); }
  Result<Next> next(const std::string& work, std::string* key, std::string* value) override {
    *key = work;
    TINYTF_ASSIGN_OR_RETURN(*value, read_file(work));
    return Next::kLastRecord;
  }
  bool is_resumable() const override { return true; }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(io_whole_file_reader) {
  using namespace tinytf::ops;
  declare_reader<WholeFileSource>(
      ops, kernels, "WholeFileReader", {}, {}, {},
      "Returns a handle to a reader of whole files. The key is the name of the file, the value its contents.");
}

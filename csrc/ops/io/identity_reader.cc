#include "ops/io/shared/reader_kernel.h"

namespace tinytf::ops {
namespace {

/// The work unit itself is the only record.
class IdentitySource final : public RecordSource {
 public:
  static constexpr const char* kKind = "IdentityReader";
  using Spec = NoSpec;
  explicit IdentitySource(const Spec& /*spec*/) {}

  Status begin(const std::string& /*work*/) override { return Status(); }
  Result<Next> next(const std::string& work, std::string* key, std::string* value) override {
    *key = work;
    *value = work;
    return Next::kLastRecord;
  }
  bool is_resumable() const override { return true; }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(io_identity_reader) {
  using namespace tinytf::ops;
  declare_reader<IdentitySource>(ops, kernels, "IdentityReader", {}, {}, {},
                                 "Returns a handle to a reader that produces each work unit as key and value.");
}

#include "runtime/eager/eager_host.h"

#include "tests/cpp/eager_session_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

/// A host that refuses long work.
class BusyHost final : public EagerHost {
 public:
  Status without_lock(FunctionRef<Status(Interrupt*)>) override { return Status(Code::kCancelled, "busy"); }
  void collect_garbage() override {}
  std::string place() override { return ""; }
  void warn(const std::string&) override {}
  void note(const std::string&) override {}
};

TINYTF_TEST(eager_operations_end_as_their_host_says) {
  testing::EagerFixture session;
  const auto kernel = testing::eager_kernel("Neg", {DType::kFloat}).take();
  TensorHandle* x = session.value(testing::n_floats(100'000));
  {
    const SessionCore::Entry inside(session.core());
    BusyHost host;
    EagerOutputs outputs;
    const Status status = dispatch(session.core(), session.context(), {*kernel, &x, ""}, host, outputs);
    EXPECT_EQ(status.message(), "busy [Op:Neg]");
    EXPECT_EQ(outputs.size(), 0);
  }
  session.drop(x);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

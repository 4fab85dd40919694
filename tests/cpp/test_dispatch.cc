#include "runtime/eager/dispatch.h"

#include <stdexcept>

#include "runtime/eager/eager_values.h"
#include "runtime/eager/value_sites.h"
#include "tests/cpp/eager_session_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::eager_kernel;
using testing::EagerFixture;
using testing::n_floats;

TINYTF_TEST(dispatch_makes_handles_of_what_an_operation_yields) {
  EagerFixture session;
  const auto kernel = eager_kernel("AddV2", {DType::kFloat, DType::kFloat}).take();
  TensorHandle* x = session.value(n_floats(3, 2.0f));
  const auto made = session.run(*kernel, {x, x});
  EXPECT_OK(made.status());
  EXPECT_EQ(made.value().size(), 1);
  EXPECT_EQ(made.value()[0]->tensor().data<float>()[2], 4.0f);
  EXPECT_EQ(bytes_of(made.value()), 12);
  EXPECT_EQ(session.host.unlocked, 0);  // too brief to release the lock
  session.drop(x);
}

TINYTF_TEST(dispatch_lets_others_run_while_an_operation_takes_long) {
  EagerFixture session;
  const auto kernel = eager_kernel("Neg", {DType::kFloat}).take();
  TensorHandle* x = session.value(n_floats(100'000));
  const auto made = session.run(*kernel, {x});
  EXPECT_OK(made.status());
  EXPECT_EQ(session.host.unlocked, 1);
  session.drop(x);
}

TINYTF_TEST(dispatch_names_what_failed) {
  EagerFixture session;
  const auto kernel = eager_kernel("AddV2", {DType::kFloat, DType::kFloat}).take();
  TensorHandle* x = session.value(n_floats(3));
  TensorHandle* y = session.value(n_floats(2));
  EXPECT(session.run(*kernel, {x, y}, "sum").status().message().find("[Op:AddV2] name: sum") != std::string::npos);
  session.drop(x);
  session.drop(y);
}

TINYTF_TEST(dispatch_does_not_read_what_was_freed) {
  EagerFixture session, other;
  const auto kernel = eager_kernel("Neg", {DType::kFloat}).take();
  TensorHandle* x = session.value(n_floats(3));
  HandleValue value;
  EXPECT(session.core().handles().take_value(x, &value));
  const Status status = session.run(*kernel, {x}).status();
  const auto* freed = dynamic_cast<const FreedValue*>(status.origin());
  EXPECT(freed != nullptr && freed->was_closed());
  EXPECT(freed != nullptr && freed->core() == &session.core());
  session.drop(x);

  TensorHandle* foreign = other.value(n_floats(3));
  EXPECT_OK(session.run(*kernel, {foreign}).status());
  EXPECT_OK(other.core().close());
  const Status closed = session.run(*kernel, {foreign}).status();
  freed = dynamic_cast<const FreedValue*>(closed.origin());
  EXPECT(freed != nullptr && !freed->was_closed());
  other.drop(foreign);
}

TINYTF_TEST(dispatch_frees_garbage_and_tries_again_where_memory_is_out) {
  CoreOptions limited = EagerFixture::in_background();
  limited.memory_limit_bytes = 1 << 20;
  EagerFixture session({}, limited);
  const auto kernel = eager_kernel("Neg", {DType::kFloat}).take();
  TensorHandle* x = session.value(n_floats(150'000));  // of the process's memory
  auto first = session.run(*kernel, {x});
  EXPECT_OK(first.status());
  EXPECT_EQ(session.host.collections, 0);
  const Status full = session.run(*kernel, {x}).status();
  EXPECT_EQ(full.code(), Code::kResourceExhausted);
  EXPECT(full.message().find("memory_limit_bytes is 1048576") != std::string::npos);
  EXPECT_EQ(session.host.collections, 1);
  session.host.on_collect = [&] { session.drop(first.value().take(0)); };
  const auto second = session.run(*kernel, {x});
  EXPECT_OK(second.status());
  EXPECT_EQ(session.host.collections, 2);
  session.drop(x);
}

TINYTF_TEST(dispatch_notes_what_made_a_value_and_where) {
  EagerOptions options;
  options.track_sites = true;
  EagerFixture session(options);
  const auto kernel = eager_kernel("Neg", {DType::kFloat}).take();
  TensorHandle* x = session.value(n_floats(3));
  const auto made = session.run(*kernel, {x});
  EXPECT_OK(made.status());
  EXPECT_EQ(site_of(*made.value()[0])->op, "Neg");
  EXPECT_EQ(site_of(*made.value()[0])->place, "program.py:7");
  EXPECT(site_of(*x) == nullptr);
  session.drop(x);
}

/// A host whose `place` throws.
class LostHost final : public EagerHost {
 public:
  Status without_lock(FunctionRef<Status(Interrupt*)> work) override { return work(nullptr); }
  void collect_garbage() override {}
  std::string place() override { throw std::runtime_error("lost"); }
  void warn(const std::string&) override {}
  void note(const std::string&) override {}
};

TINYTF_TEST(dispatch_loses_no_handle_where_the_host_throws) {
  EagerOptions options;
  options.track_sites = true;
  EagerFixture session(options);
  const auto kernel = eager_kernel("Neg", {DType::kFloat}).take();
  TensorHandle* x = session.value(n_floats(3));
  bool thrown = false;
  {
    const SessionCore::Entry inside(session.core());
    LostHost host;
    EagerOutputs outputs;
    try {
      (void)dispatch(session.core(), session.context(), {*kernel, &x, ""}, host, outputs);
    } catch (const std::runtime_error&) {
      thrown = true;
    }
    EXPECT_EQ(outputs.size(), 1);
  }
  EXPECT(thrown);
  session.drop(x);
  session.core().reclaim().collect();
  EXPECT_EQ(session.core().stats().live, 0);
}

TINYTF_TEST(dispatch_of_asynchronous_sessions_yields_values_that_come_later) {
  EagerOptions options;
  options.asynchronous = true;
  EagerFixture session(options);
  const auto kernel = eager_kernel("Neg", {DType::kFloat}).take();
  TensorHandle* x = session.value(n_floats(3, 1.0f));
  const auto first = session.run(*kernel, {x});
  EXPECT_OK(first.status());
  const auto second = session.run(*kernel, {first.value()[0]});
  EXPECT_OK(second.status());
  EXPECT_EQ(second.value()[0]->dtype(), DType::kFloat);
  const auto value = read_value(*second.value()[0], nullptr, session.host);
  EXPECT_OK(value.status());
  EXPECT_EQ(value.value().data<float>()[0], 1.0f);
  session.drop(x);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

#pragma once

// Eager sessions without Python: a core with a context, and a host that records requests.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "op/op_registry.h"
#include "runtime/eager/dispatch.h"
#include "tests/cpp/core_fixture.h"
#include "tests/cpp/eager_fixture.h"

namespace tinytf {
namespace testing {

class TestHost final : public EagerHost {
 public:
  Status without_lock(FunctionRef<Status(Interrupt*)> work) override {
    ++unlocked;
    return work(interrupt);
  }
  void collect_garbage() override {
    ++collections;
    if (on_collect) on_collect();
  }
  std::string place() override { return "program.py:7"; }
  void warn(const std::string& message) override { warnings.push_back(message); }
  void note(const std::string& message) override { notes.push_back(message); }

  Interrupt* interrupt = nullptr;
  std::function<void()> on_collect;
  int unlocked = 0, collections = 0;
  std::vector<std::string> warnings, notes;
};

/// A session that runs operations and is closed at its end. The caller must drop the handles it gets.
class EagerFixture {
 public:
  explicit EagerFixture(const EagerOptions& options = {}, const CoreOptions& core_options = in_background())
      : core_(core_options), context_(EagerContext::attach_to(*core_, options)) {}

  SessionCore& core() { return *core_; }
  EagerContext& context() { return *context_; }
  TensorHandle* value(Tensor tensor) { return core_->make_handle(std::move(tensor)); }

  /// Runs the kernel inside the core.
  Result<EagerOutputs> run(EagerKernel& kernel, std::vector<TensorHandle*> inputs, const std::string& name = "",
                           int device = 0) {
    const SessionCore::Entry inside(*core_);
    TINYTF_CHECK(inside);
    EagerOutputs outputs;
    TINYTF_RETURN_IF_ERROR(dispatch(*core_, *context_, {kernel, inputs.data(), name, device}, host, outputs));
    return outputs;
  }
  void drop(TensorHandle* handle) { core_->drop(handle); }

  static CoreOptions in_background() { return OpenCore::with(CleanupStrategy::kInBackground); }

  TestHost host;

 private:
  OpenCore core_;
  RefPtr<EagerContext> context_;
};

}  // namespace testing
}  // namespace tinytf

#pragma once

// A runner of functions that are not in a graph.

#include <string>
#include <utility>
#include <vector>

#include "op/function_runner.h"

namespace tinytf {
namespace testing {

/// Returns the answers set by the test.
class Answers final : public FunctionRunner {
 public:
  Result<RefPtr<FunctionInstance>> instantiate(const FuncRef& function, const KernelServices&, FunctionOwner) override {
    ++instantiated;
    return RefPtr<FunctionInstance>(make_ref<Answering>(*this, function.name));
  }
  Result<RefPtr<FunctionSource>> source(const FuncRef& function) override {
    return RefPtr<FunctionSource>(make_ref<Source>(*this, function));
  }

  int instantiated = 0;
  std::string asked;
  std::vector<Tensor> answers;
  Status status;

 private:
  class Source final : public FunctionSource {
   public:
    Source(Answers& answers, FuncRef function) : answers_(answers), function_(std::move(function)) {}
    Result<RefPtr<FunctionInstance>> instantiate(const KernelServices& step) override {
      return answers_.instantiate(function_, step, {});
    }
    bool any_node(FunctionRef<bool(const NodeInfo&)>) const override { return false; }
    RefPtr<FunctionSource> rewriting(const DatasetRewrites&) const override {
      return make_ref<Source>(answers_, function_);
    }

   private:
    Answers& answers_;
    const FuncRef function_;
  };

  class Answering final : public FunctionInstance {
   public:
    Answering(Answers& answers, std::string name)
        : FunctionInstance({}, {}), answers_(answers), name_(std::move(name)) {}
    Status run(const KernelServices&, std::vector<Tensor>& arguments, std::vector<Tensor>& results) override {
      answers_.asked = str_cat(name_, " of ", arguments.size());
      results = answers_.answers;
      return answers_.status;
    }

   private:
    Answers& answers_;
    const std::string name_;
  };
};

}  // namespace testing
}  // namespace tinytf

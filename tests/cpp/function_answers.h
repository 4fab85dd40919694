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
  Result<RefPtr<FunctionInstance>> instantiate_own(const FuncRef& function, const KernelServices& step) override {
    return instantiate(function, step, {});
  }

  int instantiated = 0;
  std::string asked;
  std::vector<Tensor> answers;
  Status status;

 private:
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

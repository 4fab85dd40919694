#include "runtime/eager/eager_functions.h"

#include "op/gradient_name.h"

namespace tinytf {

Result<FunctionRuntime*> EagerFunctions::runtime_of(const FuncRef& function) const {
  const auto differentiated = derived_from(function);
  const std::string& name = differentiated ? differentiated->name : function.name;
  EagerFunction* const known = kernel_.function(name);
  if (known == nullptr) return not_found("Function ", name, " is not defined.");
  return &known->runtime(id(), threads_);
}

Result<RefPtr<FunctionInstance>> EagerFunctions::instantiate(const FuncRef& function, const KernelServices& step,
                                                             FunctionOwner owner) {
  TINYTF_ASSIGN_OR_RETURN(FunctionRuntime* const runtime, runtime_of(function));
  return runtime->instantiate(function, step, owner);
}

Result<RefPtr<FunctionSource>> EagerFunctions::source(const FuncRef& function) {
  TINYTF_ASSIGN_OR_RETURN(FunctionRuntime* const runtime, runtime_of(function));
  return runtime->source(function);
}

}  // namespace tinytf

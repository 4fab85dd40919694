#include <cstdio>
#include <cstdlib>

#include "op/registration.h"

namespace tinytf::ops {
namespace {

/// Ends the process at once, without waiting for threads and without running exit handlers.
class AbortKernel final : public Kernel {
 public:
  explicit AbortKernel(KernelInit& init)
      : message_(init.attr<std::string>("error_msg")), is_no_error_(init.attr<bool>("exit_without_error")) {}

  Status compute(KernelContext&) override {
    if (!is_no_error_) {
      std::fprintf(stderr, "Abort_op intentional failure; %s\n", message_.c_str());
      std::abort();
    }
    std::fflush(nullptr);
    std::_Exit(EXIT_SUCCESS);
  }

 private:
  const std::string message_;
  const bool is_no_error_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(control_flow_abort) {
  ops.op("Abort")
      .attr("error_msg: string = ''")
      .attr("exit_without_error: bool = false")
      .trait(tinytf::Trait::kChecks)
      .shape(tinytf::shapes::no_outputs)
      .no_gradient()
      .doc(
          "Ends the process when it runs: by an abort with `error_msg`, or with a successful exit if "
          "`exit_without_error` is true.");
  kernels.add<tinytf::ops::AbortKernel>("Abort");
}

#include <atomic>
#include <chrono>
#include <cstdio>
#include <ctime>

#include "op/registration.h"
#include "ops/logging/shared/summarize.h"
#include "services/user_output.h"

namespace tinytf::ops {
namespace {

class PrintKernel final : public Kernel {
 public:
  explicit PrintKernel(KernelInit& init)
      : message_(init.attr<std::string>("message")),
        first_n_(init.attr<int64_t>("first_n")),
        summarize_(init.attr<int64_t>("summarize")) {}

  Status compute(KernelContext& ctx) override {
    ctx.set_output(0, ctx.input(0));
    if (first_n_ >= 0 && calls_.fetch_add(1) >= first_n_) return Status();
    std::string text = message_;
    for (int i = 1; i < ctx.num_inputs(); ++i)
      text += str_cat("[", summarize_value(ctx.input(i), summarize_, ctx.parallel()), "]");
    write_user_output(text + "\n", true);
    return Status();
  }

 private:
  const std::string message_;
  const int64_t first_n_, summarize_;
  std::atomic<int64_t> calls_{0};
};

/// The beginning of a TensorFlow log line: the time, the letter of the level, and the source position.
std::string log_line_head(char level) {
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const auto since_epoch = std::chrono::duration_cast<std::chrono::microseconds>(now.time_since_epoch());
  std::tm local{};
  localtime_r(&seconds, &local);
  char text[64];
  const size_t length = std::strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &local);
  std::snprintf(text + length, sizeof(text) - length, ".%06d: %c", static_cast<int>(since_epoch.count() % 1000000),
                level);
  return str_cat(text, " tinytf/logging/print.cc:", __LINE__, "] ");
}

class PrintV2Kernel final : public Kernel {
 public:
  explicit PrintV2Kernel(KernelInit& init)
      : stream_(init.attr<std::string>("output_stream")), end_(init.attr<std::string>("end")) {
    static constexpr std::pair<const char*, char> kLogged[] = {
        {"log(info)", 'I'}, {"log(warning)", 'W'}, {"log(error)", 'E'}};
    if (stream_ == "stdout" || stream_ == "stderr" || stream_.rfind("file://", 0) == 0) return;
    for (const auto& [logged, level] : kLogged) {
      if (stream_ != logged) continue;
      level_ = level;
      return;
    }
    init.fail(invalid_argument("Unknown output stream: ", stream_,
                               ", Valid streams are: stdout, stderr, log(info), log(warning), log(error)"));
  }

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    if (input.rank() != 0) {
      return invalid_argument("Input is expected to be scalar, but got ", input.shape().to_string());
    }
    const std::string text = *input.data<std::string>() + end_;
    if (level_ != 0) {
      write_user_output(log_line_head(level_) + text + "\n", true);
      return Status();
    }
    if (stream_.rfind("file://", 0) != 0) {
      write_user_output(text, stream_ != "stdout");
      return Status();
    }
    const std::string path = stream_.substr(7);
    std::FILE* file = std::fopen(path.c_str(), "ab");
    if (file == nullptr) return not_found(path, "; No such file or directory");
    const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    const bool closed = std::fclose(file) == 0;
    return written && closed ? Status() : Status(Code::kUnknown, str_cat(path, "; cannot be written"));
  }

 private:
  const std::string stream_, end_;
  char level_ = 0;  ///< letter of the log level, or 0 for other streams
};

/// TensorFlow refuses an input of unknown rank, too.
Status print_v2_shape(ShapeContext& c) {
  const int rank = c.input(0).rank();
  return rank == 0 ? Status() : invalid_argument("input must be a scalar, but has rank: ", rank);
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(logging_print) {
  using namespace tinytf::ops;
  ops.op("Print")
      .input("input: T")
      .input("data: U")
      .output("output: T")
      .attr("T: type")
      .attr("U: list(type) >= 0")
      .attr("message: string = ''")
      .attr("first_n: int = -1")
      .attr("summarize: int = 3")
      .stateful()
      .shape(tinytf::shapes::unchanged)
      .doc(
          "Returns `input` unchanged and prints `message` and the first `summarize` entries of each tensor in `data` "
          "to stderr. It prints only the first `first_n` times it runs, or always if `first_n` is -1.");
  kernels.add<PrintKernel>("Print");

  ops.op("PrintV2")
      .input("input: string")
      .attr("output_stream: string = 'stderr'")
      .attr("end: string = '\n'")
      .stateful()
      .shape(print_v2_shape)
      .no_gradient()
      .doc(
          "Prints the scalar `input` followed by `end` to `output_stream`: \"stdout\", \"stderr\", \"log(info)\", "
          "\"log(warning)\" or \"log(error)\" (a log line on stderr), or \"file://PATH\", to which it appends.");
  kernels.add<PrintV2Kernel>("PrintV2");
}

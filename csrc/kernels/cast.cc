#include "kernels/cast.h"

namespace tinytf::kernels {

void run_cast(CastLoop loop, DType source, DType destination, const void* x, void* y, int64_t n, Parallel& parallel) {
  const auto in_size = static_cast<int64_t>(dtype_size(source));
  const auto out_size = static_cast<int64_t>(dtype_size(destination));
  const double cost = 0.05 * static_cast<double>(in_size + out_size);
  if (static_cast<double>(n) * cost < 4000) {
    loop(x, y, n);
    return;
  }
  parallel.run(n, 1024, cost, [&](int64_t begin, int64_t end) {
    loop(static_cast<const char*>(x) + begin * in_size, static_cast<char*>(y) + begin * out_size, end - begin);
  });
}

}  // namespace tinytf::kernels

#include "base/parallel.h"

namespace tinytf {

void SerialParallel::run(int64_t n, int64_t, double, FunctionRef<void(int64_t, int64_t)> body) {
  if (n > 0) body(0, n);
}

}  // namespace tinytf

#include "base/parallel.h"

namespace tinytf {

Parallel::~Parallel() = default;
SerialParallel::~SerialParallel() = default;

int SerialParallel::threads() const { return 1; }

void SerialParallel::run(int64_t n, int64_t, double, FunctionRef<void(int64_t, int64_t)> body) {
  if (n > 0) body(0, n);
}

void SerialParallel::run_in_order(int64_t n, double, FunctionRef<void(int64_t, int64_t)> body) {
  if (n > 0) body(0, n);
}

}  // namespace tinytf

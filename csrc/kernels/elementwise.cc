#include "kernels/elementwise.h"

#include <atomic>
#include <cstring>

#include "kernels/broadcast_walk.h"

namespace tinytf::kernels {

namespace {

constexpr double kSmallWork = 4000;  // Nanoseconds; less work is not worth another thread.
constexpr int64_t kBlock = 1024;     // Elements; ranges are multiples of it.

const char* at(const void* data, int64_t index, size_t size) {
  return static_cast<const char*>(data) + index * static_cast<int64_t>(size);
}
char* at(void* data, int64_t index, size_t size) {
  return static_cast<char*>(data) + index * static_cast<int64_t>(size);
}

/// Calls body(begin, end) -> Fault on ranges of [0, n); returns one of the faults met.
template <class Body>
Fault split(int64_t n, float cost, Parallel& parallel, Body body) {
  if (static_cast<double>(n) * cost <= kSmallWork) return n > 0 ? body(int64_t{0}, n) : Fault::kNone;
  std::atomic<Fault> fault{Fault::kNone};
  parallel.run(n, kBlock, cost, [&](int64_t begin, int64_t end) {
    const Fault met = body(begin, end);
    if (met != Fault::kNone) fault.store(met, std::memory_order_relaxed);
  });
  return fault.load(std::memory_order_relaxed);
}

/// The loop for operands with these strides along a run of more than one element. At least one stride is not 0.
BinaryLoop::Run form(const BinaryLoop& loop, int64_t left_stride, int64_t right_stride) {
  if (left_stride == 0) return loop.left_scalar;
  return right_stride == 0 ? loop.right_scalar : loop.both;
}

/// Computes elements [begin, end) with one loop call per row or part of a row.
Fault run_rows(const BinaryLoop& loop, const BroadcastPlan& plan, const void* a, const void* b, void* out,
               int64_t begin, int64_t end) {
  const int64_t inner = plan.dims[plan.rank - 1];
  const int64_t left_stride = plan.inner_stride(0), right_stride = plan.inner_stride(1);
  const BinaryLoop::Run run = form(loop, left_stride, right_stride);
  RowWalk walk(plan, begin / inner);
  Fault fault = Fault::kNone;
  for (int64_t i = begin, column = begin % inner; i < end; column = 0, walk.next()) {
    const int64_t length = inner - column < end - i ? inner - column : end - i;
    const Fault met =
        run(at(a, walk.offset(0) + column * left_stride, loop.in_size),
            at(b, walk.offset(1) + column * right_stride, loop.in_size), at(out, i, loop.out_size), length);
    if (met != Fault::kNone) fault = met;
    i += length;
  }
  return fault;
}

/// Processes rows [begin, end) of a plan with short rows in blocks: calls run(first element, elements).
template <int kOperands, class Run>
void for_row_blocks(const BroadcastPlan& plan, RowBlock (&operands)[kOperands], int64_t rows_per_block, int64_t begin,
                    int64_t end, Run run) {
  const int64_t inner = plan.dims[plan.rank - 1];
  RowWalk walk(plan, begin);
  for (int64_t row = begin; row < end; row += rows_per_block) {
    const int64_t rows = end - row < rows_per_block ? end - row : rows_per_block;
    for (int64_t r = 0; r < rows; ++r, walk.next()) {
      for (int i = 0; i < kOperands; ++i) operands[i].put(r, walk.offset(i));
    }
    run(row * inner, rows * inner);
  }
}

constexpr int64_t kShortRow = 32;      // Below this, a call per row costs more than copying rows into blocks.
constexpr int64_t kPeriodicRow = 256;  // The same limit if copying costs nothing per row.

}  // namespace

const char* fault_message(Fault fault) {
  switch (fault) {
    case Fault::kDivisionByZero: return "Integer division by zero";
    case Fault::kNegativePower: return "Integers to negative integer powers are not allowed";
    case Fault::kNone: break;
  }
  return "";
}

void run_unary(const UnaryLoop& loop, const void* x, void* y, int64_t n, Parallel& parallel) {
  split(n, loop.cost, parallel, [&](int64_t begin, int64_t end) {
    loop.run(at(x, begin, loop.in_size), at(y, begin, loop.out_size), end - begin);
    return Fault::kNone;
  });
}

Fault run_binary(const BinaryLoop& loop, const void* a, const void* b, void* out, int64_t n, Parallel& parallel) {
  return split(n, loop.cost, parallel, [&](int64_t begin, int64_t end) {
    return loop.both(at(a, begin, loop.in_size), at(b, begin, loop.in_size), at(out, begin, loop.out_size),
                     end - begin);
  });
}

Fault run_binary(const BinaryLoop& loop, const BroadcastPlan& plan, const void* a, const void* b, void* out,
                 Parallel& parallel) {
  if (plan.size == 0) return Fault::kNone;
  if (plan.rank <= 1) {
    const int64_t left = plan.rank == 0 ? 1 : plan.strides[0][0], right = plan.rank == 0 ? 1 : plan.strides[1][0];
    const BinaryLoop::Run run = form(loop, left, right);
    return split(plan.size, loop.cost, parallel, [&](int64_t begin, int64_t end) {
      return run(at(a, begin * left, loop.in_size), at(b, begin * right, loop.in_size), at(out, begin, loop.out_size),
                 end - begin);
    });
  }
  const int64_t inner = plan.dims[plan.rank - 1];
  RowBlock operands[2] = {{plan, 0, loop.in_size, a}, {plan, 1, loop.in_size, b}};
  const int64_t limit = operands[0].cheap() && operands[1].cheap() ? kPeriodicRow : kShortRow;
  if (inner >= limit || inner * loop.in_size > RowBlock::kBytes) {
    return split(plan.size, loop.cost, parallel,
                 [&](int64_t begin, int64_t end) { return run_rows(loop, plan, a, b, out, begin, end); });
  }
  const int64_t rows_per_block = RowBlock::kBytes / (inner * loop.in_size);
  return split(plan.size / inner, loop.cost * static_cast<float>(inner), parallel, [&](int64_t begin, int64_t end) {
    RowBlock blocks[2] = {{plan, 0, loop.in_size, a}, {plan, 1, loop.in_size, b}};
    Fault fault = Fault::kNone;
    for_row_blocks(plan, blocks, rows_per_block, begin, end, [&](int64_t first, int64_t n) {
      const Fault met = loop.both(blocks[0].block(), blocks[1].block(), at(out, first, loop.out_size), n);
      if (met != Fault::kNone) fault = met;
    });
    return fault;
  });
}

namespace {

SelectLoop select_loop(const ElementwiseTable& table, size_t size) {
  return table.select[size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : size == 8 ? 3 : 4];
}

/// Makes a plan of rank 1 one of rank 2 with a single row.
void add_first_dimension(BroadcastPlan* plan) {
  plan->rank = 2;
  plan->dims[1] = plan->dims[0];
  plan->dims[0] = 1;
  for (int i = 0; i < plan->operands; ++i) {
    plan->strides[i][1] = plan->strides[i][0];
    plan->strides[i][0] = plan->strides[i][1] * plan->dims[1];
  }
}

float select_cost(size_t size) { return 0.1f * static_cast<float>(size); }

}  // namespace

void run_select(const ElementwiseTable& table, size_t size, const bool* cond, const void* a, const void* b, void* out,
                int64_t n, Parallel& parallel) {
  const SelectLoop loop = select_loop(table, size);
  split(n, select_cost(size), parallel, [&](int64_t begin, int64_t end) {
    loop(cond + begin, at(a, begin, size), at(b, begin, size), at(out, begin, size), end - begin);
    return Fault::kNone;
  });
}

void run_select(const ElementwiseTable& table, size_t size, const BroadcastPlan& plan, const bool* cond, const void* a,
                const void* b, void* out, Parallel& parallel) {
  if (plan.size == 0) return;
  const bool same = plan.rank == 0 ||
                    (plan.rank == 1 && plan.strides[0][0] != 0 && plan.strides[1][0] != 0 && plan.strides[2][0] != 0);
  if (same) return run_select(table, size, cond, a, b, out, plan.size, parallel);
  // Everything else goes through blocks; a long row is split into pieces that fit in one.
  BroadcastPlan cut = plan;
  if (cut.rank == 1) add_first_dimension(&cut);
  const SelectLoop loop = select_loop(table, size);
  const int64_t room = RowBlock::kBytes / static_cast<int64_t>(size);
  const int64_t inner = cut.dims[cut.rank - 1];
  const int64_t rows = cut.size / inner;
  const float cost = 3 * select_cost(size);
  if (inner <= room) {
    split(rows, cost * static_cast<float>(inner), parallel, [&](int64_t begin, int64_t end) {
      RowBlock blocks[3] = {{cut, 0, 1, cond}, {cut, 1, size, a}, {cut, 2, size, b}};
      for_row_blocks(cut, blocks, room / inner, begin, end, [&](int64_t first, int64_t n) {
        loop(static_cast<const bool*>(blocks[0].block()), blocks[1].block(), blocks[2].block(), at(out, first, size),
             n);
      });
      return Fault::kNone;
    });
    return;
  }
  const int64_t pieces = (inner + room - 1) / room;  // Per row.
  split(rows * pieces, cost * static_cast<float>(room), parallel, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t row = i / pieces, column = i % pieces * room;
      const RowWalk walk(cut, row);
      BroadcastPlan piece;
      piece.rank = 1;
      piece.operands = 3;
      piece.dims[0] = inner - column < room ? inner - column : room;
      for (int k = 0; k < 3; ++k) piece.strides[k][0] = cut.inner_stride(k);
      add_first_dimension(&piece);
      RowBlock blocks[3] = {{piece, 0, 1, cond}, {piece, 1, size, a}, {piece, 2, size, b}};
      for (int k = 0; k < 3; ++k) blocks[k].put(0, walk.offset(k) + column * cut.inner_stride(k));
      loop(static_cast<const bool*>(blocks[0].block()), blocks[1].block(), blocks[2].block(),
           at(out, row * inner + column, size), piece.dims[1]);
    }
    return Fault::kNone;
  });
}

void run_select_rows(const bool* cond, const void* a, const void* b, void* out, int64_t rows, int64_t row_bytes,
                     Parallel& parallel) {
  const auto size = static_cast<size_t>(row_bytes);
  split(rows, 0.05f * static_cast<float>(row_bytes), parallel, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const char* from = at(cond[i] ? a : b, i, size);
      char* to = at(out, i, size);
      if (to != from) std::memcpy(to, from, size);
    }
    return Fault::kNone;
  });
}

void run_add_n(const ElementwiseTable& table, DType dtype, const void* const* inputs, int count, void* out, int64_t n,
               Parallel& parallel) {
  const AddNLoop loop = table.add_n[static_cast<int>(dtype)];
  const size_t size = dtype_size(dtype);
  const float cost = 0.05f * static_cast<float>(size) * static_cast<float>(count);
  split(n, cost, parallel, [&](int64_t begin, int64_t end) {
    loop(inputs, count, out, begin, end);
    return Fault::kNone;
  });
}

}  // namespace tinytf::kernels

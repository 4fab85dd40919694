#include "kernels/reduce.h"

#include <algorithm>
#include <memory>

namespace tinytf::kernels {

namespace {

constexpr int64_t kBlockBytes = 8192;   // Bytes of accumulators per level.
constexpr int64_t kPiece = 65536;       // Elements of a contiguous run per `row` call.
constexpr int64_t kStepsPerLevel = 64;  // Batches or runs per accumulator before it is merged into the next level.
constexpr int kLevels = 3;
constexpr int64_t kPartElements = 262144;  // Elements of a part of a sequence that is worth its own range.
constexpr int64_t kMaxParts = 16;
constexpr int64_t kEnoughUnits = 8;  // Outputs or column blocks that make parts unnecessary.

/// Dimensions with strides; index i of the flattened space has an offset.
struct Walk {
  int rank = 0;
  int64_t dims[ReducePlan::kMaxRank];
  int64_t strides[ReducePlan::kMaxRank];
  int64_t size = 1;

  void add(int64_t dim, int64_t stride) {  // From the innermost on.
    dims[rank] = dim;
    strides[rank++] = stride;
    size *= dim;
  }
  int64_t offset(int64_t index) const {
    int64_t result = 0;
    for (int d = 0; d < rank; ++d) {
      result += index % dims[d] * strides[d];
      index /= dims[d];
    }
    return result;
  }
};

/// Accumulators of up to kBlockBytes, in levels: each takes kStepsPerLevel steps of the level below.
class Tower {
 public:
  Tower(const ReduceLoop& loop, int64_t n) : loop_(loop), n_(n) { loop_.init(levels_[0], n_); }

  void* bottom() { return levels_[0]; }

  /// Counts a step that was accumulated into bottom().
  void step() {
    for (int level = 0; level < kLevels - 1 && ++steps_[level] == kStepsPerLevel; ++level) {
      if (!used_[level + 1]) loop_.init(levels_[level + 1], n_);
      used_[level + 1] = true;
      loop_.merge(levels_[level], n_, levels_[level + 1]);
      loop_.init(levels_[level], n_);
      steps_[level] = 0;
    }
  }

  /// Returns the total, which is in the bottom level.
  void* total() {
    for (int level = 1; level < kLevels; ++level) {
      if (used_[level]) loop_.merge(levels_[level], n_, levels_[0]);
    }
    return levels_[0];
  }

 private:
  const ReduceLoop& loop_;
  int64_t n_;
  int64_t steps_[kLevels] = {};
  bool used_[kLevels] = {};
  alignas(64) char levels_[kLevels][kBlockBytes];
};

class Reducer {
 public:
  Reducer(const ReduceLoop& loop, const ReducePlan& plan, const void* x, void* out)
      : loop_(loop), plan_(plan), x_(static_cast<const char*>(x)), out_(static_cast<char*>(out)) {
    int64_t stride = 1;
    inner_reduced_ = plan.rank == 0 || plan.reduced(plan.rank - 1);
    inner_ = plan.rank == 0 ? 1 : plan.dims[plan.rank - 1];
    for (int d = plan.rank - 1; d >= 0; --d) {
      if (d < plan.rank - 1) (plan.reduced(d) ? reduced_ : kept_).add(plan.dims[d], stride);
      stride *= plan.dims[d];
    }
    if (inner_reduced_) {
      block_ = 1;
      blocks_ = 1;
      pieces_ = (inner_ + kPiece - 1) / kPiece;
      sequence_ = reduced_.size * pieces_;
    } else {
      fold_rows();
      const int64_t room = kBlockBytes / loop.acc_size;
      block_ = inner_ < room ? inner_ : room;
      blocks_ = (inner_ + block_ - 1) / block_;
      sequence_ = (reduced_.size + fold_ - 1) / fold_;
    }
    units_ = kept_.size * blocks_;
    const int64_t total = plan.out_size * plan.reduced_size;
    if (units_ < kEnoughUnits) {
      parts_ = total / kPartElements;
      parts_ = parts_ < 1 ? 1 : parts_ > kMaxParts ? kMaxParts : parts_;
    }
    part_ = (sequence_ + parts_ - 1) / parts_;
    parts_ = (sequence_ + part_ - 1) / part_;
    cost_ = static_cast<double>(total) * 0.06 * loop.in_size / static_cast<double>(units_ * parts_);
  }

  void run(Parallel& parallel) {
    if (inner_reduced_ && sequence_ == 1) {
      parallel.run(units_, 1, cost_, [this](int64_t begin, int64_t end) { reduce_single_runs(begin, end); });
      return;
    }
    if (parts_ == 1) {
      parallel.run(units_, 1, cost_, [this](int64_t begin, int64_t end) {
        for (int64_t unit = begin; unit < end; ++unit) reduce(unit, 0, nullptr);
      });
      return;
    }
    // Only large reductions to few outputs come here.
    const std::unique_ptr<char[]> partial(new char[parts_ * units_ * kBlockBytes]);
    parallel.run(units_ * parts_, 1, cost_, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) reduce(i / parts_, i % parts_, &partial[i * kBlockBytes]);
    });
    for (int64_t unit = 0; unit < units_; ++unit) {
      char* first = &partial[unit * parts_ * kBlockBytes];
      for (int64_t step = 1; step < parts_; step *= 2) {
        for (int64_t i = 0; i + step < parts_; i += 2 * step) {
          loop_.merge(first + (i + step) * kBlockBytes, width(unit), first + i * kBlockBytes);
        }
      }
      finish(unit, first);
    }
  }

 private:
  /// Contiguous rows shorter than a block are processed `fold_` at a time, as one long row.
  void fold_rows() {
    if (reduced_.rank == 0 || reduced_.strides[0] != inner_) return;
    const int64_t room = 2048 / loop_.acc_size;
    const int64_t rows = reduced_.dims[0] / 16;  // Merging the folded rows costs a pass per row.
    int64_t fold = room / inner_ < rows ? room / inner_ : rows;
    if (reduced_.rank > 1) {  // A long row must not straddle an outer dimension.
      while (fold > 1 && reduced_.dims[0] % fold != 0) --fold;
    }
    fold_ = fold > 1 ? fold : 1;
  }

  int64_t first_column(int64_t unit) const { return unit % blocks_ * block_; }
  /// Number of outputs of a unit.
  int64_t width(int64_t unit) const {
    if (inner_reduced_) return 1;
    const int64_t left = inner_ - first_column(unit);
    return left < block_ ? left : block_;
  }

  const void* element(int64_t offset) const { return x_ + offset * loop_.in_size; }

  /// Reduces part `part` of the sequence of unit `unit` into `partial` or, if that is null, into the output.
  void reduce(int64_t unit, int64_t part, char* partial) const {
    const int64_t n = width(unit);
    Tower tower(loop_, n * fold_);
    const int64_t begin = part * part_;
    const int64_t end = begin + part_ < sequence_ ? begin + part_ : sequence_;
    const int64_t base = kept_.offset(unit / blocks_);
    if (inner_reduced_) {
      reduce_runs(base, begin, end, tower);
    } else {
      reduce_columns(base + first_column(unit), n, begin, end, tower);
    }
    auto* total = static_cast<char*>(tower.total());
    for (int64_t i = 1; i < fold_; ++i) loop_.merge(total + i * n * loop_.acc_size, n, total);
    if (partial != nullptr) {
      std::copy(total, total + n * loop_.acc_size, partial);
    } else {
      finish(unit, total);
    }
  }

  /// Reduces outputs [begin, end) that have one contiguous run each.
  void reduce_single_runs(int64_t begin, int64_t end) const {
    constexpr int64_t kBatch = 64;
    alignas(64) char acc[kBatch * 16];
    for (int64_t first = begin; first < end; first += kBatch) {
      const int64_t n = end - first < kBatch ? end - first : kBatch;
      loop_.init(acc, n);
      for (int64_t i = 0; i < n; ++i) {
        const int64_t unit = first + i;
        const int64_t base = kept_.rank <= 1 ? unit * (kept_.rank == 0 ? 0 : kept_.strides[0]) : kept_.offset(unit);
        loop_.row(element(base), inner_, acc + i * loop_.acc_size);
      }
      loop_.finish(acc, n, plan_.reduced_size, out_ + first * loop_.out_size);
    }
  }

  void reduce_runs(int64_t base, int64_t begin, int64_t end, Tower& tower) const {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t first = i % pieces_ * kPiece;
      const int64_t length = inner_ - first < kPiece ? inner_ - first : kPiece;
      loop_.row(element(base + reduced_.offset(i / pieces_) + first), length, tower.bottom());
      tower.step();
    }
  }

  void reduce_columns(int64_t base, int64_t n, int64_t begin, int64_t end, Tower& tower) const {
    const void* rows[ReduceLoop::kMaxRows];
    const int64_t whole = reduced_.size / fold_;  // Complete long rows.
    for (int64_t i = begin; i < end && i < whole;) {
      int count = 0;
      for (; count < ReduceLoop::kMaxRows && i < end && i < whole; ++i) {
        rows[count++] = element(base + reduced_.offset(i * fold_));
      }
      loop_.columns(rows, count, n * fold_, tower.bottom());
      tower.step();
    }
    if (end > whole) {
      rows[0] = element(base + reduced_.offset(whole * fold_));
      loop_.columns(rows, 1, reduced_.size % fold_ * n, tower.bottom());
    }
  }

  void finish(int64_t unit, const char* acc) const {
    const int64_t first = inner_reduced_ ? unit : unit / blocks_ * inner_ + first_column(unit);
    loop_.finish(acc, width(unit), plan_.reduced_size, out_ + first * loop_.out_size);
  }

  const ReduceLoop& loop_;
  const ReducePlan& plan_;
  const char* x_;
  char* out_;
  Walk kept_, reduced_;       // The dimensions except the last.
  bool inner_reduced_;        // The last one is reduced, as contiguous runs; else rows are added up.
  int64_t inner_;             // Extent of the last one.
  int64_t pieces_ = 1;        // Per contiguous run.
  int64_t fold_ = 1;          // Rows per long row.
  int64_t block_, blocks_;    // Columns per unit, units per row.
  int64_t sequence_;          // Runs or long rows per unit.
  int64_t units_;             // Outputs, or column blocks of them.
  int64_t parts_ = 1, part_;  // Parts of a sequence, and their length.
  double cost_;               // Nanoseconds per unit and part.
};

/// Writes identities if there is nothing to reduce.
void fill_identity(const ReduceLoop& loop, int64_t n, void* out) {
  alignas(64) char acc[kBlockBytes];
  const int64_t room = kBlockBytes / loop.acc_size;
  for (int64_t begin = 0; begin < n; begin += room) {
    const int64_t size = n - begin < room ? n - begin : room;
    loop.init(acc, size);
    loop.finish(acc, size, 0, static_cast<char*>(out) + begin * loop.out_size);
  }
}

}  // namespace

bool make_reduce_plan(const int64_t* dims, int rank, uint32_t axes, ReducePlan* plan) {
  plan->rank = 0;
  plan->first_reduced = false;
  plan->out_size = plan->reduced_size = 1;
  bool last_reduced = false;
  for (int d = 0; d < rank; ++d) {
    const bool reduced = (axes >> d & 1) != 0;
    (reduced ? plan->reduced_size : plan->out_size) *= dims[d];
    if (dims[d] == 1) continue;
    if (plan->rank > 0 && reduced == last_reduced) {
      plan->dims[plan->rank - 1] *= dims[d];
      continue;
    }
    if (plan->rank == ReducePlan::kMaxRank) return false;
    if (plan->rank == 0) plan->first_reduced = reduced;
    plan->dims[plan->rank++] = dims[d];
    last_reduced = reduced;
  }
  return true;
}

void run_reduce(const ReduceLoop& loop, const ReducePlan& plan, const void* x, void* out, Parallel& parallel) {
  if (plan.out_size == 0) return;
  if (plan.reduced_size == 0) {
    fill_identity(loop, plan.out_size, out);
  } else {
    Reducer(loop, plan, x, out).run(parallel);
  }
}

void run_arg(ArgLoop loop, DType dtype, const void* x, int64_t outer, int64_t n, int64_t inner, DType dtype_out,
             void* out, Parallel& parallel) {
  const double cost = 0.1 * static_cast<double>(n * inner) * static_cast<double>(dtype_size(dtype));
  parallel.run(outer, 1, cost, [&](int64_t begin, int64_t end) {
    loop(x, begin, end, n, inner, dtype_out == DType::kInt64, out, parallel);
  });
}

}  // namespace tinytf::kernels

#include "kernels/copy.h"

#include "kernels/isa/copy_parts.h"

// Moves that are one strided copy under some choice of strides.
namespace tinytf::kernels::TINYTF_ISA {

namespace {

/// Strides of up to kMaxDims dimensions greater than 1; other dimensions are left out.
struct Plan {
  int rank = 0;
  int64_t dims[kMaxDims];
  int64_t src[kMaxDims];
  int64_t dst[kMaxDims];

  void add(int64_t n, int64_t src_stride, int64_t dst_stride) {
    if (n == 1) return;
    dims[rank] = n;
    src[rank] = src_stride;
    dst[rank++] = dst_stride;
  }
  void run(const void* from, void* to, size_t size, Parallel& parallel) const {
    strided(from, to, size, rank, dims, src, dst, parallel);
  }
};

bool empty(int rank, const int64_t* dims) {
  for (int k = 0; k < rank; ++k) {
    if (dims[k] == 0) return true;
  }
  return false;
}

/// Stride of dimension `axis`, in elements.
int64_t stride_of(int rank, const int64_t* dims, int axis) {
  int64_t stride = 1;
  for (int k = axis + 1; k < rank; ++k) stride *= dims[k];
  return stride;
}

const char* advance(const void* p, int64_t elements, size_t size) {
  return static_cast<const char*>(p) + elements * static_cast<int64_t>(size);
}
char* advance(void* p, int64_t elements, size_t size) {
  return static_cast<char*>(p) + elements * static_cast<int64_t>(size);
}

void transpose(const void* src, void* dst, size_t size, int rank, const int64_t* dims, const int* perm,
               Parallel& parallel) {
  if (empty(rank, dims)) return;
  Plan plan;
  int64_t dst_stride = 1;
  for (int k = 0; k < rank; ++k) dst_stride *= dims[k];
  for (int k = 0; k < rank; ++k) {
    dst_stride /= dims[perm[k]];
    plan.add(dims[perm[k]], stride_of(rank, dims, perm[k]), dst_stride);
  }
  plan.run(src, dst, size, parallel);
}

void slice_read(const void* src, void* dst, size_t size, int rank, const int64_t* src_dims, const int64_t* begin,
                const int64_t* stride, const int64_t* out, Parallel& parallel) {
  if (empty(rank, out)) return;
  Plan plan;
  int64_t offset = 0;
  for (int k = 0; k < rank; ++k) {
    const int64_t src_stride = stride_of(rank, src_dims, k);
    offset += begin[k] * src_stride;
    plan.add(out[k], stride[k] * src_stride, stride_of(rank, out, k));
  }
  plan.run(advance(src, offset, size), dst, size, parallel);
}

void slice_write(const void* src, bool scalar, void* dst, size_t size, int rank, const int64_t* dst_dims,
                 const int64_t* begin, const int64_t* stride, const int64_t* in, Parallel& parallel) {
  if (empty(rank, in)) return;
  Plan plan;
  int64_t offset = 0;
  for (int k = 0; k < rank; ++k) {
    const int64_t dst_stride = stride_of(rank, dst_dims, k);
    offset += begin[k] * dst_stride;
    plan.add(in[k], scalar ? 0 : stride_of(rank, in, k), stride[k] * dst_stride);
  }
  plan.run(src, advance(dst, offset, size), size, parallel);
}

void broadcast(const void* src, int src_rank, const int64_t* src_dims, void* dst, size_t size, int rank,
               const int64_t* out, Parallel& parallel) {
  if (empty(rank, out)) return;
  Plan plan;
  const int added = rank - src_rank;
  for (int k = 0; k < rank; ++k) {
    const bool repeated = k < added || src_dims[k - added] == 1;
    plan.add(out[k], repeated ? 0 : stride_of(src_rank, src_dims, k - added), stride_of(rank, out, k));
  }
  plan.run(src, dst, size, parallel);
}

void tile(const void* src, void* dst, size_t size, int rank, const int64_t* dims, const int64_t* multiples,
          Parallel& parallel) {
  if (empty(rank, dims) || empty(rank, multiples)) return;
  Plan plan;
  int64_t dst_stride = 1;
  for (int k = 0; k < rank; ++k) dst_stride *= dims[k] * multiples[k];
  for (int k = 0; k < rank; ++k) {
    dst_stride /= multiples[k];  // One repetition.
    plan.add(multiples[k], 0, dst_stride);
    dst_stride /= dims[k];
    plan.add(dims[k], stride_of(rank, dims, k), dst_stride);
  }
  plan.run(src, dst, size, parallel);
}

void reverse(const void* src, void* dst, size_t size, int rank, const int64_t* dims, const bool* axes,
             Parallel& parallel) {
  if (empty(rank, dims)) return;
  Plan plan;
  int64_t offset = 0;
  for (int k = 0; k < rank; ++k) {
    const int64_t stride = stride_of(rank, dims, k);
    if (axes[k]) offset += (dims[k] - 1) * stride;
    plan.add(dims[k], axes[k] ? -stride : stride, stride);
  }
  plan.run(advance(src, offset, size), dst, size, parallel);
}

void roll(const void* src, void* dst, size_t size, int rank, const int64_t* dims, const int64_t* shift,
          Parallel& parallel) {
  if (empty(rank, dims)) return;
  // Each shifted dimension splits into two runs; there is one copy for each combination of runs.
  int shifted[kMaxDims];
  int64_t by[kMaxDims];
  int count = 0;
  for (int k = 0; k < rank; ++k) {
    const int64_t amount = ((shift[k] % dims[k]) + dims[k]) % dims[k];
    if (amount == 0) continue;
    shifted[count] = k;
    by[count++] = amount;
  }
  for (uint64_t choice = 0; choice < uint64_t{1} << count; ++choice) {
    Plan plan;
    int64_t from = 0, to = 0;
    for (int k = 0, s = 0; k < rank; ++k) {
      const int64_t stride = stride_of(rank, dims, k);
      int64_t n = dims[k];
      if (s < count && shifted[s] == k) {
        const bool wraps = (choice >> s & 1) != 0;  // The tail of the source, which comes first in the destination.
        n = wraps ? by[s] : dims[k] - by[s];
        from += wraps ? (dims[k] - by[s]) * stride : 0;
        to += wraps ? 0 : by[s] * stride;
        ++s;
      }
      plan.add(n, stride, stride);
    }
    plan.run(advance(src, from, size), advance(dst, to, size), size, parallel);
  }
}

}  // namespace

void fill(CopyTable& table) {
  table.strided = strided;
  table.transpose = transpose;
  table.slice_read = slice_read;
  table.slice_write = slice_write;
  table.broadcast = broadcast;
  table.tile = tile;
  table.reverse = reverse;
  table.roll = roll;
  table.fill = fill_elements;
  fill_pads(table);
  fill_joins(table);
}

}  // namespace tinytf::kernels::TINYTF_ISA

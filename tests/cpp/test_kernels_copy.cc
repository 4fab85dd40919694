#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "kernels/table.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/kernel_fixture.h"

// Compares every copy with its definition, index by index, at every level, split into minimal ranges.
namespace TINYTF_FILE {

using namespace tinytf;
using Shape = std::vector<int64_t>;

template <class Body>
void at_each_level(const Body& body) {
  kernels::for_each_isa([&] { body(kernels::table().copy); });
}

int64_t volume(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<int64_t>());
}

/// Bytes that differ between elements.
std::vector<char> numbers(int64_t n, size_t size) {
  std::vector<char> bytes(static_cast<size_t>(n) * size);
  uint32_t state = 12345;
  for (char& byte : bytes) byte = static_cast<char>((state = state * 1664525u + 1013904223u) >> 24);
  return bytes;
}

/// Calls body(index, flat position) for every index of a shape.
template <class Body>
void for_each_index(const Shape& shape, const Body& body) {
  Shape index(shape.size(), 0);
  const int64_t n = volume(shape);
  for (int64_t i = 0; i < n; ++i) {
    body(index, i);
    for (size_t k = shape.size(); k-- > 0;) {
      if (++index[k] < shape[k]) break;
      index[k] = 0;
    }
  }
}

int64_t flat(const Shape& shape, const Shape& index) {
  int64_t position = 0;
  for (size_t k = 0; k < shape.size(); ++k) position = position * shape[k] + index[k];
  return position;
}

const size_t kSizes[] = {1, 2, 4, 8, 16};
const std::vector<Shape> kShapes = {
    {},           {0},           {1},       {7},          {3, 5},       {0, 4},
    {65, 67},     {128, 64},     {2, 3, 4}, {2, 33, 4},   {5, 70, 3},   {3, 16, 16},
    {2, 3, 1, 4}, {2, 17, 5, 8}, {1, 9, 1}, {2, 2, 2, 3}, {4, 1, 3, 2}, {2, 3, 2, 3, 2}};

/// Checks that the element of `got` at an index is element map(index) of src, or `rim` if the map gives -1.
template <class Map>
void expect_mapped(const std::vector<char>& got, const Shape& out, const std::vector<char>& src, size_t size,
                   const std::vector<char>& rim, const Map& map) {
  bool same = got.size() == static_cast<size_t>(volume(out)) * size;
  EXPECT(same);
  if (!same) return;
  for_each_index(out, [&](const Shape& index, int64_t i) {
    const int64_t at = map(index);
    const char* want = at < 0 ? rim.data() : src.data() + at * static_cast<int64_t>(size);
    same &= std::memcmp(got.data() + i * static_cast<int64_t>(size), want, size) == 0;
  });
  EXPECT(same);
}

TINYTF_TEST(copy_transpose) {
  at_each_level([](const kernels::CopyTable& copy) {
    kernels::UnevenParallel uneven;
    for (const size_t size : kSizes) {
      for (const Shape& shape : kShapes) {
        const auto src = numbers(volume(shape), size);
        std::vector<int> perm(shape.size());
        std::iota(perm.begin(), perm.end(), 0);
        do {
          Shape out(shape.size());
          for (size_t k = 0; k < shape.size(); ++k) out[k] = shape[static_cast<size_t>(perm[k])];
          std::vector<char> got(src.size());
          copy.transpose(src.data(), got.data(), size, static_cast<int>(shape.size()), shape.data(), perm.data(),
                         uneven);
          expect_mapped(got, out, src, size, {}, [&](const Shape& index) {
            Shape from(shape.size());
            for (size_t k = 0; k < shape.size(); ++k) from[static_cast<size_t>(perm[k])] = index[k];
            return flat(shape, from);
          });
        } while (std::next_permutation(perm.begin(), perm.end()));
      }
    }
  });
}

TINYTF_TEST(copy_transpose_of_large_matrices) {
  at_each_level([](const kernels::CopyTable& copy) {
    SerialParallel serial;
    const int perm[] = {1, 0};
    for (const Shape& shape :
         {Shape{2048, 1024}, Shape{1500, 1501}}) {  // larger than the caches, with and without whole lines
      const auto src = numbers(volume(shape), 4);
      void* memory = std::aligned_alloc(64, (src.size() + 63) / 64 * 64);
      copy.transpose(src.data(), memory, 4, 2, shape.data(), perm, serial);
      const std::vector<char> got(static_cast<char*>(memory), static_cast<char*>(memory) + src.size());
      std::free(memory);
      expect_mapped(got, {shape[1], shape[0]}, src, 4, {},
                    [&](const Shape& index) { return index[1] * shape[1] + index[0]; });
    }
  });
}

TINYTF_TEST(copy_slices) {
  at_each_level([](const kernels::CopyTable& copy) {
    kernels::UnevenParallel uneven;
    for (const size_t size : kSizes) {
      for (const Shape& shape : kShapes) {
        const int rank = static_cast<int>(shape.size());
        const auto src = numbers(volume(shape), size);
        for (const int64_t step : {1, 2, -1, -3}) {
          Shape begin(shape.size()), stride(shape.size()), out(shape.size());
          for (size_t k = 0; k < shape.size(); ++k) {
            stride[k] = k % 2 == 0 ? step : 1;
            const int64_t first = shape[k] > 2 ? 1 : 0;
            begin[k] = stride[k] > 0 ? first : std::max<int64_t>(shape[k] - 1 - first, 0);
            const int64_t room = stride[k] > 0 ? shape[k] - begin[k] : std::min(begin[k] + 1, shape[k]);
            out[k] = (room + std::abs(stride[k]) - 1) / std::abs(stride[k]);
          }
          const auto map = [&](const Shape& index) {
            Shape from(index);
            for (size_t k = 0; k < index.size(); ++k) from[k] = begin[k] + index[k] * stride[k];
            return flat(shape, from);
          };
          std::vector<char> got(static_cast<size_t>(volume(out)) * size);
          copy.slice_read(src.data(), got.data(), size, rank, shape.data(), begin.data(), stride.data(), out.data(),
                          uneven);
          expect_mapped(got, out, src, size, {}, map);

          std::vector<char> target(src.size(), 0), want(src.size(), 0), ones(src.size(), 0);
          for_each_index(out, [&](const Shape& index, int64_t i) {
            std::memcpy(want.data() + map(index) * static_cast<int64_t>(size),
                        got.data() + i * static_cast<int64_t>(size), size);
            std::memset(ones.data() + map(index) * static_cast<int64_t>(size), 0x5A, size);
          });
          copy.slice_write(got.data(), false, target.data(), size, rank, shape.data(), begin.data(), stride.data(),
                           out.data(), uneven);
          EXPECT(target == want);
          const std::vector<char> one(size, 0x5A);
          std::fill(target.begin(), target.end(), 0);
          copy.slice_write(one.data(), true, target.data(), size, rank, shape.data(), begin.data(), stride.data(),
                           out.data(), uneven);
          EXPECT(target == ones);
        }
      }
    }
  });
}

TINYTF_TEST(copy_tile_broadcast_reverse_roll) {
  at_each_level([](const kernels::CopyTable& copy) {
    kernels::UnevenParallel uneven;
    for (const size_t size : kSizes) {
      for (const Shape& shape : kShapes) {
        const int rank = static_cast<int>(shape.size());
        const auto src = numbers(volume(shape), size);
        for (int variant = 0; variant < 3; ++variant) {
          Shape multiples(shape.size()), tiled(shape.size()), narrow(shape), shift(shape.size());
          bool axes[8] = {};
          for (size_t k = 0; k < shape.size(); ++k) {
            multiples[k] = static_cast<int64_t>((k + static_cast<size_t>(variant)) % 3) + 1;
            tiled[k] = shape[k] * multiples[k];
            axes[k] = (k + static_cast<size_t>(variant)) % 2 == 0;
            if (axes[k] && shape[k] != 0) narrow[k] = 1;
            shift[k] = axes[k] ? static_cast<int64_t>(k) * 7 - 5 : 0;
          }
          std::vector<char> got(static_cast<size_t>(volume(tiled)) * size);
          copy.tile(src.data(), got.data(), size, rank, shape.data(), multiples.data(), uneven);
          expect_mapped(got, tiled, src, size, {}, [&](Shape index) {
            for (size_t k = 0; k < index.size(); ++k) index[k] %= shape[k];
            return flat(shape, index);
          });

          got.assign(src.size(), 0);
          copy.reverse(src.data(), got.data(), size, rank, shape.data(), axes, uneven);
          expect_mapped(got, shape, src, size, {}, [&](Shape index) {
            for (size_t k = 0; k < index.size(); ++k) index[k] = axes[k] ? shape[k] - 1 - index[k] : index[k];
            return flat(shape, index);
          });

          copy.roll(src.data(), got.data(), size, rank, shape.data(), shift.data(), uneven);
          expect_mapped(got, shape, src, size, {}, [&](Shape index) {
            for (size_t k = 0; k < index.size(); ++k)
              index[k] = ((index[k] - shift[k]) % shape[k] + shape[k]) % shape[k];
            return flat(shape, index);
          });

          Shape wide(shape);
          wide.insert(wide.begin(), 3);
          got.assign(static_cast<size_t>(volume(wide)) * size, 0);
          copy.broadcast(src.data(), rank, narrow.data(), got.data(), size, rank + 1, wide.data(), uneven);
          expect_mapped(got, wide, src, size, {}, [&](const Shape& index) {
            Shape from(index.begin() + 1, index.end());
            for (size_t k = 0; k < from.size(); ++k) from[k] = narrow[k] == 1 ? 0 : from[k];
            return flat(narrow, from);
          });
        }
      }
    }
  });
}

TINYTF_TEST(copy_pads) {
  at_each_level([](const kernels::CopyTable& copy) {
    kernels::UnevenParallel uneven;
    for (const size_t size : kSizes) {
      const std::vector<char> rim(size, 0x77);
      for (const Shape& shape : kShapes) {
        const int rank = static_cast<int>(shape.size());
        const auto src = numbers(volume(shape), size);
        for (int variant = 0; variant < 8; ++variant) {
          Shape before(shape.size()), after(shape.size()), out(shape.size());
          for (size_t k = 0; k < shape.size(); ++k) {
            const bool padded = (variant >> (k % 3) & 1) != 0;
            before[k] = padded ? 2 : 0;
            after[k] = padded ? 1 : 0;
            out[k] = before[k] + shape[k] + after[k];
          }
          std::vector<char> got(static_cast<size_t>(volume(out)) * size);
          copy.pad(src.data(), got.data(), size, rank, shape.data(), before.data(), after.data(), rim.data(), uneven);
          expect_mapped(got, out, src, size, rim, [&](Shape index) -> int64_t {
            for (size_t k = 0; k < index.size(); ++k) {
              index[k] -= before[k];
              if (index[k] < 0 || index[k] >= shape[k]) return -1;
            }
            return flat(shape, index);
          });
          for (int skip = 0; skip < 2; ++skip) {
            for (size_t k = 0; k < shape.size(); ++k) {
              const bool padded = (variant >> (k % 3) & 1) != 0;
              const int64_t most = std::max<int64_t>(shape[k] - skip, 0);
              before[k] = padded ? std::min<int64_t>(2, most) : 0;
              after[k] = padded ? most : 0;
              out[k] = before[k] + shape[k] + after[k];
            }
            got.assign(static_cast<size_t>(volume(out)) * size, 0);
            copy.mirror_pad(src.data(), got.data(), size, rank, shape.data(), before.data(), after.data(), skip,
                            uneven);
            expect_mapped(got, out, src, size, {}, [&](Shape index) {
              for (size_t k = 0; k < index.size(); ++k) {
                index[k] -= before[k];
                if (index[k] < 0) index[k] = -index[k] - 1 + skip;
                if (index[k] >= shape[k]) index[k] = 2 * shape[k] - 1 - skip - index[k];
              }
              return flat(shape, index);
            });
          }
        }
      }
    }
  });
}

TINYTF_TEST(copy_concat_and_split) {
  at_each_level([](const kernels::CopyTable& copy) {
    kernels::UnevenParallel uneven;
    for (const int64_t outer : {0, 1, 7, 3000}) {
      const std::vector<int64_t> inner = {4, 0, 12, 8, 16, 1, 5000, 0};
      std::vector<std::vector<char>> parts;
      std::vector<const void*> in;
      int64_t row = 0;
      for (const int64_t bytes : inner) {
        parts.push_back(numbers(outer * bytes, 1));
        in.push_back(parts.back().data());
        row += bytes;
      }
      std::vector<char> joined(static_cast<size_t>(outer * row)), want;
      for (int64_t i = 0; i < outer; ++i) {
        for (size_t k = 0; k < inner.size(); ++k) {
          want.insert(want.end(), parts[k].begin() + i * inner[k], parts[k].begin() + (i + 1) * inner[k]);
        }
      }
      const int count = static_cast<int>(inner.size());
      copy.concat(in.data(), inner.data(), count, outer, joined.data(), uneven);
      EXPECT(joined == want);
      std::vector<std::vector<char>> back;
      std::vector<void*> out;
      for (const auto& part : parts) back.emplace_back(part.size());
      for (auto& part : back) out.push_back(part.data());
      out[3] = nullptr;
      copy.split(joined.data(), outer, out.data(), inner.data(), count, uneven);
      for (size_t k = 0; k < parts.size(); ++k) EXPECT(k == 3 || back[k] == parts[k]);
    }
  });
}

TINYTF_TEST(copy_fill_and_one_hot) {
  at_each_level([](const kernels::CopyTable& copy) {
    kernels::UnevenParallel uneven;
    for (const size_t size : kSizes) {
      const auto values = numbers(2, size);
      for (const int64_t n : {0, 1, 5, 4097, 20000}) {
        std::vector<char> got(static_cast<size_t>(n) * size);
        copy.fill(got.data(), values.data(), size, n, uneven);
        bool same = true;
        for (int64_t i = 0; i < n; ++i)
          same &= std::memcmp(got.data() + i * static_cast<int64_t>(size), values.data(), size) == 0;
        EXPECT(same);
      }
      const int64_t prefix = 3, depth = 5, suffix = 4;
      const int32_t narrow[] = {0, 4, 5, -1, 2, 2, 1, 3, 4, 0, 100, 3};
      std::vector<int64_t> wide(narrow, narrow + 12);
      for (int type = 0; type < 2; ++type) {
        std::vector<char> got(static_cast<size_t>(prefix * depth * suffix) * size);
        copy.one_hot(type == 0 ? static_cast<const void*>(narrow) : wide.data(),
                     type == 0 ? DType::kInt32 : DType::kInt64, prefix, depth, suffix, values.data(),
                     values.data() + size, got.data(), size, uneven);
        expect_mapped(got, {prefix, depth, suffix}, values, size, {},
                      [&](const Shape& index) { return narrow[index[0] * suffix + index[2]] == index[1] ? 0 : 1; });
      }
    }
  });
}

// A complex128 consists of two doubles, and external data may have only the alignment of double.
TINYTF_TEST(copy_wide_elements_anywhere) {
  struct Wide {
    uint64_t low, high;
    bool operator==(const Wide& other) const { return low == other.low && high == other.high; }
  };
  constexpr int64_t n = 9, rows = 3;
  alignas(16) static uint64_t from[2 * n + 1], to[8 * n + 1], ends[5];
  for (int64_t i = 0; i < 2 * n + 1; ++i) from[i] = static_cast<uint64_t>(i + 1) << 40;
  std::copy(from, from + 5, ends);
  const auto* src = reinterpret_cast<const Wide*>(from + 1);
  const auto* value = reinterpret_cast<const Wide*>(ends + 1);
  auto* dst = reinterpret_cast<Wide*>(to + 1);
  at_each_level([&](const kernels::CopyTable& copy) {
    kernels::UnevenParallel uneven;
    copy.fill(dst, value, sizeof(Wide), n, uneven);
    for (int64_t i = 0; i < n; ++i) EXPECT(dst[i] == *value);

    const int64_t indices[rows] = {2, 0, 1};
    copy.one_hot(indices, DType::kInt64, rows, rows, 1, value + 1, value, dst, sizeof(Wide), uneven);
    for (int64_t i = 0; i < n; ++i) EXPECT(dst[i] == value[i % rows == indices[i / rows]]);

    const int64_t dims[] = {rows, rows}, turned[] = {1, rows}, straight[] = {rows, 1};
    copy.strided(src, dst, sizeof(Wide), 2, dims, turned, straight, uneven);
    for (int64_t i = 0; i < n; ++i) EXPECT(dst[i] == src[i % rows * rows + i / rows]);

    const int64_t rim[] = {1, 1}, none[] = {0, 0};
    copy.pad(src, dst, sizeof(Wide), 2, dims, rim, none, value, uneven);
    for (int64_t i = 0; i < 16; ++i)
      EXPECT(dst[i] == (i < 4 || i % 4 == 0 ? *value : src[(i / 4 - 1) * rows + i % 4 - 1]));
  });
}

}  // namespace TINYTF_FILE

#pragma once

#include <algorithm>
#include <cstdio>
#include <string>

#include "base/parallel.h"
#include "tensor/tensor.h"

namespace tinytf::ops {

inline constexpr double kTextCost = 150;  // nanoseconds per element

/// Escapes the unprintable characters of a string as in C.
inline std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      case '"': out += "\\\""; break;
      case '\'': out += "\\'"; break;
      case '\\': out += "\\\\"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) {
          char octal[8];
          std::snprintf(octal, sizeof octal, "\\%03o", static_cast<unsigned>(static_cast<unsigned char>(c)));
          out += octal;
        } else {
          out += c;
        }
    }
  }
  return out;
}

inline std::string element_text(const Tensor& tensor, int64_t i) {
  switch (tensor.dtype()) {
    case DType::kFloat: return number_text(tensor.data<float>()[i]);
    case DType::kDouble: return number_text(tensor.data<double>()[i]);
    case DType::kHalf: return number_text(static_cast<float>(tensor.data<Half>()[i]));
    case DType::kBfloat16: return number_text(static_cast<float>(tensor.data<BFloat16>()[i]));
    case DType::kInt8: return str_cat(tensor.data<int8_t>()[i]);
    case DType::kInt16: return str_cat(tensor.data<int16_t>()[i]);
    case DType::kInt32: return str_cat(tensor.data<int32_t>()[i]);
    case DType::kInt64: return str_cat(tensor.data<int64_t>()[i]);
    case DType::kUint8: return str_cat(tensor.data<uint8_t>()[i]);
    case DType::kUint16: return str_cat(tensor.data<uint16_t>()[i]);
    case DType::kUint32: return str_cat(tensor.data<uint32_t>()[i]);
    case DType::kUint64: return str_cat(tensor.data<uint64_t>()[i]);
    case DType::kBool: return tensor.data<bool>()[i] ? "1" : "0";
    case DType::kString: return escaped(tensor.data<std::string>()[i]);
    default: return "?";
  }
}

namespace detail {

inline void summarize_dim(const Tensor& tensor, int dim, int64_t limit, int64_t* at, std::string* out,
                          Parallel& parallel) {
  const int64_t n = tensor.dim(dim);
  if (*at >= limit) return;
  if (dim == tensor.rank() - 1) {
    const int64_t shown = std::min(n, limit - *at);
    parallel.run_in_order(shown, kTextCost, [&](int64_t i, int64_t end) {
      for (; i < end; ++i) {
        if (i > 0) *out += " ";
        *out += element_text(tensor, (*at)++);
      }
    });
    if (shown < n && dim != 0) *out += "...";
    return;
  }
  const double elements = static_cast<double>(std::min(tensor.num_elements(), limit));
  parallel.run_in_order(n, kTextCost * elements / static_cast<double>(std::max<int64_t>(n, 1)),
                        [&](int64_t i, int64_t end) {
                          for (; i < end && *at < limit; ++i) {
                            *out += "[";
                            summarize_dim(tensor, dim + 1, limit, at, out, parallel);
                            *out += "]";
                          }
                        });
}

}  // namespace detail

/// The first `limit` elements (all if negative) in TensorFlow's notation: "1 2 3...", "[1 2][3...]...".
inline std::string summarize_value(const Tensor& tensor, int64_t limit, Parallel& parallel) {
  const int64_t n = tensor.num_elements();
  if (limit < 0 || limit > n) limit = n;
  std::string out;
  if (tensor.rank() == 0) return limit > 0 ? element_text(tensor, 0) : "...";
  int64_t at = 0;
  detail::summarize_dim(tensor, 0, limit, &at, &out, parallel);
  return n > limit ? out + "..." : out;
}

namespace detail {

/// Appends the separator of two entries of a dimension: a space in the innermost dimension, otherwise one line break
/// for each inner dimension, and indentation.
inline void space_entries(int dim, int rank, std::string* out) {
  if (dim == rank - 1) {
    *out += " ";
  } else {
    out->append(static_cast<size_t>(rank - dim - 1), '\n').append(static_cast<size_t>(dim) + 1, ' ');
  }
}

inline void summarize_ends_of_dim(const Tensor& tensor, int dim, int64_t ends, int64_t at, std::string* out,
                                  Parallel& parallel) {
  const int rank = tensor.rank();
  if (dim == rank) {
    *out += tensor.dtype() == DType::kString ? str_cat("\"", element_text(tensor, at), "\"") : element_text(tensor, at);
    return;
  }
  const int64_t n = tensor.dim(dim);
  const int64_t inner = tensor.shape().product(dim + 1, rank);
  const auto add_entries = [&](int64_t first, int64_t last) {
    parallel.run_in_order(last - first, kTextCost * static_cast<double>(inner), [&](int64_t begin, int64_t end) {
      for (int64_t i = first + begin; i < first + end; ++i) {
        if (i > 0) space_entries(dim, rank, out);
        summarize_ends_of_dim(tensor, dim + 1, ends, at + inner * i, out, parallel);
      }
    });
  };
  *out += "[";
  add_entries(0, std::min(ends, n));
  if (n > 2 * ends) {
    space_entries(dim, rank, out);
    *out += "...";
  }
  add_entries(std::max(ends, n - ends), n);
  *out += "]";
}

}  // namespace detail

/// The first and the last `ends` entries of each dimension (all if negative) in the notation of PrintV2: "[1 2 ... 8
/// 9]", with strings in quotes.
inline std::string summarize_ends(const Tensor& tensor, int64_t ends, Parallel& parallel) {
  const int64_t n = tensor.num_elements();
  if (ends < 0 || ends > n) ends = n;
  if (tensor.rank() == 0 && ends == 0) return "...";
  std::string out;
  detail::summarize_ends_of_dim(tensor, 0, ends, 0, &out, parallel);
  return out;
}

}  // namespace tinytf::ops

#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "base/inlined_vector.h"
#include "base/status.h"

namespace tinytf::ops {

/// The labels of one tensor in an equation: "a...b" is {'a', kEllipsis, 'b'}. A label may be any byte.
struct Subscripts {
  static constexpr char kEllipsis = '\0';

  std::string labels;

  bool has_ellipsis() const { return labels.find(kEllipsis) != std::string::npos; }
  /// Number of dimensions with a label.
  int named() const { return static_cast<int>(labels.size()) - (has_ellipsis() ? 1 : 0); }

  /// `kind` is "input" or "output", for messages.
  static Result<Subscripts> parse(std::string_view text, const char* kind) {
    const auto periods = std::count(text.begin(), text.end(), '.');
    const size_t at = text.find("...");
    if (periods != 0 && (periods != 3 || at == std::string_view::npos)) {
      return invalid_argument("Expected at most one ellipsis (...), but found ", periods, " periods (.) in the ", kind,
                              " subscript: ", text);
    }
    Subscripts subscripts{std::string(text)};
    if (periods != 0) subscripts.labels.replace(at, 3, 1, kEllipsis);
    if (std::count(subscripts.labels.begin(), subscripts.labels.end(), kEllipsis) > (periods != 0 ? 1 : 0)) {
      return invalid_argument("An einsum equation must not contain the byte 0: ", text);
    }
    return subscripts;
  }

  /// Calls f(dimension, label, index within the ellipsis counted from its last dimension) for each of `rank`
  /// dimensions. The rank must match the labels.
  template <class F>
  void for_each_dim(int rank, F f) const {
    int d = 0;
    for (const char label : labels) {
      if (label != kEllipsis) {
        f(d++, label, 0);
        continue;
      }
      for (int left = rank - named(); left > 0; --left) f(d++, label, left - 1);
    }
  }
};

/// A parsed equation such as "ab,bc->ac": one or two inputs, and an output whose labels all occur in the inputs.
struct EinsumEquation {
  Subscripts inputs[2];
  Subscripts output;
  int count = 0;  // number of inputs

  /// InvalidArgument if the text is not an equation of `inputs` tensors.
  static Result<EinsumEquation> parse(const std::string& text, int inputs) {
    const size_t arrow = text.find("->");
    if (arrow == std::string::npos || text.find("->", arrow + 2) != std::string::npos) {
      return invalid_argument("Expecting exactly one '->' in einsum equation: ", text);
    }
    const std::string_view left = std::string_view(text).substr(0, arrow);
    const auto count = static_cast<int>(std::count(left.begin(), left.end(), ',')) + 1;
    if (count > 2) {
      return invalid_argument("Expecting 1 or 2 input subscripts in equation '", text, "' but got: ", count);
    }
    if (count != inputs) {
      return invalid_argument("Expected ", count, " inputs for equation ", text, " but got: ", inputs);
    }
    EinsumEquation equation;
    equation.count = count;
    const size_t comma = std::min(left.find(','), left.size());
    TINYTF_ASSIGN_OR_RETURN(equation.inputs[0], Subscripts::parse(left.substr(0, comma), "input"));
    if (count == 2) {
      TINYTF_ASSIGN_OR_RETURN(equation.inputs[1], Subscripts::parse(left.substr(comma + 1), "input"));
    }
    TINYTF_ASSIGN_OR_RETURN(equation.output, Subscripts::parse(std::string_view(text).substr(arrow + 2), "output"));
    for (const char label : equation.output.labels) {
      if (label != Subscripts::kEllipsis && equation.inputs[0].labels.find(label) == std::string::npos &&
          equation.inputs[1].labels.find(label) == std::string::npos) {
        return invalid_argument("Einsum output subscripts for equation '", text, "' has label '",
                                std::string_view(&label, 1), "' which is not present in the input subscripts");
      }
    }
    return equation;
  }
};

}  // namespace tinytf::ops

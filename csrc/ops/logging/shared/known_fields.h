#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "io/wire.h"

namespace tinytf::ops {

/// A known field of a message, which occurs at most once.
struct KnownField {
  enum Content : uint8_t {
    kText,           ///< UTF-8 text; omitted if it is empty
    kMessage,        ///< a message; several occurrences are merged
    kChosenValue,    ///< one of several alternative fields; the last one counts
    kChosenMessage,  ///< an alternative that is a message
  };
  uint32_t number;
  WireType type;
  Content content;

  bool is_message() const { return content == kMessage || content == kChosenMessage; }
  bool is_chosen() const { return content == kChosenValue || content == kChosenMessage; }
};

/// Rewrites a message as protobuf's libraries would after parsing it: each known field once, in ascending order of
/// field numbers, which is the order of `known`, followed by the unknown fields. `sound` is set to whether the message
/// could be parsed completely; if not, the part before the damage counts.
template <size_t kCount>
std::string in_order(std::string_view message, const std::array<KnownField, kCount>& known, bool* sound) {
  std::array<std::string_view, kCount> whole{};
  std::array<MergedBytes, kCount> parts{};
  std::string unknown;
  *sound = true;
  WireReader fields(message);
  while (fields.next()) {
    const auto field = std::find_if(known.begin(), known.end(),
                                    [&](const KnownField& known) { return fields.is(known.number, known.type); });
    if (field == known.end()) {
      unknown += fields.whole();
      continue;
    }
    for (size_t i = 0; i < kCount && field->is_chosen(); ++i) {
      if (!known[i].is_chosen() || known[i].number == field->number) continue;
      whole[i] = {};
      parts[i] = MergedBytes();
    }
    const auto place = static_cast<size_t>(field - known.begin());
    whole[place] = field->content == KnownField::kText && fields.bytes().empty() ? "" : fields.whole();
    if (field->content == KnownField::kText) fields.text();
    if (!field->is_message()) continue;
    parts[place].add(fields.bytes());
    WireReader inner(fields.bytes());
    while (inner.next()) {
    }
    *sound &= inner.ok();
  }
  *sound &= fields.ok();
  std::string ordered;
  WireWriter to(&ordered);
  for (size_t i = 0; i < kCount; ++i) {
    if (parts[i].is_in_parts()) {
      to.bytes(known[i].number, parts[i].view());
    } else {
      ordered += whole[i];
    }
  }
  return ordered + unknown;
}

}  // namespace tinytf::ops

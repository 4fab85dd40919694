#include "ops/string/shared/utf8_case.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "op/registration.h"
#include "ops/string/shared/case_tables.h"

namespace tinytf::ops {

namespace {

constexpr char32_t kReplacement = 0xFFFD;
constexpr char32_t kCapitalSigma = 0x3A3, kSigma = 0x3C3, kFinalSigma = 0x3C2;
constexpr char32_t kCapitalDottedI = 0x130, kDotAbove = 0x307;

/// Decodes the character at text[*at] and advances *at past it.
char32_t decode_character(const std::string& text, size_t* at) {
  const auto lead = static_cast<unsigned char>(text[(*at)++]);
  if (lead < 0x80) return lead;
  const int more = lead >= 0xC2 && lead <= 0xDF ? 1 : (lead & 0xF0) == 0xE0 ? 2 : lead >= 0xF0 && lead <= 0xF4 ? 3 : 0;
  if (more == 0) return kReplacement;
  char32_t c = lead & (0x3Fu >> more);
  for (int i = 0; i < more; ++i) {
    if (*at == text.size()) return kReplacement;
    const auto next = static_cast<unsigned char>(text[*at]);
    // The range of the second byte excludes overlong forms, surrogates and code points beyond Unicode.
    const unsigned low = i > 0 ? 0x80 : lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned high = i > 0 ? 0xBF : lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (next < low || next > high) return kReplacement;
    c = c << 6 | (next & 0x3Fu);
    ++*at;
  }
  return c;
}

std::vector<char32_t> decode_character(const std::string& text) {
  std::vector<char32_t> characters;
  for (size_t at = 0; at < text.size();) characters.push_back(decode_character(text, &at));
  return characters;
}

void append(char32_t c, std::string* out) {
  const auto tail = [&](int shift) { *out += static_cast<char>(0x80 | (c >> shift & 0x3F)); };
  if (c < 0x80) {
    *out += static_cast<char>(c);
  } else if (c < 0x800) {
    *out += static_cast<char>(0xC0 | c >> 6);
    tail(0);
  } else if (c < 0x10000) {
    *out += static_cast<char>(0xE0 | c >> 12);
    tail(6);
    tail(0);
  } else {
    *out += static_cast<char>(0xF0 | c >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

template <size_t N>
char32_t mapped(const CaseRange (&ranges)[N], char32_t c) {
  const auto* range = std::upper_bound(std::begin(ranges), std::end(ranges), c,
                                       [](char32_t value, const CaseRange& r) { return value < r.first; });
  if (range == std::begin(ranges)) return c;
  --range;
  if (c > range->last || (c - range->first) % static_cast<char32_t>(range->step) != 0) return c;
  return static_cast<char32_t>(static_cast<int32_t>(c) + range->distance);
}

const CaseExpansion* expansion(char32_t c) {
  const auto* found = std::lower_bound(std::begin(kToUpperExpansions), std::end(kToUpperExpansions), c,
                                       [](const CaseExpansion& e, char32_t value) { return e.from < value; });
  return found != std::end(kToUpperExpansions) && found->from == c ? found : nullptr;
}

bool is_cased(char32_t c) {
  return mapped(kToUpper, c) != c || mapped(kToLower, c) != c || expansion(c) != nullptr || c == kCapitalDottedI;
}

/// Whether a character is a mark or punctuation that does not end a word.
bool is_case_ignorable(char32_t c) {
  constexpr char32_t kSingle[] = {'\'', '.',  ':',  '^',   '`',    0xA8,   0xAD,   0xAF,
                                  0xB4, 0xB7, 0xB8, 0x387, 0x2018, 0x2019, 0x2024, 0x2027};
  constexpr char32_t kRanges[][2] = {{0x2B0, 0x36F},   {0x483, 0x489},   {0x591, 0x5BD},
                                     {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200B, 0x200F},
                                     {0x20D0, 0x20F0}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}};
  return std::find(std::begin(kSingle), std::end(kSingle), c) != std::end(kSingle) ||
         std::any_of(std::begin(kRanges), std::end(kRanges), [&](const auto& r) { return r[0] <= c && c <= r[1]; });
}

/// Whether the character at `i` is the last letter of a word with more than one letter.
bool ends_word(const std::vector<char32_t>& text, size_t i) {
  const auto here = text.begin() + static_cast<ptrdiff_t>(i);
  const auto before = std::find_if_not(std::make_reverse_iterator(here), text.rend(), is_case_ignorable);
  const auto behind = std::find_if_not(here + 1, text.end(), is_case_ignorable);
  return before != text.rend() && is_cased(*before) && (behind == text.end() || !is_cased(*behind));
}

}  // namespace

std::string utf8_upper(const std::string& text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const char32_t c = decode_character(text, &at);
    if (const CaseExpansion* all = expansion(c)) {
      for (const char32_t part : all->to) {
        if (part != 0) append(part, &out);
      }
    } else {
      append(mapped(kToUpper, c), &out);
    }
  }
  return out;
}

std::string utf8_lower(const std::string& text) {
  const std::vector<char32_t> characters = decode_character(text);
  std::string out;
  for (size_t i = 0; i < characters.size(); ++i) {
    const char32_t c = characters[i];
    if (c == kCapitalDottedI) {
      append('i', &out);
      append(kDotAbove, &out);
    } else {
      append(c == kCapitalSigma ? (ends_word(characters, i) ? kFinalSigma : kSigma) : mapped(kToLower, c), &out);
    }
  }
  return out;
}

}  // namespace tinytf::ops

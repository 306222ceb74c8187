// Names for what generated headers declare.
#pragma once
#include <string_view>

namespace tinec::builder {

/// Letters, digits and `_`, no digit first.
bool is_identifier(std::string_view);
/// An identifier that C or C++ has a meaning for, such as `new`.
bool is_keyword(std::string_view);

}  // namespace tinec::builder

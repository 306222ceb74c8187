// Sizes: numbers and symbols known when the kernel is made (block sizes, constants) or at the call (sizes of tensors).
#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include "tine/error.hpp"
#include "tine/loc.hpp"

namespace tine {

class Size;
class BlockSize;
struct Condition;

/// "All of it": a dim's whole size in `tile`, a dim's own size in `tile`'s strides, every index in slices and new axes.
struct Whole {};
inline constexpr Whole whole{};
/// In `expand`: this dim stays as it is.
struct Keep {};
inline constexpr Keep keep{};

namespace core {
enum class SizeOp : uint8_t { add, sub, mul, floordiv, floormod, cdiv, min, max };
enum class Relation : uint8_t { equal, not_equal, less, less_equal };
Size size_binary(SizeOp, const Size&, const Size&, Loc);
int64_t block(const BlockSize&, Loc);
int64_t known(const Size&, Loc);
void require(const Condition&, Loc);
}  // namespace core

/// A meta-parameter: a number that changes speed and no result. The candidates are for the tuner, the first is the
/// default. Declare it as a member of the kernel: `nt::BlockSize bm{64, 128};`. Up to 8 candidates, positive.
class BlockSize {
 public:
  static constexpr int max_candidates = 8;
  constexpr BlockSize(std::initializer_list<int> candidates) {
    for (int v : candidates) {
      if (count_ < max_candidates) candidates_[count_] = v;
      ++count_;
    }
  }
  int64_t value(Loc loc = Loc::here()) const { return core::block(*this, loc); }  ///< under the present config
  int count() const { return count_; }
  const int32_t* candidates() const { return candidates_; }

 private:
  int32_t count_ = 0, candidates_[max_candidates] = {};
};

/// A number, a symbol of the kernel under trace, or `whole` / `keep`. Integers and block sizes convert to it.
class Size {
 public:
  constexpr Size() = default;  ///< 0
  template <class I>
  requires(std::is_integral_v<I> && !std::is_same_v<I, bool>) constexpr Size(I v) : number_(static_cast<int64_t>(v)) {}
  constexpr Size(Whole) : kind_(automatic) {}
  constexpr Size(Keep) : kind_(automatic) {}
  Size(const BlockSize& b, Loc loc = Loc::here()) : number_(core::block(b, loc)) {}

  /// The number, if it is one when the kernel is made; else an error.
  int64_t value(Loc loc = Loc::here()) const { return core::known(*this, loc); }

  // For the core.
  enum Kind : uint8_t { plain, automatic, symbol };
  constexpr Size(int32_t id, uint32_t trace, Kind k) : id_(id), trace_(trace), kind_(k) {}
  constexpr Kind kind() const { return kind_; }
  constexpr int64_t number() const { return number_; }
  constexpr int32_t id() const { return id_; }
  constexpr uint32_t trace() const { return trace_; }

 private:
  int64_t number_ = 0;
  int32_t id_ = -1;
  uint32_t trace_ = 0;
  Kind kind_ = plain;
};

/// A relation of two sizes: for `require` in an arrangement, or a scalar bool in an application.
struct Condition {
  core::Relation relation = core::Relation::equal;
  Size a = 0, b = 0;
  template <class B>
  requires std::is_same_v<B, bool>
  explicit operator B() const {
    static_assert(!std::is_same_v<B, bool>,
                  "tine: sizes are known at the call, not to a C++ if, while, for or ?:; use nt::require in an arrangement, nt::if_ or nt::range in an application");
    return false;
  }
};

namespace detail {
template <class...>
inline constexpr bool never = false;
template <class X>
inline constexpr bool is_size = std::is_same_v<X, Size> || std::is_same_v<X, BlockSize>;
template <class X>
concept size_like = is_size<X> ||(std::is_integral_v<X> && !std::is_same_v<X, bool>);
// Operands of operators convert to this; that is where operators get their place in the source.
struct SizeAt {
  Size size;
  Loc loc;
  template <size_like X>
  SizeAt(const X& x, Loc l = Loc::here()) : size(x), loc(l) {}
};
template <class A, class B>
concept sizes = size_like<A> && size_like<B> &&(is_size<A> || is_size<B>);
}  // namespace detail

inline Size operator+(detail::SizeAt a, detail::SizeAt b) {
  return core::size_binary(core::SizeOp::add, a.size, b.size, a.loc);
}
inline Size operator-(detail::SizeAt a, detail::SizeAt b) {
  return core::size_binary(core::SizeOp::sub, a.size, b.size, a.loc);
}
inline Size operator*(detail::SizeAt a, detail::SizeAt b) {
  return core::size_binary(core::SizeOp::mul, a.size, b.size, a.loc);
}
inline Condition operator==(detail::SizeAt a, detail::SizeAt b) { return {core::Relation::equal, a.size, b.size}; }
inline Condition operator!=(detail::SizeAt a, detail::SizeAt b) { return {core::Relation::not_equal, a.size, b.size}; }
inline Condition operator<(detail::SizeAt a, detail::SizeAt b) { return {core::Relation::less, a.size, b.size}; }
inline Condition operator<=(detail::SizeAt a, detail::SizeAt b) { return {core::Relation::less_equal, a.size, b.size}; }
inline Condition operator>(detail::SizeAt a, detail::SizeAt b) { return {core::Relation::less, b.size, a.size}; }
inline Condition operator>=(detail::SizeAt a, detail::SizeAt b) { return {core::Relation::less_equal, b.size, a.size}; }

template <class A, class B>
requires detail::sizes<A, B> Size operator/(const A& a, const B&) {
  static_assert(detail::never<A>, "tine: `/` on sizes would hide which way it rounds; write nt::floordiv or nt::cdiv");
  return a;
}
template <class A, class B>
requires detail::sizes<A, B> Size operator%(const A& a, const B&) {
  static_assert(detail::never<A>, "tine: `%` on sizes would hide which sign it gives; write nt::floormod");
  return a;
}

inline Condition operator!(const Condition& c) {
  using core::Relation;
  switch (c.relation) {
    case Relation::equal:
      return {Relation::not_equal, c.a, c.b};
    case Relation::not_equal:
      return {Relation::equal, c.a, c.b};
    case Relation::less:
      return {Relation::less_equal, c.b, c.a};
    default:
      return {Relation::less, c.b, c.a};
  }
}

/// In an arrangement: what sizes must satisfy. Checked when the kernel is made, if provable, else at the call.
inline void require(const Condition& c, Loc loc = Loc::here()) { core::require(c, loc); }
template <class X>
void require(const X&, Loc = {}) {
  static_assert(detail::never<X>, "tine: require takes one comparison of sizes, such as a.size(1) == b.size(0)");
}

}  // namespace tine

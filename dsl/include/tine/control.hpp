// Recorded control flow: loops and branches on run-time values. The C++ body runs once, or once a branch, while it is
// recorded.
#pragma once
#include <type_traits>

#include "tine/tile.hpp"

namespace tine {

namespace detail {

// A structure that is open while its C++ body runs. Leaving it early is noted, and refused when the trace is over.
class Scope {
 public:
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 protected:
  Scope(const char* what, Loc loc) : what_(what), loc_(loc) {}
  ~Scope() {
    if (!open_) return;
    core::left_early(what_, loc_);
    core::close_structure();
  }
  void opened() { open_ = true; }
  void close() {
    open_ = false;
    core::close_structure();
  }
  const char* what_;
  Loc loc_;
  bool open_ = false;
};

template <class X>
constexpr bool is_condition_value = is_operand<X>&& rank_of<X>() == 0 && type_of_operand<X>() == DType::b1;

}  // namespace detail

/// The index of a `range`.
struct LoopIndex : Value<i64, 0> {
  using Value::Value;
  using Value::operator=;
  ~LoopIndex() {}  // so that a loop that ignores its index gives no warning
};

/// A loop over run-time bounds; see `range`.
class Range : detail::Scope {
 public:
  template <class A, class B, class C>
  Range(const A& start, const B& stop, const C& step, Loc loc)
      : Scope("range", loc), start_(bound(start)), stop_(bound(stop)), step_(bound(step)) {}

  struct End {};
  struct Iterator {
    Range& range;
    bool more;
    bool operator!=(End) const { return more; }
    void operator++() {
      range.close();
      more = false;
    }
    LoopIndex operator*() const { return LoopIndex(detail::Made{}, range.index_); }
  };
  Iterator begin() {
    index_ = core::open_for(start_, stop_, step_, loc_);
    opened();
    return {*this, true};
  }
  End end() { return {}; }

 private:
  template <class X>
  static core::Operand bound(const X& x) {
    TINE_OPERAND(X);
    constexpr bool ok =
        detail::is_operand<X> && detail::rank_of<X>() == 0 && detail::kind(detail::type_of_operand<X>()) == 1;
    static_assert(ok || !detail::is_operand<X>, "tine: an index or a bound of a range is a single integer");
    if constexpr (ok)
      return detail::operand(x);
    else
      return core::Operand{core::Operand::integer, DType::i64};
  }
  core::Operand start_, stop_, step_;
  core::Handle index_;
};

/// `for (auto k : range(n))`, `range(start, stop)`, `range(start, stop, step)`: Python's, with run-time bounds.
template <class B>
Range range(const B& stop, Loc loc = Loc::here()) {
  return Range(0, stop, 1, loc);
}
template <class A, class B>
Range range(const A& start, const B& stop, Loc loc = Loc::here()) {
  return Range(start, stop, 1, loc);
}
template <class A, class B, class C>
Range range(const A& start, const B& stop, const C& step, Loc loc = Loc::here()) {
  return Range(start, stop, step, loc);
}

namespace detail {
class Branch : Scope {
 public:
  template <class C, class F, class G>
  Branch(const C& condition, F& yes, G& no, Loc loc) : Scope("if_", loc) {
    core::open_if(operand(condition), loc);
    opened();
    yes();
    core::open_else();
    no();
    close();
  }
};
class While : Scope {
 public:
  template <class C, class F>
  While(C& condition, F& body, Loc loc) : Scope("while_", loc) {
    core::open_while(loc);
    opened();
    const auto c = condition();
    using X = std::remove_cvref_t<decltype(c)>;
    TINE_OPERAND(X);
    static_assert(is_condition_value<X> || !is_operand<X>,
                  "tine: the condition of if_ and while_ is a single bool; nt::where chooses lane by lane");
    if constexpr (is_condition_value<X>) core::while_body(operand(c), loc);
    body();
    close();
  }
};
}  // namespace detail

/// Runs one of two bodies, which are lambdas; variables that they assign carry on.
template <class C, class F, class G>
requires std::is_invocable_v<G&>
void if_(const C& condition, F&& yes, G&& no, Loc loc = Loc::here()) {
  TINE_OPERAND(C);
  static_assert(detail::is_condition_value<C> || !detail::is_operand<C>,
                "tine: the condition of if_ and while_ is a single bool; nt::where chooses lane by lane");
  if constexpr (detail::is_condition_value<C>) detail::Branch(condition, yes, no, loc);
}
template <class C, class F>
void if_(const C& condition, F&& yes, Loc loc = Loc::here()) {
  auto no = [] {};
  if_(condition, yes, no, loc);
}
/// Repeats `body` while `condition()` holds. The condition assigns no variable.
template <class C, class F>
void while_(C&& condition, F&& body, Loc loc = Loc::here()) {
  detail::While(condition, body, loc);
}

}  // namespace tine

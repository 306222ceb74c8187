// Views: what a kernel is called with. A view is a pointer, a shape and strides; it owns nothing, so the memory must
// live until the call returns. Shapes and strides count elements. Strides may be zero (every index reads one element)
// or negative.
//
//   tine::view(p, {m, n})                 pointer and shape, row-major
//   tine::view(p, {m, n}, {1, m})         with strides
//   tine::view(v), tine::view(v, {m, n})  std::vector, std::span, std::array: anything with data() and size()
//   tine::view(a)                         a C array of any rank
//   tine::view(m)                         mdspan and its like: rank(), extent(d), stride(d), data_handle()
//   tine::view_as<tine::f16>(p, {m, n})   the same bits seen as another element type of that size
//   tine::from_dlpack<float, 2>(t)        DLTensor and DLManagedTensor
// Views of const elements are for parameters that the kernel only reads.
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "tine/argument.hpp"
#include "tine/dtype.hpp"
#include "tine/error.hpp"

namespace tine {

/// A size or stride in elements, from any integer.
struct Extent {
  int64_t value;
  template <std::integral I> constexpr Extent(I v) : value(static_cast<int64_t>(v)) {}
};

namespace detail {
// Strides of a row-major tensor without gaps. A product beyond 64 bits becomes the largest number, which a call
// refuses.
template <int R> constexpr void row_major_strides(const int64_t* shape, int64_t* strides) {
  int64_t stride = 1;
  for (int d = R; d-- > 0;) {
    strides[d] = stride;
    if (__builtin_mul_overflow(stride, shape[d], &stride)) stride = INT64_MAX;
  }
}
}  // namespace detail

/// A tensor of rank R with elements T (or const T). A value: copies see the same memory.
template <class T, int R> class View {
  static_assert(R >= 1, "tine: a view has at least one dim; a parameter of rank 0 takes a number");
  static_assert(detail::element<std::remove_const_t<T>>,
                "tine: a view's elements have no element type of the language");

 public:
  using element = T;
  static constexpr int rank = R;

  /// Row-major, without gaps.
  constexpr View(T* data, const Extent (&shape)[R]) : data_(data) {
    for (int d = 0; d < R; ++d) dims_[d] = shape[d].value;
    detail::row_major_strides<R>(dims_, dims_ + R);
  }
  constexpr View(T* data, const Extent (&shape)[R], const Extent (&strides)[R]) : data_(data) {
    for (int d = 0; d < R; ++d) dims_[d] = shape[d].value, dims_[R + d] = strides[d].value;
  }
  constexpr View(T* data, const int64_t* shape, const int64_t* strides) : data_(data) {
    for (int d = 0; d < R; ++d) dims_[d] = shape[d], dims_[R + d] = strides[d];
  }
  constexpr operator View<const T, R>() const requires(!std::is_const_v<T>) {
    return View<const T, R>(data_, dims_, dims_ + R).in_memory(memory_);
  }

  constexpr T* data() const { return data_; }
  constexpr int64_t size(int dim) const { return dims_[dim]; }
  constexpr int64_t stride(int dim) const { return dims_[R + dim]; }
  /// One element, for tests and small programs; indices are not checked.
  template <std::integral... I> constexpr T& operator()(I... index) const {
    static_assert(sizeof...(I) == R, "tine: one index for each dim of the view");
    const int64_t i[] = {static_cast<int64_t>(index)...};
    int64_t offset = 0;
    for (int d = 0; d < R; ++d) offset += i[d] * dims_[R + d];
    return data_[offset];
  }

  /// Points into this view.
  Argument argument() const {
    return {const_cast<std::remove_const_t<T>*>(data_),          dims_, 0,
            static_cast<uint8_t>(dtype<std::remove_const_t<T>>), R,     std::is_const_v<T>, memory_};
  }
  /// The same view, of memory that lies where DLPack's number says (1 host, 2 CUDA, 3 pinned, 13 managed). A call checks
  /// it against the kernel's device; without it (0) the pointer is taken on trust.
  constexpr View in_memory(int dlpack_device) const {
    View v = *this;
    v.memory_ = static_cast<uint8_t>(dlpack_device);
    return v;
  }

 private:
  T* data_;
  int64_t dims_[2 * R];
  uint8_t memory_ = 0;
};

namespace host {
// Both throw UserErrors.
TINE_API void check_container(const Argument& view, std::size_t elements);  ///< whether a row-major view fits
TINE_API void check_dlpack(DType, int rank, int device, int code, int bits, int lanes, int ndim);
}  // namespace host

namespace detail {

template <class C>
concept container = requires(C& c) {
  { c.data() } -> std::convertible_to<const void*>;
  { c.size() } -> std::convertible_to<std::size_t>;
};
/// Where a container's elements lie: `memory()` if it says so, as `DeviceArray` does, else nobody knows.
template <class C> int memory_of(C& c) {
  if constexpr (requires { { c.memory() } -> std::same_as<int>; }) return c.memory();
  else return 0;
}
template <class C> using container_element = std::remove_pointer_t<decltype(std::declval<C&>().data())>;

template <class M>
concept multidimensional = requires(M& m) {
  { M::rank() } -> std::convertible_to<std::size_t>;
  { m.extent(0) } -> std::convertible_to<int64_t>;
  { m.stride(0) } -> std::convertible_to<int64_t>;
  { m.data_handle() } -> std::convertible_to<const void*>;
};

template <class D>
concept dlpack_tensor = requires(const D& d) {
  { d.data } -> std::convertible_to<const void*>;
  d.device.device_type;
  d.dtype.code;
  d.dtype.bits;
  d.dtype.lanes;
  d.shape[0];
  d.strides[0];
  d.ndim;
  d.byte_offset;
};
template <class D>
concept dlpack_managed = requires(const D& d) {
  requires dlpack_tensor<std::remove_cvref_t<decltype(d.dl_tensor)>>;
};

template <class T> constexpr int array_rank = 0;
template <class T, std::size_t N> constexpr int array_rank<T[N]> = 1 + array_rank<T>;
template <class A> constexpr void array_shape(int64_t* shape) {
  if constexpr (std::is_array_v<A>) {
    *shape = static_cast<int64_t>(sizeof(A) / sizeof(std::remove_extent_t<A>));
    array_shape<std::remove_extent_t<A>>(shape + 1);
  }
}

template <class T, int R> constexpr View<T, R> row_major(T* data, const int64_t* shape) {
  int64_t strides[R];
  row_major_strides<R>(shape, strides);
  return {data, shape, strides};
}

}  // namespace detail

template <class T, std::size_t R> constexpr View<T, int(R)> view(T* data, const Extent (&shape)[R]) {
  return {data, shape};
}
template <class T, std::size_t R>
constexpr View<T, int(R)> view(T* data, const Extent (&shape)[R], const Extent (&strides)[R]) {
  return {data, shape, strides};
}

/// The elements of a container, as a vector.
template <detail::container C> View<detail::container_element<C>, 1> view(C&& c) {
  return View<detail::container_element<C>, 1>(c.data(), {c.size()}).in_memory(detail::memory_of(c));
}
/// The elements of a container, row-major in this shape, which must not need more elements than there are (a
/// UserError).
template <detail::container C, std::size_t R>
View<detail::container_element<C>, int(R)> view(C&& c, const Extent (&shape)[R]) {
  const View<detail::container_element<C>, int(R)> v(c.data(), shape);
  host::check_container(v.argument(), c.size());
  return v.in_memory(detail::memory_of(c));
}

template <class T, std::size_t N> constexpr auto view(T (&array)[N]) {
  constexpr int rank = detail::array_rank<T[N]>;
  int64_t shape[rank];
  detail::array_shape<T[N]>(shape);
  using E = std::remove_all_extents_t<T>;
  return detail::row_major<E, rank>(reinterpret_cast<E*>(&array), shape);
}

template <detail::multidimensional M> auto view(const M& m) {
  constexpr int rank = static_cast<int>(M::rank());
  int64_t shape[rank], strides[rank];
  for (int d = 0; d < rank; ++d) {
    shape[d] = static_cast<int64_t>(m.extent(static_cast<std::size_t>(d)));
    strides[d] = static_cast<int64_t>(m.stride(static_cast<std::size_t>(d)));
  }
  using E = std::remove_pointer_t<decltype(m.data_handle())>;
  return View<E, rank>(m.data_handle(), shape, strides);
}

template <class T, int R> constexpr View<T, R> view(const View<T, R>& v) { return v; }

/// The same memory with another element type of the same size: `view_as<f16>` of a uint16_t*, say.
template <class E, class T, std::size_t R> auto view_as(T* data, const Extent (&shape)[R]) {
  static_assert(sizeof(E) == sizeof(T), "tine: view_as keeps the size of the elements");
  using To = std::conditional_t<std::is_const_v<T>, const E, E>;
  return View<To, int(R)>(reinterpret_cast<To*>(data), shape);
}
template <class E, class T, std::size_t R> auto view_as(T* data, const Extent (&shape)[R], const Extent (&strides)[R]) {
  static_assert(sizeof(E) == sizeof(T), "tine: view_as keeps the size of the elements");
  using To = std::conditional_t<std::is_const_v<T>, const E, E>;
  return View<To, int(R)>(reinterpret_cast<To*>(data), shape, strides);
}

/// A DLPack tensor, on the host or a CUDA device. A UserError unless its element type and rank are right. It keeps its
/// owner.
template <class T, int R, detail::dlpack_tensor D> View<T, R> from_dlpack(const D& t) {
  host::check_dlpack(dtype<std::remove_const_t<T>>, R, int(t.device.device_type), int(t.dtype.code), int(t.dtype.bits),
                     int(t.dtype.lanes), int(t.ndim));
  T* data = reinterpret_cast<T*>(static_cast<char*>(t.data) + t.byte_offset);
  const int memory = int(t.device.device_type);
  if (!t.strides) return detail::row_major<T, R>(data, t.shape).in_memory(memory);
  return View<T, R>(data, t.shape, t.strides).in_memory(memory);
}
template <class T, int R, detail::dlpack_managed D> View<T, R> from_dlpack(const D& t) {
  return from_dlpack<T, R>(t.dl_tensor);
}

}  // namespace tine

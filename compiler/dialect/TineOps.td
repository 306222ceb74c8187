// The operations of the tine dialect.
#ifndef TINE_OPS
#define TINE_OPS
include "mlir/IR/OpBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "TineDialect.td"

class Tine_Op<string mn, list<Trait> traits = []> : Op<Tine_Dialect, mn, traits>;

def Tine_Element : Type<CPred<"::tine::ir::isElementType($_self)">, "an element type">;
def Tine_Value : Type<CPred<"::llvm::isa<::tine::ir::TileType>($_self) || ::tine::ir::isElementType($_self)">, "a tile or a scalar">;
def Tine_Index : TypeAlias<I64, "a level index">;

def Tine_KernelOp : Tine_Op<"kernel", [IsolatedFromAbove, NoTerminator, SingleBlock, Symbol]> {
  let summary = "what one program of a kernel does";
  let description = [{
    The block's arguments are the views that `params` describe, in order. `grid` is the number of programs along each dim
    (dims as in `!tine.tile`). `symbols` names each symbol for people. `overlaps` lists pairs of sources (stored, other)
    whose memory may overlap at this call; sources not listed do not.

    For GPU targets: `multiples` gives for each symbol a number that divides its value; `ranges` the least and the most that
    it can be (the type's ends where nothing is known); `capacities` lists (symbol, capacity, whether the value equals it) for
    extents of tiles; with `narrow_index` all indices fit 32 bits; `warps` and `shared_bytes` are what a block has, once that
    is decided.
    ```mlir
    tine.kernel @Add grid [s0] symbols ["cdiv(x.size0, 64)"] sources [...] params [...] overlaps [] {
    ^bb0(%x: !tine.view, %y: !tine.view):
      ...
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, DenseI64ArrayAttr:$grid, StrArrayAttr:$symbols,
                   TypedArrayAttrBase<Tine_SourceAttr, "sources">:$sources,
                   TypedArrayAttrBase<Tine_ParamAttr, "params">:$params, DenseI64ArrayAttr:$overlaps,
                   OptionalAttr<DenseI64ArrayAttr>:$multiples, OptionalAttr<DenseI64ArrayAttr>:$ranges,
                   OptionalAttr<DenseI64ArrayAttr>:$capacities, UnitAttr:$narrow_index,
                   OptionalAttr<I64Attr>:$warps, OptionalAttr<I64Attr>:$shared_bytes);
  let builders = [OpBuilder<(ins "::mlir::StringAttr":$name, "::mlir::DenseI64ArrayAttr":$grid, "::mlir::ArrayAttr":$symbols,
                                 "::mlir::ArrayAttr":$sources, "::mlir::ArrayAttr":$params, "::mlir::DenseI64ArrayAttr":$overlaps), [{
    build($_builder, $_state, name, grid, symbols, sources, params, overlaps, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
  }]>];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `grid` custom<Shape>($grid) `symbols` $symbols `sources` $sources `params` $params `overlaps` $overlaps
    attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    SourceAttr getSource(int64_t i) { return ::llvm::cast<SourceAttr>(getSources()[i]); }
    ParamAttr getParam(int64_t i) { return ::llvm::cast<ParamAttr>(getParams()[i]); }
    /// The description of a view (an argument of the body).
    ParamAttr getParam(::mlir::Value view) { return getParam(::llvm::cast<::mlir::BlockArgument>(view).getArgNumber()); }
  }];
}

def Tine_ConstantOp : Tine_Op<"constant", [Pure, ConstantLike, AllTypesMatch<["value", "result"]>]> {
  let summary = "a scalar constant";
  let arguments = (ins TypedAttrInterface:$value);
  let results = (outs Tine_Element:$result);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
}
def Tine_SymbolOp : Tine_Op<"symbol", [Pure]> {
  let summary = "the value of one of the kernel's symbols";
  let arguments = (ins I64Attr:$number);
  let results = (outs I64:$result);
  let assemblyFormat = "$number attr-dict";
  let hasVerifier = 1;
}
def Tine_ProgramIndexOp : Tine_Op<"program_index", [Pure]> {
  let summary = "the index of this program along one dim of the grid";
  let arguments = (ins I64Attr:$dim);
  let results = (outs I64:$result);
  let assemblyFormat = "$dim attr-dict";
  let hasVerifier = 1;
}

class Tine_AccessOp<string mn, list<Trait> traits> : Tine_Op<mn, traits> {
  code accessDeclaration = [{
    /// The position of the view among the kernel's parameters.
    int64_t getParamNumber() { return ::llvm::cast<::mlir::BlockArgument>(getView()).getArgNumber(); }
  }];
}
def Tine_LoadOp : Tine_AccessOp<"load", [MemoryEffects<[MemRead]>]> {
  let summary = "the tile that a place holds now";
  let description = [{
    `%t = tine.load %x[%k] : !tine.tile<[64], f32>`. The indices name an element of the middle levels, outermost level
    first. Lanes out of range hold the parameter's `other`.
  }];
  let arguments = (ins Tine_ViewType:$view, Variadic<I64>:$indices);
  let results = (outs Tine_Value:$result);
  let assemblyFormat = "$view `[` $indices `]` attr-dict `:` type($result)";
  let extraClassDeclaration = accessDeclaration;
  let hasVerifier = 1;
}
def Tine_StoreOp : Tine_AccessOp<"store", [MemoryEffects<[MemWrite]>]> {
  let summary = "writes a tile to a place, at the lanes in range";
  let description = "`tine.store %t, %y[%k] : !tine.tile<[64], f32>`. The value has the tile's shape and the parameter's element type.";
  let arguments = (ins Tine_Value:$value, Tine_ViewType:$view, Variadic<I64>:$indices);
  let assemblyFormat = "$value `,` $view `[` $indices `]` attr-dict `:` type($value)";
  let extraClassDeclaration = accessDeclaration;
  let hasVerifier = 1;
}
def Tine_ValidOp : Tine_AccessOp<"valid", [Pure]> {
  let summary = "which lanes of a place are in range";
  let arguments = (ins Tine_ViewType:$view, Variadic<I64>:$indices);
  let results = (outs Tine_Value:$result);
  let assemblyFormat = "$view `[` $indices `]` attr-dict `:` type($result)";
  let extraClassDeclaration = accessDeclaration;
  let hasVerifier = 1;
}
def Tine_OffsetsOp : Tine_AccessOp<"offsets", [Pure]> {
  let summary = "the source coordinate of each lane of a place";
  let description = "Along source dim `dim`; by plain index arithmetic, also for lanes out of range.";
  let arguments = (ins Tine_ViewType:$view, I64Attr:$dim, Variadic<I64>:$indices);
  let results = (outs Tine_Value:$result);
  let assemblyFormat = "$view `dim` $dim `[` $indices `]` attr-dict `:` type($result)";
  let extraClassDeclaration = accessDeclaration;
  let hasVerifier = 1;
}

def Tine_ElementwiseOp : Tine_Op<"elementwise", [Pure]> {
  let summary = "an operation on each element: result[i] = f(operands[i]...)";
  let description = [{
    `kind` is one of the element-wise operations of the graph (`dsl/graph/graph.hpp`), with the meaning of the language
    on every target: integer division by 0 gives 0, min and max propagate NaN, narrow floats round once.
    All operands have the result's shape.
    ```mlir
    %c = tine.elementwise "add"(%a, %b) : (!tine.tile<[64], f32>, !tine.tile<[64], f32>) -> !tine.tile<[64], f32>
    ```
  }];
  let arguments = (ins StrAttr:$kind, Variadic<Tine_Value>:$operands);
  let results = (outs Tine_Value:$result);
  let assemblyFormat = "$kind `(` $operands `)` attr-dict `:` functional-type($operands, $result)";
  let hasVerifier = 1;
}
def Tine_ForeignOp : Tine_Op<"foreign", [Pure]> {
  let summary = "a CUDA C++ function of the user's on each element: result[i] = callee(operands[i]...)";
  let description = [{
    `callee` is a device function of `source`, whose first line is `line` of `file`. All operands have the result's shape; their
    element types, and the result's, are the function's.
    ```mlir
    %y = tine.foreign "gelu"(%x) source "__device__ float gelu(float x) { ... }" at "k.hpp" line 12 : (!tine.tile<[64], f32>) -> !tine.tile<[64], f32>
    ```
  }];
  let arguments = (ins StrAttr:$callee, StrAttr:$source, StrAttr:$file, I64Attr:$line, Variadic<Tine_Value>:$operands);
  let results = (outs Tine_Value:$result);
  let assemblyFormat = "$callee `(` $operands `)` `source` $source `at` $file `line` $line attr-dict `:` functional-type($operands, $result)";
  let hasVerifier = 1;
}
def Tine_CastOp : Tine_Op<"cast", [Pure]> {
  let summary = "converts the element type: floats to ints truncate and saturate, NaN to 0; narrow floats round to nearest even once";
  let description = [{
    Too large values and infinities become the largest finite fp8 number or, with `ieee`, NaN (f8E4M3FN) or infinity (f8E5M2).
  }];
  let arguments = (ins Tine_Value:$operand, UnitAttr:$ieee);
  let results = (outs Tine_Value:$result);
  let assemblyFormat = "$operand (`ieee` $ieee^)? attr-dict `:` type($operand) `to` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}
def Tine_ArangeOp : Tine_Op<"arange", [Pure]> {
  let summary = "0, 1, 2, ... along the only dim";
  let results = (outs Tine_TileType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}
def Tine_BroadcastOp : Tine_Op<"broadcast", [Pure]> {
  let summary = "repeats a scalar, or a tile along dims where it has size 1 or none, to a shape";
  let description = "Dims are matched from the last, as in NumPy.";
  let arguments = (ins Tine_Value:$operand);
  let results = (outs Tine_Value:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `to` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}
def Tine_PermuteOp : Tine_Op<"permute", [Pure]> {
  let summary = "reorders dims: result dim k is operand dim order[k]";
  let arguments = (ins Tine_TileType:$operand, DenseI64ArrayAttr:$order);
  let results = (outs Tine_TileType:$result);
  let assemblyFormat = "$operand $order attr-dict `:` type($operand) `to` type($result)";
  let hasVerifier = 1;
}
def Tine_ReshapeOp : Tine_Op<"reshape", [Pure]> {
  let summary = "the same elements in row-major order under another shape; also inserts dims of size 1";
  let arguments = (ins Tine_Value:$operand);
  let results = (outs Tine_Value:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `to` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}
def Tine_ReduceOp : Tine_Op<"reduce", [Pure]> {
  let summary = "combines all elements along axes, which disappear";
  let description = [{
    `kind` is `sum prod max min any all xor argmax argmin`. Over no element the result is the identity: 0, 1, the type's
    lowest, highest, false, true, 0, 0, 0. Numbers change with the order, which the target chooses, for float `sum` and `prod` only.
    `positions`, of the operand's shape, are what `argmax` and `argmin` choose from instead of their own count
    (see `partial_reduce`).
    ```mlir
    %s = tine.reduce "sum"(%x) axes [1] : !tine.tile<[4, 64], f32> to !tine.tile<[4], f32>
    ```
  }];
  let arguments = (ins StrAttr:$kind, Tine_TileType:$operand, DenseI64ArrayAttr:$axes, Optional<Tine_TileType>:$positions);
  let results = (outs Tine_Value:$result);
  let assemblyFormat = "$kind `(` $operand `)` `axes` $axes (`positions` $positions^ `:` type($positions))? attr-dict `:` type($operand) `to` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::llvm::StringRef":$kind, "::mlir::Value":$operand, "::llvm::ArrayRef<int64_t>":$axes), [{
    build($_builder, $_state, result, kind, operand, axes, ::mlir::Value());
  }]>];
  let hasVerifier = 1;
}
def Tine_DotOp : Tine_Op<"dot", [Pure, OptionalTypesMatchWith<"the accumulator has the result's type", "result", "acc", "$_self">]> {
  let summary = "acc[..., m, n] + sum over k of a[..., m, k] * b[..., k, n]";
  let description = [{
    Products and sum in the result's element type (f32, f64 or i32). `precision` allows less of f32 operands: `tf32` (10 bits of
    mantissa) or `tf32x3` (three such products, nearly f32). Targets without such units compute in f32.
  }];
  let arguments = (ins Tine_TileType:$a, Tine_TileType:$b, Optional<Tine_TileType>:$acc, OptionalAttr<StrAttr>:$precision);
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$a, "::mlir::Value":$b, "::mlir::Value":$acc), [{
    build($_builder, $_state, result, a, b, acc, ::mlir::StringAttr());
  }]>];
  let results = (outs Tine_TileType:$result);
  let assemblyFormat = "$a `,` $b (`,` $acc^)? (`as` $precision^)? attr-dict `:` type($a) `,` type($b) `->` type($result)";
  let hasVerifier = 1;
}

// ---- on GPUs, once tiles have layouts

def Tine_ConvertLayoutOp : Tine_Op<"convert_layout", [Pure]> {
  let summary = "the same tile, held by other threads";
  let description = "Within a warp: registers move, or lanes shuffle. What must cross warps goes through `shared_alloc`.";
  let arguments = (ins Tine_TileType:$operand);
  let results = (outs Tine_TileType:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `to` type($result)";
  let hasVerifier = 1;
}
def Tine_SharedAllocOp : Tine_Op<"shared_alloc", [MemoryEffects<[MemAlloc]>]> {
  let summary = "shared memory for a tile, or for several one behind the other: a ring";
  let description = [{
    `offset`: its first byte in the block's shared memory, once that is decided. Of a ring of `slots` memories, `shared_slot`
    names one; who waits for whom among them is decided where the ring is made, not by the barriers' analysis.
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$offset, OptionalAttr<I64Attr>:$slots);
  let results = (outs Tine_MemoryType:$result);
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::IntegerAttr":$offset), [{
    build($_builder, $_state, result, offset, ::mlir::IntegerAttr());
  }]>];
  let assemblyFormat = "(`at` $offset^)? (`slots` $slots^)? attr-dict `:` type($result)";
}
def Tine_SharedSlotOp : Tine_Op<"shared_slot", [Pure, AllTypesMatch<["ring", "result"]>]> {
  let summary = "one memory of a ring";
  let arguments = (ins Tine_MemoryType:$ring, I32:$slot);
  let results = (outs Tine_MemoryType:$result);
  let assemblyFormat = "$ring `[` $slot `]` attr-dict `:` type($result)";
}
def Tine_CopyAsyncOp : Tine_AccessOp<"copy_async", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "begins to copy the tile that a place holds into shared memory, without registers";
  let description = [{
    Dim k of the memory is dim `order[k]` of the tile. `threads` says which thread copies which elements. Elements out of range
    and padding become 0, and all do without `when`: nothing is read then. With `in_level` the indices are known to lie in their
    levels, if `when` holds. The memory may be read after a `copy_wait` that covers the `copy_commit` behind this, and a barrier.
    ```mlir
    tine.copy_async %a[%k], %m when %c order [0, 1] by #tine.layout<...> : !tine.memory<[128, 32], f16, #tine.layout<...>>
    ```
  }];
  let arguments = (ins Tine_ViewType:$view, Variadic<I64>:$indices, Tine_MemoryType:$memory, I1:$when, DenseI64ArrayAttr:$order,
                   Tine_LayoutAttr:$threads, UnitAttr:$in_level);
  let assemblyFormat = "$view `[` $indices `]` `,` $memory `when` $when `order` $order `by` $threads (`in_level` $in_level^)? attr-dict `:` type($memory)";
  let extraClassDeclaration = accessDeclaration # [{
    /// The tile's shape, from the memory's.
    ::llvm::SmallVector<int64_t> getTileShape();
  }];
  let hasVerifier = 1;
}
def Tine_CopyCommitOp : Tine_Op<"copy_commit", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "the asynchronous copies since the last commit are a group";
  let assemblyFormat = "attr-dict";
}
def Tine_CopyWaitOp : Tine_Op<"copy_wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits until at most `pending` groups of this thread's copies are under way";
  let arguments = (ins I64Attr:$pending);
  let assemblyFormat = "$pending attr-dict";
}
def Tine_SharedStoreOp : Tine_Op<"shared_store", [MemoryEffects<[MemWrite]>]> {
  let summary = "writes a tile to shared memory";
  let description = "With `zero`, elements of the tile's padding are 0 there; else they hold anything.";
  let arguments = (ins Tine_TileType:$value, Tine_MemoryType:$memory, UnitAttr:$zero);
  let assemblyFormat = "$value `,` $memory (`zero` $zero^)? attr-dict `:` type($value) `,` type($memory)";
  let hasVerifier = 1;
}
def Tine_SharedLoadOp : Tine_Op<"shared_load", [MemoryEffects<[MemRead]>]> {
  let summary = "reads a tile from shared memory";
  let description = "The tile may have another shape than the memory where that lies in row-major order without gaps.";
  let arguments = (ins Tine_MemoryType:$memory);
  let results = (outs Tine_TileType:$result);
  let assemblyFormat = "$memory attr-dict `:` type($memory) `to` type($result)";
  let hasVerifier = 1;
}
def Tine_BarrierOp : Tine_Op<"barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "all threads of the block wait for each other";
  let description = "`first` and `second` say which two accesses it separates; without it these could meet.";
  let arguments = (ins StrAttr:$first, StrAttr:$second);
  let assemblyFormat = "`between` $first `and` $second attr-dict";
}
def Tine_PartialReduceOp : Tine_Op<"partial_reduce", [Pure]> {
  let summary = "what each warp has of a reduction";
  let description = [{
    Results have one dim more than those of `reduce`, the last: one element for each warp that took part along the axes.
    `argmax` and `argmin` give two tiles, values and positions (i64; the largest number: none).
  }];
  let arguments = (ins StrAttr:$kind, Tine_TileType:$operand, DenseI64ArrayAttr:$axes);
  let results = (outs Variadic<Tine_TileType>:$results);
  let assemblyFormat = "$kind `(` $operand `)` `axes` $axes attr-dict `:` type($operand) `to` type($results)";
}
def Tine_SharedDotOp : Tine_Op<"shared_dot", [MemoryEffects<[MemRead]>]> {
  let summary = "acc + a * b with operands in shared memory, whose padding is 0";
  let arguments = (ins Tine_MemoryType:$a, Tine_MemoryType:$b, Tine_TileType:$acc);
  let results = (outs Tine_TileType:$result);
  let assemblyFormat = "$a `,` $b `,` $acc attr-dict `:` type($a) `,` type($b) `,` type($acc) `->` type($result)";
}
#endif

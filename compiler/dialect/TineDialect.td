// The tine dialect: serial programs on tiles. Its types and attributes.
#ifndef TINE_DIALECT
#define TINE_DIALECT
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"
include "mlir/IR/EnumAttr.td"

def Tine_Dialect : Dialect {
  let name = "tine";
  let cppNamespace = "::tine::ir";
  let summary = "serial programs on tiles of arranged tensors";
  let description = [{
    A `tine.kernel` is what one program does: it loads tiles from arranged parameters, computes on tile values, and stores
    tiles. A value of rank 0 is a plain scalar (`f32`, `ui8`, ...); everything else is a `!tine.tile`. Unsigned elements
    are `ui8` to `ui64`, signed ones the signless `i8` to `i64`, bool is `i1`. Loops and branches are `scf`.

    Sizes that are known only at the call are *symbols* of the kernel, numbered as in its launch plan
    (`dsl/graph/launch_plan.hpp`). A dim of a tile is a number or a symbol, so a type says its shape without operands.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
}

class Tine_Type<string name, string mn> : TypeDef<Tine_Dialect, name> { let mnemonic = mn; }
class Tine_Attr<string name, string mn> : AttrDef<Tine_Dialect, name> { let mnemonic = mn; }

def Tine_LayoutAttr : Tine_Attr<"Layout", "layout"> {
  let summary = "which element of a tile each register of each lane of each warp holds, or each place of shared memory";
  let description = [{
    A bit-linear map by its bases (`compiler/layout/layout.hpp`), lowest bit first, onto a tile of `shape`, powers of two:
    `#tine.layout<[4, 8], register = [[0, 1], [1, 0], [2, 0]], lane = [[0, 2], [0, 4]]>`. Inputs: `register`, `lane`, `warp`,
    `block`, `offset`. In `bases`, each input is its axis, its number of bits, and its bases, each the row-major position.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, ArrayRefParameter<"int64_t">:$bases);
  let builders = [AttrBuilder<(ins "const ::tine::layout::Layout&":$layout)>];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The map, with outputs dim0, dim1, ...
    ::tine::layout::Layout getLayout() const;
  }];
}

def Tine_TileType : Tine_Type<"Tile", "tile"> {
  let summary = "a value of one element type and a shape of at least one dim";
  let description = [{
    `!tine.tile<[64, s3], f32>`: 64 rows of as many elements as symbol 3 says. In `shape`, a dim of at least 0 is a
    number; symbol `i` is stored as `-1 - i`. On GPUs `layout` says which thread holds which element; its sizes are at least
    the shape's (symbols: their capacities), and what lies beyond the shape is padding.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType, OptionalParameter<"::tine::ir::LayoutAttr">:$layout);
  let builders = [TypeBuilder<(ins "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Type":$elementType), [{
    return $_get($_ctxt, shape, elementType, LayoutAttr());
  }]>];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    static bool isSymbol(int64_t dim) { return dim < 0; }
    static int64_t symbol(int64_t dim) { return -1 - dim; }     // the symbol's number
    static int64_t fromSymbol(int64_t number) { return -1 - number; }
    int64_t getRank() const { return getShape().size(); }
    /// Number of elements if no dim is a symbol, else -1.
    int64_t getStaticSize() const;
    /// The same tile under another layout (null: none).
    TileType withLayout(LayoutAttr layout) const { return get(getContext(), getShape(), getElementType(), layout); }
  }];
}

def Tine_MemoryType : Tine_Type<"Memory", "memory"> {
  let summary = "shared memory of a GPU block that holds a tile";
  let description = [{
    `!tine.memory<[64, 64], f16, #tine.layout<..., offset = ...>>`, dims as in `!tine.tile`. Without a layout the elements lie
    in row-major order without gaps, by the true extents.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType, OptionalParameter<"::tine::ir::LayoutAttr">:$layout);
  let hasCustomAssemblyFormat = 1;
}

def Tine_ViewType : Tine_Type<"View", "view"> {
  let summary = "an arranged parameter, as the application sees it";
  let description = "A place, not a value: what it holds is read by `tine.load` at that point. Described by the kernel's `params`.";
}

def Tine_SourceAttr : Tine_Attr<"Source", "source"> {
  let summary = "a tensor or scalar that the caller passes, and what this compile may assume of it";
  let description = [{
    `unit`: dims whose stride is 1. `contiguous`: row-major without gaps. `align`: of the base pointer, in bytes.
    `streamed`: stores should pass by the caches, and every row starts at a multiple of 16 bytes. `stride16`: dims whose stride
    is a multiple of 16 elements.
  }];
  let parameters = (ins "::mlir::StringAttr":$name, "::mlir::Type":$type, "int64_t":$rank, "::mlir::DenseI64ArrayAttr":$unit,
                    "bool":$contiguous, "int64_t":$align, DefaultValuedParameter<"bool", "false">:$streamed,
                    OptionalParameter<"::mlir::DenseI64ArrayAttr">:$stride16);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Tine_ParamAttr : Tine_Attr<"Param", "param"> {
  let summary = "an arranged parameter: which source element each index names, and when it is in range";
  let description = [{
    `levels`: shapes, outermost first, dims as in `!tine.tile`. `coords` maps the indices of all levels (dims of the map,
    outermost level first) and the kernel's symbols to one source index per source dim. `linear`, for contiguous sources, is
    a simpler way to the same address: one index per source dim, or a single one (the row-major position), or absent (no
    result). An element is in range when each result `i` of `bounds` is below
    result `i` of `limits` and, where bit `i` of `low` is set, not negative. `other`: what out-of-range lanes load.
  }];
  let parameters = (ins "int64_t":$source, "::mlir::ArrayAttr":$levels, "::mlir::AffineMapAttr":$coords,
                    "::mlir::AffineMapAttr":$linear, "::mlir::AffineMapAttr":$bounds, "::mlir::AffineMapAttr":$limits,
                    "::mlir::DenseI64ArrayAttr":$low, "::mlir::FloatAttr":$other);
  let assemblyFormat = "`<` struct(params) `>`";
}
#endif

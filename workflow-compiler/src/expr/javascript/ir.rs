//! The tree of a translated function, with resolved names and without references to the parser.

use super::globals::{Builtin, Constructor};
use std::ops::Range;

/// A local of a function, as an index into [`Unit::locals`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct JsLocalId(pub usize);

/// A function of a definition, with its locals and scopes.
#[derive(Debug, Clone)]
pub(super) struct Unit {
    pub function: Function,
    /// The locals of the function and of its inner functions.
    pub locals: Vec<Local>,
    /// The parents of the scopes that declare locals. The first scope is the outermost, and a
    /// scope follows its parent.
    pub scopes: Vec<Option<usize>>,
    /// The local of an undeclared `params`.
    pub params: Option<JsLocalId>,
}

/// A function.
#[derive(Debug, Clone)]
pub(super) struct Function {
    pub name: String,
    /// The value of the function's `length`.
    pub length: usize,
    pub params: Vec<Pattern>,
    pub rest: Option<Pattern>,
    pub body: Block,
    pub is_arrow: bool,
    /// `true` if the function uses `this`. In an arrow function, this is the `this` of the
    /// enclosing function.
    pub uses_this: bool,
    /// The locals of enclosing functions that the function uses, in order of use.
    pub captures: Vec<JsLocalId>,
}

/// The kind of a local's declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DeclarationKind {
    Let,
    Const,
    Var,
    Param,
    Function,
    /// The name of a function expression, which is visible inside it only.
    OwnName,
}

/// A local.
#[derive(Debug, Clone)]
pub(super) struct Local {
    /// The author's name.
    pub name: String,
    /// The scope of the declaration, as an index into [`Unit::scopes`].
    pub scope: usize,
    pub kind: DeclarationKind,
    /// The number of the declaring function.
    pub function: usize,
    /// `true` if the local is assigned after its declaration.
    pub assigned: bool,
    /// `true` if an inner function uses the local.
    pub captured: bool,
    /// `true` if the local is declared at the start of its block, because something mentions it
    /// before its declaration.
    pub hoisted: bool,
    /// `true` if lowering has passed the declaration.
    pub declared: bool,
    /// The type of all values that the local holds.
    pub ty: Type,
}

impl Local {
    /// Returns `true` if the local is a variable on the heap that functions share.
    pub fn is_shared(&self) -> bool {
        self.captured && (self.assigned || self.hoisted)
    }
}

/// The statically known type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Any,
    Number,
    Bool,
    /// Text. It is a value of the core.
    String,
}

/// Statements with their declarations.
#[derive(Debug, Clone, Default)]
pub(super) struct Block {
    pub declares: Vec<JsLocalId>,
    pub statements: Vec<Statement>,
}

#[derive(Debug, Clone)]
pub(super) enum Statement {
    Expr(Expr),
    /// A declaration. A hoisted local may have no value.
    Declare(Pattern, Option<Expr>),
    Return(Option<Expr>),
    Throw(Expr),
    If(Expr, Block, Option<Block>),
    Block(Block),
    Loop(Box<Loop>),
    Switch(Box<Switch>),
    Try(Box<Try>),
    /// A labelled statement other than a loop.
    Labelled(JumpId, Block),
    Break(JumpId),
    Continue(JumpId),
}

/// The number of a statement that jumps can leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct JumpId(pub usize);

#[derive(Debug, Clone)]
pub(super) struct Loop {
    pub id: JumpId,
    pub kind: LoopKind,
    pub body: Block,
}

#[derive(Debug, Clone)]
pub(super) enum LoopKind {
    While(Expr),
    DoWhile(Expr),
    For {
        /// The declarations or the expression before the first iteration.
        init: Block,
        test: Option<Expr>,
        update: Option<Expr>,
    },
    /// A loop over the elements of an iterable.
    Of {
        declares: Vec<JsLocalId>,
        target: Pattern,
        value: Expr,
    },
    /// A loop over the keys of an object.
    In {
        declares: Vec<JsLocalId>,
        target: Pattern,
        value: Expr,
    },
}

#[derive(Debug, Clone)]
pub(super) struct Switch {
    pub id: JumpId,
    pub value: Expr,
    pub declares: Vec<JsLocalId>,
    /// The cases with their tests. The default has no test.
    pub cases: Vec<(Option<Expr>, Vec<Statement>)>,
}

#[derive(Debug, Clone)]
pub(super) struct Try {
    pub body: Block,
    pub handler: Option<(Option<Pattern>, Block)>,
    pub finalizer: Option<Block>,
}

/// A destructuring pattern.
#[derive(Debug, Clone)]
pub(super) enum Pattern {
    /// A declaration of a local.
    Declare(JsLocalId),
    /// An assignment.
    Assign(PlaceExpr),
    Object {
        members: Vec<(MemberKey, Pattern)>,
        rest: Option<Box<Pattern>>,
    },
    Array {
        items: Vec<Option<Pattern>>,
        rest: Option<Box<Pattern>>,
    },
    /// A pattern with a default for `undefined`.
    Default(Box<Pattern>, Expr),
}

/// A target of assignment.
#[derive(Debug, Clone)]
pub(super) enum PlaceExpr {
    Local(JsLocalId),
    /// A Let variable, by its index among the mentioned ones.
    Variable(usize),
    /// An undeclared name.
    Free(String),
    /// A constant, whose assignment is an error at run time.
    Constant(JsLocalId),
    Member(Box<Expr>, MemberKey),
}

/// The key of a member.
#[derive(Debug, Clone)]
pub(super) enum MemberKey {
    /// A name, with its place in the text.
    Name(String, Range<usize>),
    Computed(Box<Expr>),
}

/// An element of a list: a value or a spread.
#[derive(Debug, Clone)]
pub(super) enum Item {
    Value(Expr),
    Spread(Expr),
}

#[derive(Debug, Clone)]
pub(super) enum Member {
    Value(MemberKey, Expr),
    Spread(Expr),
}

/// A piece of a template literal or of a concatenation.
#[derive(Debug, Clone)]
pub(super) enum TextPiece {
    Text(String),
    /// A value converted by `ToString`.
    Value(Expr),
    /// A value converted by `+` next to a string.
    Added(Expr),
}

#[derive(Debug, Clone)]
pub(super) enum Expr {
    Undefined,
    Null,
    Bool(bool),
    Number(f64),
    String(String),
    Template(Vec<TextPiece>),
    Local(JsLocalId),
    Variable(usize),
    Free(String),
    /// A local that is certainly read before its declaration.
    TooEarly(String),
    This,
    Object(Vec<Member>),
    Array(Vec<Item>),
    Function(Box<Function>),
    /// A function expression that uses its own name, with the local of that name.
    Named(JsLocalId, Box<Function>),
    /// A built-in function used as a value.
    Builtin(&'static Builtin),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    Logical(Logical, Box<Expr>, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    Member(Box<Expr>, MemberKey),
    /// An optional chain. [`Expr::Optional`] marks the links that may end it.
    Chain(Box<Expr>),
    Optional(Box<Expr>),
    Call {
        callee: Box<Expr>,
        text: String,
        args: Vec<Item>,
    },
    Method {
        object: Box<Expr>,
        key: MemberKey,
        text: String,
        args: Vec<Item>,
    },
    /// An optional method call, which may end the enclosing chain.
    OptionalMethod {
        object: Box<Expr>,
        key: MemberKey,
        text: String,
        args: Vec<Item>,
    },
    Static(&'static Builtin, Vec<Item>),
    Construct(&'static Constructor, Vec<Item>),
    InstanceOf(Box<Expr>, &'static str),
    /// `value.constructor.name`.
    ConstructorName(Box<Expr>),
    Assign(PlaceExpr, Box<Expr>),
    Compound(PlaceExpr, Binary, Box<Expr>),
    LogicalAssign(PlaceExpr, Logical, Box<Expr>),
    /// `++` and `--`.
    Update {
        place: PlaceExpr,
        up: bool,
        prefix: bool,
    },
    Destructure(Box<Pattern>, Box<Expr>),
    Delete(Box<Expr>, MemberKey),
    Sequence(Vec<Expr>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unary {
    Minus,
    Plus,
    Not,
    BitNot,
    TypeOf,
    Void,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Power,
    ShiftLeft,
    ShiftRight,
    ShiftRightUnsigned,
    BitAnd,
    BitOr,
    BitXor,
    StrictEqual,
    StrictUnequal,
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    In,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Logical {
    And,
    Or,
    Coalesce,
}

impl Expr {
    /// Returns the statically known type of the value.
    pub fn ty(&self, locals: &[Local]) -> Type {
        match self {
            Expr::Bool(_) | Expr::InstanceOf(..) | Expr::Delete(..) => Type::Bool,
            Expr::Number(_) => Type::Number,
            Expr::String(_) | Expr::Template(_) => Type::String,
            Expr::Local(id) => locals[id.0].ty,
            Expr::Unary(op, _) => match op {
                Unary::Minus | Unary::Plus | Unary::BitNot => Type::Number,
                Unary::Not => Type::Bool,
                Unary::TypeOf => Type::String,
                Unary::Void => Type::Any,
            },
            Expr::Binary(op, left, right) => op.ty(left.ty(locals), right.ty(locals)),
            Expr::Logical(_, left, right) => join(left.ty(locals), right.ty(locals)),
            Expr::Conditional(_, yes, no) => join(yes.ty(locals), no.ty(locals)),
            Expr::Assign(_, value) => value.ty(locals),
            Expr::Compound(place, op, value) => op.ty(place.ty(locals), value.ty(locals)),
            Expr::Update { .. } => Type::Number,
            Expr::Sequence(list) => list.last().map_or(Type::Any, |last| last.ty(locals)),
            _ => Type::Any,
        }
    }

    /// Returns `true` if evaluation has no observable effect and cannot fail.
    pub fn is_simple(&self) -> bool {
        match self {
            Expr::Undefined
            | Expr::Null
            | Expr::Bool(_)
            | Expr::Number(_)
            | Expr::String(_)
            | Expr::Local(_)
            | Expr::Variable(_)
            | Expr::This
            | Expr::Builtin(_)
            | Expr::Function(_) => true,
            Expr::Object(members) => members.iter().all(|member| match member {
                Member::Value(MemberKey::Name(..), value) => value.is_simple(),
                _ => false,
            }),
            Expr::Array(items) => items.iter().all(|item| matches!(item, Item::Value(value) if value.is_simple())),
            Expr::Unary(Unary::Not | Unary::TypeOf | Unary::Void, value) => value.is_simple(),
            Expr::Binary(Binary::StrictEqual | Binary::StrictUnequal, left, right) => {
                left.is_simple() && right.is_simple()
            }
            _ => false,
        }
    }
}

impl PlaceExpr {
    /// Returns the statically known type of the value at the place.
    pub fn ty(&self, locals: &[Local]) -> Type {
        match self {
            PlaceExpr::Local(id) | PlaceExpr::Constant(id) => locals[id.0].ty,
            _ => Type::Any,
        }
    }
}

impl Binary {
    /// Returns the type of the result for operands of these types.
    pub fn ty(self, left: Type, right: Type) -> Type {
        match self {
            Binary::Add => match (left, right) {
                (Type::String, _) | (_, Type::String) => Type::String,
                (Type::Any, _) | (_, Type::Any) => Type::Any,
                _ => Type::Number,
            },
            Binary::Subtract
            | Binary::Multiply
            | Binary::Divide
            | Binary::Remainder
            | Binary::Power
            | Binary::ShiftLeft
            | Binary::ShiftRight
            | Binary::ShiftRightUnsigned
            | Binary::BitAnd
            | Binary::BitOr
            | Binary::BitXor => Type::Number,
            _ => Type::Bool,
        }
    }
}

/// Returns the type of a value that comes from either of two expressions.
pub(super) fn join(left: Type, right: Type) -> Type {
    if left == right { left } else { Type::Any }
}

impl MemberKey {
    /// Returns the expression of a computed key.
    pub fn value(&self) -> Option<&Expr> {
        match self {
            MemberKey::Name(..) => None,
            MemberKey::Computed(value) => Some(value),
        }
    }
}

impl Item {
    /// Returns the expression of a value or a spread.
    pub fn value(&self) -> &Expr {
        match self {
            Item::Value(value) | Item::Spread(value) => value,
        }
    }
}

impl Member {
    /// Returns the expressions of the member in evaluation order.
    pub fn values(&self) -> Vec<&Expr> {
        match self {
            Member::Value(key, value) => key.value().into_iter().chain([value]).collect(),
            Member::Spread(value) => vec![value],
        }
    }
}

impl Function {
    /// Returns `true` if the function uses the `this` of the enclosing function.
    pub fn captures_this(&self) -> bool {
        self.is_arrow && self.uses_this
    }
}

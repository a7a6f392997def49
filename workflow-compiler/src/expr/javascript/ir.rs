//! The translator's own tree of a function: names are resolved, and nothing of the parser's is left.

use super::globals::{Builtin, Constructor};

/// A local of a function, as an index into [`Unit::locals`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct LocalId(pub usize);

/// A function of a definition with all that it declares.
#[derive(Debug, Clone)]
pub(super) struct Unit {
    pub function: Function,
    /// The locals of the function and of those inside it.
    pub locals: Vec<Local>,
    /// The scopes that declare them, each with the one around it. The first is around all, and no scope is before the one
    /// around it.
    pub scopes: Vec<Option<usize>>,
    /// The local that a `params` means which nothing declares.
    pub params: Option<LocalId>,
}

/// A function.
#[derive(Debug, Clone)]
pub(super) struct Function {
    pub name: String,
    /// What `length` is.
    pub length: usize,
    pub params: Vec<Pattern>,
    pub rest: Option<Pattern>,
    pub body: Block,
    pub is_arrow: bool,
    /// Whether it uses `this`: its own, or, as an arrow function, that of the function around it.
    pub uses_this: bool,
    /// The plain locals of functions around it that it uses, in the order of their use.
    pub captures: Vec<LocalId>,
}

/// What a local is declared as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Let,
    Const,
    Var,
    Param,
    Function,
    /// The name of a function expression, seen by itself only.
    OwnName,
}

/// A local.
#[derive(Debug, Clone)]
pub(super) struct Local {
    /// What the author calls it.
    pub name: String,
    /// The scope that declares it, as an index into [`Unit::scopes`].
    pub scope: usize,
    pub kind: Kind,
    /// The function that declares it, by a number.
    pub function: usize,
    /// In how many loops of that function it is declared.
    pub loops: usize,
    /// How often it is read.
    pub reads: usize,
    /// Whether it is assigned after its declaration.
    pub assigned: bool,
    /// Whether a function inside its own uses it.
    pub captured: bool,
    /// Whether it is read in a loop that it is declared outside of.
    pub read_in_loop: bool,
    /// Whether it is declared where its block starts, because something before the declaration mentions it.
    pub hoisted: bool,
    /// Whether its declaration was passed.
    pub declared: bool,
    /// What it holds at all times.
    pub ty: Type,
}

impl Local {
    /// Whether it is a variable on the heap, which functions share.
    pub fn is_shared(&self) -> bool {
        self.captured && (self.assigned || self.hoisted)
    }

    /// Whether its only read may take it away. What is assigned stays: that may be done in a `try`, which borrows it.
    pub fn moves(&self) -> bool {
        self.reads == 1 && !self.assigned && !self.captured && !self.read_in_loop
    }
}

/// What is known of a value when compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Any,
    Number,
    Bool,
    /// Text that Rust holds as `Str`.
    String,
}

/// Statements, and what is declared among them.
#[derive(Debug, Clone, Default)]
pub(super) struct Block {
    pub declares: Vec<LocalId>,
    pub statements: Vec<Statement>,
}

#[derive(Debug, Clone)]
pub(super) enum Statement {
    Expr(Expr),
    /// A declaration; without a value where a hoisted local is given none.
    Declare(Pattern, Option<Expr>),
    Return(Option<Expr>),
    Throw(Expr),
    If(Expr, Block, Option<Block>),
    Block(Block),
    Loop(Box<Loop>),
    Switch(Box<Switch>),
    Try(Box<Try>),
    /// A labelled statement that is not a loop.
    Labelled(JumpId, Block),
    Break(JumpId),
    Continue(JumpId),
}

/// What a jump leads out of, by a number.
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
        /// The declarations or the expression before the first turn.
        init: Block,
        test: Option<Expr>,
        update: Option<Expr>,
    },
    /// Over the elements of what is iterated.
    Of {
        declares: Vec<LocalId>,
        target: Pattern,
        value: Expr,
    },
    /// Over the keys of an object.
    In {
        declares: Vec<LocalId>,
        target: Pattern,
        value: Expr,
    },
}

#[derive(Debug, Clone)]
pub(super) struct Switch {
    pub id: JumpId,
    pub value: Expr,
    pub declares: Vec<LocalId>,
    /// Each with its test; the default has none.
    pub cases: Vec<(Option<Expr>, Vec<Statement>)>,
}

#[derive(Debug, Clone)]
pub(super) struct Try {
    pub body: Block,
    pub handler: Option<(Option<Pattern>, Block)>,
    pub finalizer: Option<Block>,
}

/// What a value is taken apart into.
#[derive(Debug, Clone)]
pub(super) enum Pattern {
    /// A local that is declared here.
    Declare(LocalId),
    /// Something that is assigned.
    Assign(Place),
    Object {
        members: Vec<(Key, Pattern)>,
        rest: Option<Box<Pattern>>,
    },
    Array {
        items: Vec<Option<Pattern>>,
        rest: Option<Box<Pattern>>,
    },
    /// A pattern with a default for undefined.
    Default(Box<Pattern>, Expr),
}

/// What can be assigned.
#[derive(Debug, Clone)]
pub(super) enum Place {
    Local(LocalId),
    /// A Let variable, by its number among those that the function mentions.
    Variable(usize),
    /// A name that nothing declares.
    Free(String),
    /// A constant: to assign it is an error at run time.
    Constant(LocalId),
    Member(Box<Expr>, Key),
}

/// A key of a member.
#[derive(Debug, Clone)]
pub(super) enum Key {
    Name(String),
    Computed(Box<Expr>),
}

/// An element of a list: a value, or the elements of one.
#[derive(Debug, Clone)]
pub(super) enum Item {
    Value(Expr),
    Spread(Expr),
}

#[derive(Debug, Clone)]
pub(super) enum Member {
    Value(Key, Expr),
    Spread(Expr),
}

/// A part of a template literal or of a sum of texts.
#[derive(Debug, Clone)]
pub(super) enum Piece {
    Text(String),
    /// As `ToString` makes it.
    Value(Expr),
    /// As `+` makes it beside a string.
    Added(Expr),
}

#[derive(Debug, Clone)]
pub(super) enum Expr {
    Undefined,
    Null,
    Bool(bool),
    Number(f64),
    String(String),
    Template(Vec<Piece>),
    Local(LocalId),
    Variable(usize),
    Free(String),
    /// A local that is certainly read before its declaration.
    TooEarly(String),
    This,
    /// A temporary of the emitter's, which holds a `Js`.
    Temporary(&'static str),
    Object(Vec<Member>),
    Array(Vec<Item>),
    Function(Box<Function>),
    /// A function expression that uses its own name, which is a local around it.
    Named(LocalId, Box<Function>),
    /// A built-in function as a value.
    Builtin(&'static Builtin),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    Logical(Logical, Box<Expr>, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    Member(Box<Expr>, Key),
    /// An optional chain; inside it, [`Expr::Optional`] marks what may end it.
    Chain(Box<Expr>),
    Optional(Box<Expr>),
    Call {
        callee: Box<Expr>,
        text: String,
        args: Vec<Item>,
    },
    Method {
        object: Box<Expr>,
        key: Key,
        text: String,
        args: Vec<Item>,
    },
    /// An optional call of a method, which may end the chain around it.
    OptionalMethod {
        object: Box<Expr>,
        key: Key,
        text: String,
        args: Vec<Item>,
    },
    /// A call of what was read of an object before.
    CallOf {
        callee: Box<Expr>,
        this: Box<Expr>,
        text: String,
        args: Vec<Item>,
    },
    Static(&'static Builtin, Vec<Item>),
    Construct(&'static Constructor, Vec<Item>),
    InstanceOf(Box<Expr>, &'static str),
    /// `value.constructor.name`
    ConstructorName(Box<Expr>),
    Assign(Place, Box<Expr>),
    Compound(Place, Binary, Box<Expr>),
    LogicalAssign(Place, Logical, Box<Expr>),
    /// `++` and `--`.
    Update {
        place: Place,
        up: bool,
        prefix: bool,
    },
    Destructure(Box<Pattern>, Box<Expr>),
    Delete(Box<Expr>, Key),
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
    /// What is known of the value.
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

    /// Whether evaluating it does nothing that could be noticed, and cannot fail.
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
            | Expr::Temporary(_)
            | Expr::Builtin(_)
            | Expr::Function(_) => true,
            Expr::Object(members) => members.iter().all(|member| match member {
                Member::Value(Key::Name(_), value) => value.is_simple(),
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

impl Place {
    /// What is known of the value it holds.
    pub fn ty(&self, locals: &[Local]) -> Type {
        match self {
            Place::Local(id) | Place::Constant(id) => locals[id.0].ty,
            _ => Type::Any,
        }
    }
}

impl Binary {
    /// What it yields of operands of these types.
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

/// What is known of a value that is one or the other.
pub(super) fn join(left: Type, right: Type) -> Type {
    if left == right { left } else { Type::Any }
}

impl Key {
    /// The expression that it is, if it is one.
    pub fn value(&self) -> Option<&Expr> {
        match self {
            Key::Name(_) => None,
            Key::Computed(value) => Some(value),
        }
    }
}

impl Item {
    /// The expression of a value or a spread.
    pub fn value(&self) -> &Expr {
        match self {
            Item::Value(value) | Item::Spread(value) => value,
        }
    }
}

impl Member {
    /// Its expressions, in the order in which they are evaluated.
    pub fn values(&self) -> Vec<&Expr> {
        match self {
            Member::Value(key, value) => key.value().into_iter().chain([value]).collect(),
            Member::Spread(value) => vec![value],
        }
    }
}

impl Function {
    /// Whether it uses the `this` of the function around it.
    pub fn captures_this(&self) -> bool {
        self.is_arrow && self.uses_this
    }
}

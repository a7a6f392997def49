//! The tree of an expression.

use std::ops::Range;
use std::sync::Arc;

/// A part of an expression with its place.
///
/// See the example of [`parse`](crate::parse).
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The place in the text, in bytes.
    pub at: Range<usize>,
    /// The kind of the part.
    pub kind: NodeKind,
}

impl Node {
    /// Returns the part without what follows it.
    #[must_use]
    pub fn base(&self) -> &Self {
        match &self.kind {
            NodeKind::Suffixed(suffixed) => &suffixed.base,
            _ => self,
        }
    }

    /// Returns `true` for a variable, `$` and `$$`, also with predicates. A path that begins with
    /// one is evaluated once, not for each element of a context that is an array.
    #[must_use]
    pub fn is_variable(&self) -> bool {
        matches!(self.base().kind, NodeKind::Variable(_) | NodeKind::Context | NodeKind::Root)
    }
}

/// The kinds of parts.
///
/// See the example of [`parse`](crate::parse).
#[derive(Debug, Clone, PartialEq)]
pub enum NodeKind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number. A whole number that fits 64 bits is stored exactly.
    Number(Number),
    /// A string.
    String(Arc<str>),
    /// A regular expression: `/pattern/flags`.
    Regex(Arc<Pattern>),
    /// A variable: `$name`.
    Variable(Arc<str>),
    /// The context item: `$`.
    Context,
    /// The input document: `$$`.
    Root,
    /// The member of the context item that has this name. It stands as a step of a path only: a
    /// name on its own is a path of one step.
    Name(Arc<str>),
    /// All members of the context item: `*`.
    Wildcard,
    /// The context item and all that is inside it: `**`.
    Descendants,
    /// An ancestor of the context item: `%`. The number is the slot that holds it, see
    /// [`Step::ancestors`]. A slot that no step fills is undefined.
    Parent(usize),
    /// A path of several steps, of one name, or of one step with a position.
    Path(Box<Path>),
    /// A part that is no path, with what follows it: `$x[0]`, `(a; b){key: value}`, `$f()[]`; or
    /// a path whose result stays an array.
    Suffixed(Box<Suffixed>),
    /// The negation of a number: `-x`.
    Negate(Box<Node>),
    /// An array: `[a, b]`.
    Array(Vec<Node>),
    /// An object: `{key: value}`.
    Object(Vec<(Node, Node)>),
    /// An operator with two operands.
    Binary(BinaryOperator, Box<Node>, Box<Node>),
    /// A binding of a variable: `$name := value`.
    Bind(Arc<str>, Box<Node>),
    /// A block: `(a; b)`. It has a scope of its own.
    Block(Vec<Node>),
    /// A conditional: `test ? then : otherwise`.
    Condition(Box<Condition>),
    /// A function: `function($x) { body }`.
    Lambda(Arc<Lambda>),
    /// A call: `callee(a, b)`.
    Call(Box<Call>),
    /// A partial application: `callee(?, b)`. Arguments that are missing are
    /// [`NodeKind::Placeholder`].
    Partial(Box<Call>),
    /// An argument that is missing: `?`.
    Placeholder,
    /// An application of a function, or a composition of two: `left ~> right`.
    Apply(Box<Node>, Box<Node>),
    /// A transformation of an object: `|pattern|update, delete|`.
    Transform(Arc<Transform>),
}

/// A number as written.
///
/// See the example of [`parse`](crate::parse).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// A whole number that fits 64 bits.
    Int(i64),
    /// Any other number. It is finite.
    Float(f64),
}

/// A regular expression.
///
/// See the example of [`parse`](crate::parse).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// The pattern between the slashes.
    pub text: String,
    /// `true` for the flag `i`.
    pub ignores_case: bool,
    /// `true` for the flag `m`.
    pub is_multiline: bool,
}

/// An operator with two operands.
///
/// See the example of [`parse`](crate::parse).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinaryOperator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
    /// `=`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `&`
    Concatenate,
    /// `and`
    And,
    /// `or`
    Or,
    /// `in`
    In,
    /// `..`, which stands in arrays only.
    Range,
}

impl BinaryOperator {
    /// Returns the operator as it is written.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            BinaryOperator::Add => "+",
            BinaryOperator::Subtract => "-",
            BinaryOperator::Multiply => "*",
            BinaryOperator::Divide => "/",
            BinaryOperator::Remainder => "%",
            BinaryOperator::Equal => "=",
            BinaryOperator::Unequal => "!=",
            BinaryOperator::Less => "<",
            BinaryOperator::LessOrEqual => "<=",
            BinaryOperator::Greater => ">",
            BinaryOperator::GreaterOrEqual => ">=",
            BinaryOperator::Concatenate => "&",
            BinaryOperator::And => "and",
            BinaryOperator::Or => "or",
            BinaryOperator::In => "in",
            BinaryOperator::Range => "..",
        }
    }
}

/// A path: steps that are applied one after the other.
///
/// See the example of [`parse`](crate::parse).
#[derive(Debug, Clone, PartialEq)]
pub struct Path {
    /// The steps. There is at least one.
    pub steps: Vec<Step>,
    /// `true` if the result stays an array when it has one element: `[]` follows a step.
    pub keeps_array: bool,
    /// The grouping of the result: `path{key: value}`.
    pub group: Option<Group>,
    /// `true` if the result keeps the bindings of its items, since a `%` outside of the block that
    /// ends with this path refers to them.
    pub is_tuple: bool,
}

/// A part with what follows it. The parts are applied in the order of the fields, to the value
/// before a sequence of one element becomes that element.
///
/// See the example of [`parse`](crate::parse).
#[derive(Debug, Clone, PartialEq)]
pub struct Suffixed {
    /// The part. It is not suffixed itself.
    pub base: Node,
    /// The predicates: `[predicate]`.
    pub predicates: Vec<Node>,
    /// The grouping: `base{key: value}`. A path has its own.
    pub group: Option<Group>,
    /// `true` if a sequence of one element stays an array: `[]`. Other values stay what they are.
    pub keeps_array: bool,
}

/// A step of a path.
///
/// See the example of [`parse`](crate::parse).
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The source of the items that the step yields for each item of the step before.
    pub kind: StepKind,
    /// The operations on the items that the step yields, in their order.
    pub stages: Vec<Stage>,
    /// The variable that holds each item, while the context item stays the one before: `@$name`.
    pub focus: Option<Arc<str>>,
    /// The variable that holds the position of each item, if no stage stands before it: `#$name`.
    pub index: Option<Arc<str>>,
    /// The slots that hold the item which the step is applied to, for a `%` that follows.
    pub ancestors: Vec<usize>,
    /// `true` if later steps need the variables of this step, so that items carry bindings.
    pub is_tuple: bool,
    /// `true` if a sequence of one element that the step yields for an item stays an array: `[]`.
    pub keeps_array: bool,
    /// `true` for an array, or a block with such an array, that stays an array as the result of
    /// this step. As the first step of a path it is evaluated once, with the whole context.
    pub is_constructor: bool,
}

/// The kinds of steps.
///
/// See the example of [`parse`](crate::parse).
#[derive(Debug, Clone, PartialEq)]
pub enum StepKind {
    /// The value of a part, evaluated with each item as the context item.
    Node(Node),
    /// All items in another order: `^(>a, b)`.
    Sort(Vec<SortTerm>),
}

/// An operation on the items of a step.
///
/// See the example of [`parse`](crate::parse).
#[derive(Debug, Clone, PartialEq)]
pub enum Stage {
    /// Items for which a predicate holds, or the item at a position: `[predicate]`.
    Filter(Node),
    /// The variable that holds the position of each item: `#$name`.
    Index(Arc<str>),
}

/// A term of an order.
///
/// See the example of [`parse`](crate::parse).
#[derive(Debug, Clone, PartialEq)]
pub struct SortTerm {
    /// `true` for `>`.
    pub descending: bool,
    /// The value that is compared.
    pub by: Node,
}

/// A grouping of items to an object.
///
/// See the example of [`parse`](crate::parse).
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// The place in the text, in bytes.
    pub at: Range<usize>,
    /// The keys with their values.
    pub members: Vec<(Node, Node)>,
}

/// A conditional.
///
/// See the example of [`parse`](crate::parse).
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// The test.
    pub test: Node,
    /// The value if the test holds.
    pub then: Node,
    /// The value if it does not. There is none in `test ? then`.
    pub otherwise: Option<Node>,
}

/// A function.
///
/// See the example of [`parse`](crate::parse).
#[derive(Debug, Clone, PartialEq)]
pub struct Lambda {
    /// The names of the parameters, without `$`.
    pub params: Vec<Arc<str>>,
    /// The signature: `<n-n:n>`.
    pub signature: Option<Signature>,
    /// The body.
    pub body: Node,
    /// `true` if the body is a call in tail position, made a function of no parameters, which the
    /// caller runs after the function has returned.
    pub is_thunk: bool,
}

/// A call.
///
/// See the example of [`parse`](crate::parse).
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The function.
    pub callee: Node,
    /// The arguments.
    pub args: Vec<Node>,
}

/// A transformation of an object.
///
/// See the example of [`parse`](crate::parse).
#[derive(Debug, Clone, PartialEq)]
pub struct Transform {
    /// The objects that change.
    pub pattern: Node,
    /// The object that is merged into each of them.
    pub update: Node,
    /// The names that are removed from each of them.
    pub delete: Option<Node>,
}

/// The signature of a function.
///
/// ```
/// use workflow_jsonata::Signature;
///
/// let signature = Signature::parse("<a<n>s?:n>")?;
/// assert_eq!(signature.params[0].items.as_deref(), Some("n"));
/// assert!(signature.params[1].is_optional);
/// # Ok::<(), workflow_jsonata::SyntaxError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// The text between `<` and `>`.
    pub text: String,
    /// The parameters.
    pub params: Vec<Param>,
}

/// A parameter of a signature.
///
/// See the example of [`Signature`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Param {
    /// The types that are accepted, a letter each: `s`, `n`, `b`, `l` (null), `o`, `a`, `f`, `x`
    /// (any value), `j` (JSON).
    pub types: String,
    /// The letters of the elements of an array: `a<n>`.
    pub items: Option<String>,
    /// `true` for `?`: the argument may be missing.
    pub is_optional: bool,
    /// `true` for `-`: the context item stands for a missing argument.
    pub takes_context: bool,
    /// `true` for `+`: one or more arguments.
    pub is_repeated: bool,
}

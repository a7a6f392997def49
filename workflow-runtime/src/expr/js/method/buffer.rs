//! Bytes, limited to the use of Node's `Buffer` for encodings: `toString(encoding)` and `length`.

use super::super::call::argument;
use super::super::object::Special;
use super::super::{Js, Result, Run, builtin, coerce, error, literal};
use super::Method;

pub(super) static METHODS: &[Method] = super::methods! {
    "toJSON" 0 to_json,
    "toString" 0 to_string,
};

fn bytes(this: &Js) -> Result<std::rc::Rc<[u8]>> {
    match this.as_object().and_then(|object| object.special_part()) {
        Some(Special::Buffer(bytes)) => Ok(bytes),
        _ => Err(error::type_error("this is not a Buffer")),
    }
}

fn to_string(_: &Run, this: &Js, arguments: &[Js]) -> Result {
    let bytes = bytes(this)?;
    let encoding = match argument(arguments, 0) {
        Js::Undefined => crate::value::Str::from_static("utf8"),
        encoding => coerce::string(&encoding)?,
    };
    builtin::encode(&bytes, &encoding).map(Js::String)
}

fn to_json(_: &Run, this: &Js, _: &[Js]) -> Result {
    let data = literal::array_of(literal::iterate(this)?);
    Ok(literal::object([("type", Js::text("Buffer")), ("data", data)]))
}

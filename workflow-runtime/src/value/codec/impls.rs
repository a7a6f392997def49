//! Serialisation of the parts of a snapshot that are not values.

use super::{Load, LoadError, Reader, Save, Writer};
use crate::value::Str;

impl Save for bool {
    fn save(&self, w: &mut Writer) {
        w.u8((*self).into());
    }
}

impl Load for bool {
    fn load(r: &mut Reader<'_>) -> Result<bool, LoadError> {
        match r.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(r.error(format!("invalid boolean {other}"))),
        }
    }
}

impl Save for u32 {
    fn save(&self, w: &mut Writer) {
        w.u64((*self).into());
    }
}

impl Load for u32 {
    fn load(r: &mut Reader<'_>) -> Result<u32, LoadError> {
        let value = r.u64()?;
        u32::try_from(value).map_err(|_| r.error(format!("the number {value} does not fit into 32 bits")))
    }
}

impl Save for u64 {
    fn save(&self, w: &mut Writer) {
        w.u64(*self);
    }
}

impl Load for u64 {
    fn load(r: &mut Reader<'_>) -> Result<u64, LoadError> {
        r.u64()
    }
}

impl Save for i64 {
    fn save(&self, w: &mut Writer) {
        w.i64(*self);
    }
}

impl Load for i64 {
    fn load(r: &mut Reader<'_>) -> Result<i64, LoadError> {
        r.i64()
    }
}

impl Save for f64 {
    fn save(&self, w: &mut Writer) {
        w.f64(*self);
    }
}

impl Load for f64 {
    fn load(r: &mut Reader<'_>) -> Result<f64, LoadError> {
        r.f64()
    }
}

impl Save for str {
    fn save(&self, w: &mut Writer) {
        w.str(self);
    }
}

impl Save for String {
    fn save(&self, w: &mut Writer) {
        w.str(self);
    }
}

impl Load for String {
    fn load(r: &mut Reader<'_>) -> Result<String, LoadError> {
        Ok(r.str()?.to_owned())
    }
}

impl Save for Str {
    fn save(&self, w: &mut Writer) {
        w.str(self);
    }
}

impl Load for Str {
    fn load(r: &mut Reader<'_>) -> Result<Str, LoadError> {
        Ok(r.str()?.into())
    }
}

impl<T: Save + ?Sized> Save for &T {
    fn save(&self, w: &mut Writer) {
        (**self).save(w);
    }
}

impl<T: Save> Save for Option<T> {
    fn save(&self, w: &mut Writer) {
        w.put(&self.is_some());
        if let Some(part) = self {
            w.put(part);
        }
    }
}

impl<T: Load> Load for Option<T> {
    fn load(r: &mut Reader<'_>) -> Result<Option<T>, LoadError> {
        match r.take()? {
            true => r.take().map(Some),
            false => Ok(None),
        }
    }
}

impl<T: Save> Save for [T] {
    fn save(&self, w: &mut Writer) {
        w.count(self.len());
        for part in self {
            w.put(part);
        }
    }
}

impl<T: Save> Save for Vec<T> {
    fn save(&self, w: &mut Writer) {
        w.put(self.as_slice());
    }
}

/// Each part must take at least one byte, which every non-empty type does.
impl<T: Load> Load for Vec<T> {
    fn load(r: &mut Reader<'_>) -> Result<Vec<T>, LoadError> {
        let len = r.count()?;
        let mut parts = Vec::with_capacity(len);
        for _ in 0..len {
            parts.push(r.take()?);
        }
        Ok(parts)
    }
}

//! Items that stay open from one chunk to the next.

use std::sync::{Arc, Mutex, PoisonError};

use super::{ItemStream, ObjectAccess, Objects, ReadItems};
use crate::fault::Fault;
use crate::value::Value;

/// Items with the position behind the last chunk.
type Opened = (Value, Box<dyn ItemStream>);

/// The items that a run of a distributed Map reads. They stay open from one chunk to the next. A
/// clone refers to the same items.
#[derive(Clone, Default)]
pub struct OpenItems(Arc<Mutex<Option<Opened>>>);

impl OpenItems {
    /// Reads the chunk of a request. The items are opened, unless the last chunk ended there.
    ///
    /// # Errors
    /// `States.ItemReaderFailed`: the arguments are wrong, the store failed, or the data is bad.
    pub async fn read(&self, access: &ObjectAccess, request: &ReadItems) -> Result<Value, Fault> {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = lock().take().filter(|(position, _)| *position == request.position);
        let mut items = match kept {
            Some((_, items)) => items,
            None => access.open(request).await?,
        };
        let chunk = items.next(request.count, request.bytes).await?;
        if !chunk.is_last {
            *lock() = Some((chunk.position.clone(), items));
        }
        Ok(chunk.into_value())
    }
}

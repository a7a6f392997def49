//! The tasks of both workflows.

use workflow_runtime::{Fault, TaskContext, Value};

use crate::stock::{Line, Parcel, Stock};
use crate::{order, restock};

/// The shop: the tasks, with everything that they need.
pub struct Shop {
    stock: Stock,
}

impl Shop {
    /// Returns tasks that use this stock.
    pub fn new(stock: Stock) -> Shop {
        Shop { stock }
    }
}

impl order::Tasks for Shop {
    async fn reserve(&self, line: Line, cx: TaskContext) -> Result<Value, Fault> {
        self.stock.take(cx.idempotency_key(), line).await?;
        Ok(Value::Null)
    }

    /// Puts the parcel on the list. The order continues when a person has packed it.
    async fn ask_packer(&self, parcel: Parcel, _: TaskContext) -> Result<Value, Fault> {
        self.stock.list_parcel(parcel).await?;
        Ok(Value::Null)
    }
}

impl restock::Tasks for Shop {
    async fn add(&self, line: Line, cx: TaskContext) -> Result<Value, Fault> {
        self.stock.add(cx.idempotency_key(), line).await?;
        Ok(Value::Null)
    }
}

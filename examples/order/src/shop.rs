//! A shop that performs the tasks. A real shop would call a store, a bank and carriers; this one
//! keeps everything in memory.

use crate::order::Tasks;
use crate::types::{Charge, Order, Payment, Shipment, Tracking, Validation};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use workflow_runtime::{Fault, TaskContext, Value, value};

/// The shop.
#[derive(Debug, Default)]
pub struct Shop(Mutex<Books>);

/// The books of the shop.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Books {
    /// Reserved goods, by order.
    pub reserved: BTreeMap<u64, Value>,
    /// Charges that are not refunded, by idempotency key.
    pub charged: BTreeMap<String, f64>,
    /// Shipments that are not cancelled: order and warehouse.
    pub shipped: Vec<(u64, String)>,
    /// Receipts that the shop has sent.
    pub receipts: Vec<String>,
}

const PRICES: [(&str, f64); 3] = [("book", 25.0), ("lamp", 60.0), ("piano", 4200.0)];
/// A card that the bank declines.
const EMPTY_CARD: &str = "4000 0000 0000 0002";
/// The largest load of a truck.
const LARGEST_LOAD: u64 = 20;

impl Shop {
    /// Returns a copy of the books.
    pub fn books(&self) -> Books {
        self.open().clone()
    }

    fn open(&self) -> MutexGuard<'_, Books> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tasks for Shop {
    async fn validate_order(&self, order: Order, _cx: TaskContext) -> Result<Validation, Fault> {
        let price = |sku: &str| PRICES.iter().find(|(name, _)| *name == sku).map(|(_, price)| price);
        let mut total = 0.0;
        for item in &order.items {
            match price(&item.sku) {
                Some(price) => total += price * f64::from(item.quantity),
                None => {
                    let remark = format!("there is no article `{}`", item.sku);
                    return Ok(Validation { accepted: false, total, remark });
                }
            }
        }
        Ok(Validation { accepted: true, total, remark: format!("it comes to {total}") })
    }

    async fn reserve_goods(&self, input: Value, cx: TaskContext) -> Result<Value, Fault> {
        cx.sleep(Duration::from_millis(200)).await;
        if cx.attempt() == 1 {
            return Err(Fault::new("StoreBusy", "somebody else is counting"));
        }
        let order = number(&input, "order")?;
        let goods = input.get("items").cloned().unwrap_or_default();
        self.open().reserved.insert(order, goods);
        Ok(value!({ "id": format!("r-{order}") }))
    }

    async fn charge_card(&self, charge: Charge, cx: TaskContext) -> Result<Payment, Fault> {
        cx.sleep(Duration::from_millis(800)).await;
        if charge.card == EMPTY_CARD {
            return Err(Fault::new("CardDeclined", format!("the bank declined {}", charge.reference)));
        }
        // A repeated call, whose first answer was lost, must not charge again.
        let id = cx.idempotency_key();
        self.open().charged.insert(id.clone(), charge.amount);
        Ok(Payment { id, amount: charge.amount })
    }

    async fn ship_goods(&self, shipment: Shipment, cx: TaskContext) -> Result<Tracking, Fault> {
        cx.sleep(Duration::from_secs(30)).await;
        let Shipment { warehouse, order, reservation } = shipment;
        let mut books = self.open();
        let goods = books.reserved.get(&order).and_then(Value::as_array).into_iter().flat_map(|items| items.iter());
        let load: i64 = goods.filter_map(|item| item.get("quantity")?.as_i64()).sum();
        if warehouse == "south" && load.unsigned_abs() > LARGEST_LOAD {
            return Err(Fault::new("TruckFull", format!("no truck for {load} pieces")));
        }
        let tracking = format!("{warehouse}-{reservation}");
        books.shipped.push((order, warehouse));
        Ok(Tracking { tracking })
    }

    async fn send_receipt(&self, input: Value, _cx: TaskContext) -> Result<Value, Fault> {
        let to = input.get("to").and_then(Value::as_str).unwrap_or_default();
        self.open().receipts.push(to.to_owned());
        Ok(Value::Null)
    }

    async fn cancel_shipping(&self, input: Value, cx: TaskContext) -> Result<Value, Fault> {
        cx.sleep(Duration::from_secs(5)).await;
        let cancelled = number(&input, "order")?;
        self.open().shipped.retain(|(order, _)| *order != cancelled);
        Ok(Value::Null)
    }

    async fn refund_card(&self, input: Value, cx: TaskContext) -> Result<Value, Fault> {
        cx.sleep(Duration::from_millis(800)).await;
        if cx.attempt() == 1 {
            return Err(Fault::new("GatewayDown", "the bank does not answer"));
        }
        let payment = input.get("payment").and_then(Value::as_str).unwrap_or_default();
        self.open().charged.remove(payment);
        Ok(Value::Null)
    }

    async fn release_goods(&self, input: Value, cx: TaskContext) -> Result<Value, Fault> {
        cx.sleep(Duration::from_millis(200)).await;
        let reservation = input.get("reservation").and_then(Value::as_str).unwrap_or_default();
        self.open().reserved.retain(|order, _| format!("r-{order}") != reservation);
        Ok(Value::Null)
    }
}

fn number(input: &Value, name: &str) -> Result<u64, Fault> {
    let number = input.get(name).and_then(Value::as_i64).and_then(|number| u64::try_from(number).ok());
    number.ok_or_else(|| Fault::new("BadRequest", format!("`{name}` is not a number: {input}")))
}

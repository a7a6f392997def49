//! Names that attributes of serde change, and members of a flattened type.

use serde::{Serialize, Serializer};
use std::collections::HashMap;
use workflow_runtime::{Shape, include_workflow};

#[derive(Serialize, Shape)]
#[serde(rename_all = "UPPERCASE")]
pub struct Renamed {
    #[serde(rename = "id")]
    number: u32,
    ammount: f64,
    #[serde(flatten)]
    inner: Inner,
    #[serde(skip)]
    items: Vec<u8>,
}

#[derive(Serialize, Shape)]
pub struct Inner {
    address: Address,
}

#[derive(Serialize, Shape)]
#[serde(tag = "kind")]
pub enum Address {
    Postal { city: String },
    Digital { mail: String },
}

pub mod renamed {
    use super::*;

    include_workflow!("flows/receipt.asl.json", tasks: { "ChargeCard" => charge_card -> Renamed });
}

/// A type with any members, in which each path may exist.
#[derive(Serialize, Shape)]
pub struct Open {
    id: u32,
    #[serde(flatten)]
    others: HashMap<String, workflow_runtime::Value>,
}

pub mod open {
    use super::*;

    include_workflow!("flows/receipt.asl.json", tasks: { "ChargeCard" => charge_card -> Open });
}

/// A type with members that a function of the program writes.
#[derive(Serialize, Shape)]
pub struct Own {
    id: u32,
    ammount: f64,
    #[serde(serialize_with = "any")]
    address: (),
    #[shape(any)]
    items: (),
}

fn any<S: Serializer>(_: &(), serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map([("city", "Berlin")])
}

pub mod own {
    use super::*;

    include_workflow!("flows/receipt.asl.json", tasks: { "ChargeCard" => charge_card -> Own });
}

fn main() {}

//! Types without a shape are not checked: the one error is that of the type with one.

use serde::Serialize;
use workflow_runtime::{Shape, include_workflow};

#[derive(Serialize)]
pub struct Foreign {
    id: u32,
}

pub mod foreign {
    use super::*;

    include_workflow!("flows/receipt.asl.json", tasks: { "ChargeCard" => charge_card -> Foreign });
}

pub mod optional {
    use super::*;

    include_workflow!("flows/receipt.asl.json", tasks: { "ChargeCard" => charge_card -> Option<Foreign> });
}

#[derive(Serialize, Shape)]
pub struct Own {
    id: Foreign,
    ammount: Foreign,
    address: Vec<Foreign>,
    items: Foreign,
}

pub mod allowed {
    use super::*;

    include_workflow!(
        "flows/receipt.asl.json",
        tasks: { "ChargeCard" => charge_card -> Box<str> },
        allow: ["WF1901"],
    );
}

pub mod own {
    use super::*;

    include_workflow!("flows/receipt.asl.json", tasks: { "ChargeCard" => charge_card -> Vec<String> });
}

include_workflow!("flows/receipt.asl.json", tasks: { "ChargeCard" => charge_card -> Own });

fn main() {}

//! A type that does not implement the tasks, in both forms of the generated bound.

use workflow_runtime::{Value, include_workflow};

include_workflow!("flows/order.asl.json");

mod typed {
    use workflow_runtime::include_workflow;

    include_workflow!("flows/order.asl.json", tasks: { "ChargeCard" => charge_card(Vec<String>) });
}

struct Shop;

fn main() {
    let _ = order::Order::builder(&Shop);
    let _ = order::Order::run(&Shop, Value::Null);
    let _ = order::Order::bind(&Shop);
    let _ = typed::order::Order::builder(&Shop);
}

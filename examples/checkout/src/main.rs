//! `checkout shop` runs the shop, whose mailbox prints the messages that arrive. Every other
//! command runs the program that takes orders.
//!
//! ```text
//! cargo run -p checkout -- shop
//! cargo run -p checkout -- serve --sink http://127.0.0.1:8600/mail
//! curl 'http://127.0.0.1:8080/checkout?id=7' -d '{
//!     "cart": ["tea"], "customer": {"name": "Ann", "age": 12, "email": "ann@example.com"}}'
//! curl http://127.0.0.1:8080/executions/7/events -H 'ce-specversion: 1.0' -H 'ce-id: 1' -H 'ce-source: /bank' \
//!     -H 'ce-type: com.example.bank.paid' -H 'Content-Type: application/json' -d '{"sum": 12}'
//! curl http://127.0.0.1:8080/executions/7/result
//! ```

use std::process::ExitCode;

use checkout::checkout::Checkout;
use checkout::shop::{ADDRESS, Shop};
use checkout::visa::Visa;
use workflow_runner::Durable;

fn main() -> ExitCode {
    let shop = format!("http://{ADDRESS}");
    if std::env::args().nth(1).as_deref() == Some("shop") {
        return open();
    }
    let tasks = checkout::tasks(&shop).and_then(|orders| Ok((orders, checkout::tasks(&shop)?)));
    match tasks {
        Ok((orders, visas)) => Durable::<Checkout>::new(orders).engine(|engine| engine.workflow::<Visa>(visas)).main(),
        Err(error) => {
            eprintln!("the shop cannot be called: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the shop until the process ends.
fn open() -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let opened = runtime.and_then(|runtime| {
        runtime.block_on(async {
            let shop = Shop::open(ADDRESS, 2).await?;
            eprintln!("the shop is open at {}", shop.address);
            shop.on_log(|line| println!("{line}"));
            std::future::pending::<()>().await;
            Ok(())
        })
    });
    match opened {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("the shop cannot be opened at {ADDRESS}: {error}");
            ExitCode::FAILURE
        }
    }
}

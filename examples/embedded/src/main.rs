//! The shop as a program.
//!
//! ```text
//! cargo run -p embedded
//! curl http://127.0.0.1:8080/restock --json '{"item": "cup", "pieces": 5, "seconds": 1}'
//! curl http://127.0.0.1:8080/orders --json '{"item": "cup", "pieces": 2}' -H 'Idempotency-Key: order-7'
//! curl http://127.0.0.1:8080/parcels
//! ```

use std::error::Error;
use std::time::Duration;

use embedded::server::routes;
use embedded::stock::Stock;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let stock = Stock::open("stock.db")?;
    let engine = embedded::open("shop.db", &stock).await?;
    let listener = TcpListener::bind("127.0.0.1:8080").await?;
    eprintln!("serving on http://{}", listener.local_addr()?);
    axum::serve(listener, routes(engine.clone(), stock)).with_graceful_shutdown(until_signal()).await?;
    engine.shut_down(Duration::from_secs(10)).await;
    Ok(())
}

/// Waits for Ctrl-C or SIGTERM.
#[cfg(unix)]
async fn until_signal() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut terminated) => tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminated.recv() => {}
        },
        Err(_) => {
            let _ = tokio::signal::ctrl_c().await;
        }
    }
}

/// Waits for Ctrl-C.
#[cfg(not(unix))]
async fn until_signal() {
    let _ = tokio::signal::ctrl_c().await;
}

//! Tests of the runtime with machines as the compiler generates them.

#[path = "../machines/becoming.rs"]
mod becoming;
#[path = "../machines/chance.rs"]
mod chance;
#[cfg(feature = "testing")]
#[path = "../machines/errand.rs"]
mod errand;
#[path = "../machines/extremes.rs"]
mod extremes;
#[path = "../machines/gather.rs"]
mod gather;
#[cfg(all(feature = "json-schema", feature = "testing"))]
#[path = "../machines/receipt.snap.rs"]
#[rustfmt::skip]
mod generated;
#[cfg(feature = "testing")]
#[path = "../machines/maps.rs"]
mod maps;
#[path = "../machines/order.rs"]
mod order;
#[cfg(feature = "testing")]
#[path = "../machines/relay.rs"]
mod relay;
#[path = "../machines/round.rs"]
mod round;

mod correlation;
#[cfg(feature = "testing")]
mod ends;
#[cfg(feature = "testing")]
mod events;
#[cfg(feature = "testing")]
mod full_inboxes;
#[cfg(feature = "testing")]
mod hub;
#[cfg(feature = "memory")]
mod iterations;
mod machine;
#[cfg(feature = "testing")]
mod memory;
#[cfg(feature = "testing")]
mod memory_engine;
#[cfg(feature = "testing")]
mod observers;
#[cfg(feature = "testing")]
mod pace;
mod reuse;
mod rows;
#[cfg(all(feature = "json-schema", feature = "testing"))]
mod schemas;
#[cfg(feature = "testing")]
mod tasks;
#[cfg(feature = "testing")]
mod turns;

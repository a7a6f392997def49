//! Books three trips: one that succeeds, one without a car, and one without a flight.

use std::error::Error;

use booking::booking::Booking;
use booking::services::Services;
use workflow_runtime::{Builder, value};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let services = Services::start(1).await?;
    let tasks = booking::tasks(&services)?;
    for (title, flight, class) in [
        ("a small car, and a village that is busy at first", "SM 4", "small"),
        ("a convertible", "SM 4", "convertible"),
        ("a flight that is full", "full", "small"),
    ] {
        println!("{title}");
        let trip = value!({ "guest": "Ada", "flight": flight, "nights": 3, "class": class });
        let outcome = Builder::<Booking>::new().tasks(&tasks).run(trip).await;
        services.log().iter().for_each(|line| println!("  {line}"));
        let booked = outcome?;
        match booked.get("problem") {
            None => println!("  Ada goes\n"),
            Some(problem) => {
                let why = problem.get("data").and_then(|data| data.get("body")?.get("why"));
                println!("  Ada stays at home: {}\n", why.unwrap_or(problem));
            }
        }
    }
    Ok(())
}

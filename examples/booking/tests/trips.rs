//! Tests of the workflow with its services, over HTTP.

use booking::booking::Booking;
use booking::services::Services;
use workflow_connectors::Rest;
use workflow_connectors::rest::RestService;
use workflow_runtime::{Builder, Fault, Value, value};

async fn book(services: &Services, flight: &str, class: &str) -> (Value, Vec<String>) {
    let tasks = booking::tasks(services).expect("all that is needed");
    let trip = value!({ "guest": "Ada", "flight": flight, "nights": 3, "class": class });
    let booked = Builder::<Booking>::new().tasks(&tasks).run(trip).await.expect("an end");
    (booked, services.log())
}

fn part<'v>(value: &'v Value, path: &[&str]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, member| value.get(*member))
}

#[tokio::test]
async fn all_is_booked() {
    let services = Services::start(0).await.expect("services");
    let (booked, log) = book(&services, "SM/4", "small").await;
    assert_eq!(
        log,
        [
            "airline: seat S-1 on SM%2F4 for Ada, vegan",
            "village: room R-2 for Ada, nights=3",
            "village: car C-3 for who comes on seat S-1",
        ]
    );
    assert_eq!(part(&booked, &["car", "number"]), Some(&value!("C-3")));
    assert_eq!((booked.get("problem"), booked.get("cancelled")), (None, None));
}

#[tokio::test]
async fn what_was_booked_is_cancelled_from_the_last_one_on() {
    let services = Services::start(0).await.expect("services");
    let (booked, log) = book(&services, "SM 4", "convertible").await;
    assert_eq!(
        log[2..],
        ["village: no convertible is left", "village: R-2 is free again", "airline: seat S-1 is free again"]
    );
    assert_eq!(booked.get("cancelled"), Some(&value!(["room", "flight"])));
    assert_eq!(part(&booked, &["problem", "ClassName"]), Some(&value!("Http.StatusCode.409")));
    let data = value!({ "status": 409, "body": { "why": "no convertible is left" } });
    assert_eq!(part(&booked, &["problem", "data"]), Some(&data));
}

#[tokio::test]
async fn a_service_that_is_busy_is_asked_again_and_books_once() {
    let services = Services::start(2).await.expect("services");
    let (booked, log) = book(&services, "SM 4", "small").await;
    assert_eq!(log[1..4], ["village: busy", "village: busy", "village: room R-2 for Ada, nights=3"]);
    assert_eq!(booked.get("problem"), None);
    // The workflow gives up on a busy village, and cancels the flight.
    let services = Services::start(3).await.expect("services");
    let (booked, log) = book(&services, "SM 4", "small").await;
    assert_eq!(log[1..], ["village: busy", "village: busy", "village: busy", "airline: seat S-1 is free again"]);
    assert_eq!(booked.get("cancelled"), Some(&value!(["flight"])));
}

#[tokio::test]
async fn nothing_is_cancelled_that_was_not_booked() {
    let services = Services::start(0).await.expect("services");
    let (booked, log) = book(&services, "full", "small").await;
    assert_eq!(log, ["airline: the flight is full"]);
    assert_eq!((booked.get("seat"), booked.get("cancelled")), (Some(&Value::Null), None));
}

#[tokio::test]
async fn who_is_not_known_books_nothing() {
    let services = Services::start(0).await.expect("services");
    let airline = RestService::new(&services.airline).credentials("agency", "another token");
    let tasks = Rest::builder().service("airline", airline).build().expect("a service");
    let trip = value!({ "guest": "Ada", "flight": "SM 4", "nights": 3, "class": "small" });
    let booked: Result<Value, Fault> = Builder::<Booking>::new().tasks(&tasks).run(trip).await;
    let problem = booked.expect("an end").get("problem").cloned().unwrap_or_default();
    assert_eq!(problem.get("ClassName"), Some(&value!("Http.StatusCode.401")));
    assert!(booking::booking::DEFINITION.tasks.len() == 5 && tasks.check(&booking::booking::DEFINITION).is_err());
}

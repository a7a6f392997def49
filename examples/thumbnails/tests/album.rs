//! Tests of the workflow in virtual time.

use std::time::Duration;

use thumbnails::studio::{Studio, Thumbnail};
use thumbnails::thumbnails::Thumbnails;
use workflow_runtime::clock::Clock;
use workflow_runtime::testing::{self, VirtualClock};
use workflow_runtime::{Builder, Value, value};

fn make(studio: &Studio, album: &str) -> (Result<Value, workflow_runtime::Fault>, Duration) {
    let clock = VirtualClock::new();
    let started = clock.now();
    let builder = Builder::<Thumbnails>::new().seed(1).clock(clock.clone());
    let tasks = Thumbnails::bind(studio);
    let run = builder.tasks(&tasks).run(value!({ "album": album, "width": 8 }));
    (testing::block_on(run).expect("an end"), clock.now().since(started))
}

#[test]
fn four_pictures_are_made_at_a_time_and_what_is_none_is_left_out() {
    let studio = Studio::default();
    let (report, elapsed) = make(&studio, "holidays");
    let report = report.expect("a report");
    assert_eq!(report.get("seen"), Some(&7.into()));
    assert_eq!(report.get("skipped"), Some(&value!(["notes.txt", "torn.jpg"])));
    let made: Vec<Thumbnail> = report.get("made").expect("thumbnails").deserialize_into().expect("thumbnails");
    let files: Vec<&str> = made.iter().map(|thumbnail| &*thumbnail.file).collect();
    assert_eq!(files, ["hill.png", "sun.jpg", "waves.png", "moon.png", "tent.jpg"]);
    assert_eq!(made[1].rows, [" ..::.. ", ".:+##+:.", ".:+##+:.", " ..::.. "]);
    assert_eq!(studio.most_at_once(), 4);
    // Two rounds take 300 ms each. The retry of the waves, with its pause, may take longer.
    assert!((600..=1600).contains(&elapsed.as_millis()), "{elapsed:?}");
}

#[test]
fn an_album_that_does_not_exist_fails_the_execution() {
    let (report, _) = make(&Studio::default(), "work");
    assert_eq!(report.expect_err("no album").error(), Some("NoSuchAlbum"));
}

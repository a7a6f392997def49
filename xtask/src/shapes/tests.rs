//! Tests of the floors of precision.

use super::*;

const FLOOR: Floor = Floor { file: "a.json", followed: 80, all: 50, refused: 1, abandoned: 0 };
const OTHER: Floor = Floor { file: "b.json", ..FLOOR };
const TOTAL: Floor = Floor { file: "all", followed: 90, all: 60, refused: 1, abandoned: 0 };

/// Returns the number of complaints about a file.
fn complaints(paths: FilePaths) -> usize {
    let files = BTreeMap::from([("a.json", paths)]);
    short_of(&files, &[FLOOR, OTHER], &TOTAL).err().map_or(0, |broken| broken.lines().count())
}

fn count(known: usize, all: usize) -> PathCount {
    PathCount { known, all, ..PathCount::default() }
}

#[test]
fn a_file_that_counts_less_is_short_of_its_floor() {
    let good = FilePaths { counts: [count(5, 10), count(8, 10)], all: 16, refused: 1, abandoned: 0 };
    assert_eq!(complaints(good), 0);
    assert!(short_of(&BTreeMap::from([("c.json", good)]), &[FLOOR], &TOTAL).is_ok());
    // Fewer paths are known, and with that fewer of all paths.
    assert_eq!(complaints(FilePaths { counts: [count(5, 10), count(7, 10)], ..good }), 2);
    // The share of the paths that are followed rises because fewer are.
    assert_eq!(complaints(FilePaths { counts: [count(5, 10), count(7, 7)], ..good }), 1);
    assert_eq!(complaints(FilePaths { all: 17, ..good }), 1);
    assert_eq!(complaints(FilePaths { refused: 2, ..good }), 1);
    assert_eq!(complaints(FilePaths { abandoned: 1, ..good }), 1);
    // A file without paths is no success.
    assert_eq!(complaints(FilePaths::default()), 2);
}

#[test]
fn files_together_have_a_floor_of_their_own() {
    let file = |known: usize| FilePaths { counts: [count(5, 10), count(known, 10)], all: 14, ..FilePaths::default() };
    let broken = |known: [usize; 2]| {
        let files = BTreeMap::from([("a.json", file(known[0])), ("b.json", file(known[1]))]);
        short_of(&files, &[FLOOR, OTHER], &TOTAL).err().unwrap_or_default()
    };
    assert_eq!(broken([10, 8]), "");
    // Each is good enough alone.
    assert_eq!(
        broken([8, 8]),
        "all: 16 of 20 paths begin at known data, below 90 %\n\
         all: 16 of 28 paths, with those that are not reached, begin at known data, below 60 %"
    );
    assert_eq!(broken([9, 8]), "all: 17 of 20 paths begin at known data, below 90 %");
}

#[test]
fn paths_that_are_not_reached_count() {
    let mut file = FilePaths::default();
    file.add([Some(count(3, 4)), Some(count(3, 3))], 5);
    file.add([Some(count(1, 6)), None], 2);
    assert_eq!((file.all, file.abandoned, file.refused), (11, 1, 0));
    let shown = file.to_string();
    assert!(shown.contains("4 of 10 paths (40.0 %), 36.4 % with 1 that are not reached"), "{shown}");
    assert!(shown.contains("3 of 3 paths (100.0 %), 27.3 % with 8 that are not reached"), "{shown}");
}

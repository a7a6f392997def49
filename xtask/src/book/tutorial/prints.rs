//! The comparison of what commands print with the page.

/// Returns the text without the lines of cargo about its own progress: `   Compiling order
/// v0.1.0`. They begin with a word that ends in column 12.
pub fn without_cargo(printed: &str) -> String {
    let is_cargo = |line: &str| {
        let word =
            line.split_at_checked(12).filter(|(_, rest)| rest.starts_with(' ')).map(|(word, _)| word.trim_start());
        let mut word = word.unwrap_or_default().chars();
        word.next().is_some_and(char::is_uppercase) && word.all(char::is_alphabetic)
    };
    printed.lines().filter(|line| !is_cargo(line)).flat_map(|line| [line, "\n"]).collect()
}

/// Returns `true` if the printed text is what the page shows. All times are equal. Blanks at the
/// ends of lines, and empty lines at the beginning and the end, do not count.
pub fn fits(page: &str, printed: &str) -> bool {
    lines_fit(&lines(page), &lines(printed))
}

fn lines(text: &str) -> Vec<String> {
    let text = text.trim_end().trim_start_matches('\n');
    text.lines().map(|line| without_times(line.trim_end())).collect()
}

/// Replaces times: `2026-01-31T12:30:00.000Z`, and `0:02.007` since a start.
fn without_times(line: &str) -> String {
    let is_time = |word: &str| {
        let is_in_times = |c: char| c.is_ascii_digit() || "T:.-Z".contains(c);
        word.contains(':') && word.starts_with(|c: char| c.is_ascii_digit()) && word.chars().all(is_in_times)
    };
    let words: Vec<&str> = line.split(' ').map(|word| if is_time(word) { "TIME" } else { word }).collect();
    words.join(" ")
}

fn lines_fit(page: &[String], printed: &[String]) -> bool {
    match (page, printed) {
        ([], []) => true,
        ([line, page @ ..], _) if line == "..." => (0..=printed.len()).any(|from| lines_fit(page, &printed[from..])),
        ([line, page @ ..], [first, printed @ ..]) => line_fits(line, first) && lines_fit(page, printed),
        _ => false,
    }
}

fn line_fits(page: &str, printed: &str) -> bool {
    let Some((start, rest)) = page.split_once('…') else { return page == printed };
    printed.strip_prefix(start).is_some_and(|printed| {
        let mut ends = printed.char_indices().map(|(at, _)| at).chain([printed.len()]);
        ends.any(|at| line_fits(rest, &printed[at..]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_stand_for_any_lines_and_any_text() {
        for (page, printed, expected) in [
            ("a\nb\n", "a\nb", true),
            ("a\n", "\na  \n\n", true),
            ("a\n", "a\nb\n", false),
            ("a\nb\n", "a\n", false),
            ("...\nb\n", "a\nb\n", true),
            ("...\nb\n", "a\nb\nc\n", false),
            ("a\n...\n", "a\n", true),
            ("a\n...\nc\n...\n", "a\nb\nc\nd\n", true),
            ("at … s: …\n", "at 0.1 s: done\n", true),
            ("at … s\n", "at 0.1 m\n", false),
            ("  0:00.006 Pay: failed\n", "  0:12.345 Pay: failed\n", true),
            ("  0:00.006 Pay: failed\n", "  0:12.345 Pay: left\n", false),
            ("until 2026-01-12T09:30:00.000Z\n", "until 2026-11-30T20:56:09.959Z\n", true),
            ("at 7:85\n", "at 2d\n", false),
            ("", "", true),
        ] {
            assert_eq!(fits(page, printed), expected, "{page:?} {printed:?}");
        }
    }

    #[test]
    fn the_progress_of_cargo_is_left_out() {
        let printed = "   Compiling order v0.1.0\n    Finished `dev` profile\nerror: a mistake in line 7\n  0:00.000 Charge: entered\n";
        assert_eq!(without_cargo(printed), "error: a mistake in line 7\n  0:00.000 Charge: entered\n");
    }
}

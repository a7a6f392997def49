//! The tables of the comparison, and their place in the README.

use super::engines::ENGINES;
use super::samples::Samples;

/// The lines of the README between which the tables are.
const BEGIN: &str = "<!-- peers -->";
const END: &str = "<!-- end of peers -->";

/// Returns the tables in Markdown.
pub fn tables(memory: &Samples, durable: &Samples) -> Result<String, String> {
    let mut text =
        "| in memory, an execution | ten states | : this project | ten states in a line | : this project |\n\
                    |---|---|---|---|---|\n"
            .to_owned();
    let show = |number| format!("{} µs", digits(number / 1e3));
    text += &rows(memory, ["ten", "linear"], f64::min, show, |own, it| it / own)?;
    text += "\n| every step durable, steps per second | one at once | this project : it | 64 at once | this project : it |\n\
             |---|---|---|---|---|\n";
    text += &rows(durable, ["one", "many"], f64::max, digits, |own, it| own / it)?;
    Ok(text)
}

/// Returns a row for each engine that was measured.
fn rows(
    samples: &Samples,
    measures: [&str; 2],
    better: fn(f64, f64) -> f64,
    show: impl Fn(f64) -> String,
    ratio: impl Fn(f64, f64) -> f64,
) -> Result<String, String> {
    let mut text = String::new();
    let [first, second] = measures.map(|measure| samples.best("ours", measure, better));
    let (Some(first), Some(second)) = (first, second) else {
        return Err("this project was not measured".to_owned());
    };
    for engine in &ENGINES {
        let numbers = measures.map(|measure| samples.best(engine.name, measure, better));
        if numbers.iter().all(Option::is_none) {
            continue;
        }
        text += &format!("| {} |", engine.shown);
        for (own, number) in [first, second].into_iter().zip(numbers) {
            let Some(number) = number else {
                text += " | |";
                continue;
            };
            text += &format!(" {} | {} |", show(number), digits(ratio(own, number)));
        }
        text.push('\n');
    }
    Ok(text)
}

/// Returns a number with three significant digits, and a comma between thousands.
fn digits(number: f64) -> String {
    if number < 100.0 {
        let places = if number < 1.0 { 2 } else { usize::from(number < 10.0) + usize::from(number < 100.0) };
        return format!("{number:.places$}");
    }
    let unit = 10f64.powi(number.log10().floor() as i32 - 2);
    let rounded = format!("{:.0}", (number / unit).round() * unit);
    let mut text = String::new();
    for (at, digit) in rounded.chars().enumerate() {
        if at > 0 && (rounded.len() - at) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns the README with other tables.
pub fn insert(readme: &str, tables: &str) -> Result<String, String> {
    let missing = || format!("README.md has no lines `{BEGIN}` and `{END}`");
    let (before, rest) = readme.split_once(BEGIN).ok_or_else(missing)?;
    let (_, after) = rest.split_once(END).ok_or_else(missing)?;
    Ok(format!("{before}{BEGIN}\n{tables}{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::peers::process::Answer;

    #[test]
    fn numbers_have_three_digits() {
        for (number, text) in [
            (0.314, "0.31"),
            (4.236, "4.24"),
            (12.83, "12.8"),
            (99.99, "100.0"),
            (918.4, "918"),
            (3_124.0, "3,120"),
            (1_250_499.0, "1,250,000"),
        ] {
            assert_eq!(digits(number), text);
        }
    }

    #[test]
    fn tables_show_what_was_measured_and_replace_the_old_ones() {
        let (mut memory, mut durable) = (Samples::default(), Samples::default());
        let add = |samples: &mut Samples, engine: &str, measure: &str, text: &str| {
            samples.add(&Answer { engine: engine.into(), measure: measure.into(), text: text.into() }).unwrap();
        };
        for measure in ["ten", "linear"] {
            add(&mut memory, "ours", measure, "2000");
        }
        add(&mut memory, "sfnx", "ten", "80000");
        for (engine, text) in [("ours", "900"), ("duroxide", "9")] {
            add(&mut durable, engine, "one", text);
            add(&mut durable, engine, "many", text);
        }
        let tables = tables(&memory, &durable).unwrap();
        assert!(tables.contains("| this project | 2.00 µs | 1.00 | 2.00 µs | 1.00 |\n"), "{tables}");
        assert!(tables.contains("| sfnx 3.1.0, Python | 80.0 µs | 40.0 | | |\n"), "{tables}");
        assert!(tables.contains("| duroxide 0.1.32, Rust, SQLite | 9.00 | 100 | 9.00 | 100 |\n"), "{tables}");
        assert!(!tables.contains("moto"));
        let readme = insert(&format!("before\n{BEGIN}\nold\n{END}\nafter\n"), &tables).unwrap();
        assert_eq!(readme, format!("before\n{BEGIN}\n{tables}{END}\nafter\n"));
        assert!(insert("no lines", &tables).is_err());
        assert!(super::tables(&memory, &Samples::default()).is_err());
    }
}

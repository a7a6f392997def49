//! The limits in `SECURITY.md` are those of the code. Every row of its tables of limits ends with
//! a comment that names a file and a constant or field, `<!-- workflow-runner/src/serve/mod.rs
//! CONNECTIONS -->`. The second cell of the row begins with the value of this constant or field.

use super::File;

const PAGE: &str = "SECURITY.md";
/// The heading of the first column of a table of limits.
const HEADING: &str = "| Limit ";

/// Returns the rows that name no value of the code, or state another value.
pub fn check(files: &[File]) -> Vec<String> {
    let Some(page) = files.iter().find(|file| file.name == PAGE) else {
        return vec![format!("{PAGE}: is missing: it lists the limits")];
    };
    let mut broken = Vec::new();
    let (mut in_table, mut rows) = (false, 0);
    for (at, line) in page.text.lines().enumerate() {
        in_table = line.starts_with(HEADING) || in_table && line.starts_with('|');
        let is_row = in_table && !line.starts_with(HEADING) && !line.starts_with("|-");
        if is_row {
            rows += 1;
            broken.extend(check_row(line, files).err().map(|problem| format!("{PAGE}:{}: {problem}", at + 1)));
        }
    }
    if rows == 0 {
        broken.push(format!("{PAGE}: has no table whose heading begins with `{HEADING}`"));
    }
    broken
}

fn check_row(row: &str, files: &[File]) -> Result<(), String> {
    let comment =
        row.split_once("<!--").and_then(|(_, rest)| rest.split_once("-->")).map(|(comment, _)| comment.trim());
    let comment = comment.ok_or("names no constant: `<!-- path/of/file.rs NAME -->`")?;
    let (path, name) = comment.split_once(' ').ok_or("names a file and a constant: `<!-- path/of/file.rs NAME -->`")?;
    let file = files.iter().find(|file| file.name == path).ok_or_else(|| format!("file `{path}` not found"))?;
    let written = value_of(&file.text, name).ok_or_else(|| format!("`{path}` does not define `{name}`"))?;
    let value = evaluate(written).ok_or_else(|| format!("`{name}` is `{written}`, not a plain number"))?;
    let cell = row.split('|').nth(2).unwrap_or_default().trim();
    match stated(cell) {
        Some(stated) if stated == value => Ok(()),
        _ => Err(format!("has `{cell}`, but `{name}` in `{path}` is `{written}`")),
    }
}

/// Returns the expression behind `NAME: TYPE = `, or behind the field `NAME: `.
fn value_of<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let begins = |at: usize| !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.');
    let is_comment = |at: usize| text[..at].lines().next_back().is_some_and(|line| line.trim_start().starts_with("//"));
    let places = text.match_indices(name).filter(|(at, _)| begins(*at) && !is_comment(*at));
    let values = places.filter_map(|(at, _)| {
        let rest = text[at + name.len()..].strip_prefix(':')?.lines().next()?;
        match rest.split_once(" = ") {
            Some((_, value)) => value.strip_suffix(';'),
            None => Some(end_of_field(rest)),
        }
    });
    values.map(str::trim).find(|value| evaluate(value).is_some())
}

/// Returns the value of a field: the text up to the comma or bracket that ends it.
fn end_of_field(rest: &str) -> &str {
    let mut depth = 0;
    let end = rest.find(|c| {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return true,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    });
    &rest[..end.unwrap_or(rest.len())]
}

/// Evaluates a number, a product or shift of numbers, or a duration, in milliseconds.
fn evaluate(written: &str) -> Option<u128> {
    let written = written.trim();
    for (unit, milliseconds) in [("from_secs(", 1000), ("from_millis(", 1)] {
        if let Some((_, number)) = written.split_once(unit) {
            return Some(evaluate(number.strip_suffix(')')?)? * milliseconds);
        }
    }
    if let Some(inner) = written.strip_prefix("Some(") {
        return evaluate(inner.strip_suffix(')')?);
    }
    if let Some((number, shift)) = written.split_once("<<") {
        return evaluate(number)?.checked_shl(u32::try_from(evaluate(shift)?).ok()?);
    }
    if let Some((one, other)) = written.split_once('*') {
        return evaluate(one)?.checked_mul(evaluate(other)?);
    }
    written.replace('_', "").parse().ok()
}

/// Returns the value that a cell begins with: `16 MiB`, `1,000,000`, `30 s`, `24 h`.
fn stated(cell: &str) -> Option<u128> {
    let mut words = cell.split([' ', ';']);
    let number: u128 = words.next()?.replace(',', "").parse().ok()?;
    let unit = match words.next().unwrap_or_default().trim_end_matches([',', '.', ':']) {
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        "s" => 1000,
        "min" => 60 * 1000,
        "h" => 60 * 60 * 1000,
        _ => 1,
    };
    number.checked_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_that_says_another_value_is_named() {
        let code = "/// Here steps: 7 is an example.\nconst MOST: usize = 16 << 20;\nconst WAIT: Duration = Duration::from_secs(24 * 60 * 60);\n\
                    Options { max_body: 1 << 20, steps: 10_000_000, time: Duration::from_secs(1), kept: Some(4_096) }\n";
        let rows = [
            ("16 MiB", "MOST", true),
            ("24 h", "WAIT", true),
            ("1 MiB, of a body", "max_body", true),
            ("10,000,000", "steps", true),
            ("1 s", "time", true),
            ("4 KiB", "kept", true),
            ("17 MiB", "MOST", false),
            ("16", "MOST", false),
            ("many", "MOST", false),
            ("16 MiB", "LEAST", false),
        ];
        for (cell, name, is_right) in rows {
            let page = format!("| Limit | Default |\n|---|---|\n| text | {cell} | <!-- a.rs {name} -->\n");
            let files = [(PAGE, &*page), ("a.rs", code)];
            let files = files.map(|(name, text)| File { name: name.to_owned(), text: text.to_owned() });
            assert_eq!(check(&files).is_empty(), is_right, "{cell} {name}: {:?}", check(&files));
        }
    }

    #[test]
    fn a_row_without_a_constant_is_named() {
        for row in ["| a | 1 |", "| a | soon | <!-- b.rs C -->"] {
            let text = format!("| Limit | Default |\n|---|---|\n{row}\n");
            assert!(!check(&[File { name: PAGE.to_owned(), text }]).is_empty(), "{row}");
        }
    }
}

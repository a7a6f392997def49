//! Differences between two texts, line by line.

/// The most changed lines of each text that are compared line by line. Longer changes are shown as
/// removed and added as a whole.
const MOST: usize = 4_000;
/// The number of unchanged lines that are shown around a change.
const CONTEXT: usize = 3;

/// Returns the changed lines with `-` or `+` before them. A `…` stands for lines that are left
/// out. The result is empty for equal texts.
pub fn diff(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let start = old.iter().zip(&new).take_while(|(left, right)| left == right).count();
    let tail =
        old[start..].iter().rev().zip(new[start..].iter().rev()).take_while(|(left, right)| left == right).count();
    let (changed_old, changed_new) = (&old[start..old.len() - tail], &new[start..new.len() - tail]);
    if changed_old.is_empty() && changed_new.is_empty() {
        return String::new();
    }
    let mut lines: Vec<(char, &str)> = old[..start].iter().map(|line| (' ', *line)).collect();
    lines.extend(compare(changed_old, changed_new));
    lines.extend(old[old.len() - tail..].iter().map(|line| (' ', *line)));
    with_context(&lines)
}

/// Returns the shortest edit script from `old` to `new`, by a table of longest common
/// subsequences.
fn compare<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<(char, &'t str)> {
    if old.len() > MOST || new.len() > MOST {
        let removed = old.iter().map(|line| ('-', *line));
        return removed.chain(new.iter().map(|line| ('+', *line))).collect();
    }
    let width = new.len() + 1;
    let mut common = vec![0u16; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            common[i * width + j] = match old[i] == new[j] {
                true => common[(i + 1) * width + j + 1] + 1,
                false => common[(i + 1) * width + j].max(common[i * width + j + 1]),
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut lines = Vec::with_capacity(old.len() + new.len());
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            lines.push((' ', old[i]));
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || i < old.len() && common[(i + 1) * width + j] >= common[i * width + j + 1] {
            lines.push(('-', old[i]));
            i += 1;
        } else {
            lines.push(('+', new[j]));
            j += 1;
        }
    }
    lines
}

fn with_context(lines: &[(char, &str)]) -> String {
    let near = |at: usize| {
        let around = at.saturating_sub(CONTEXT)..(at + CONTEXT + 1).min(lines.len());
        lines[around].iter().any(|(mark, _)| *mark != ' ')
    };
    let mut text = String::new();
    let mut left_out = false;
    for (at, (mark, line)) in lines.iter().enumerate() {
        if near(at) {
            text.push_str(if left_out { "…\n" } else { "" });
            text.push_str(&format!("{mark} {line}\n"));
        }
        left_out = !near(at);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_shown_with_what_is_around_them() {
        let old = "a\nb\nc\nd\ne\nf\ng\nh\ni\n";
        assert_eq!(diff(old, old), "");
        let new = "a\nb\nc\nd\ne\nx\ng\nh\ni\ny\n";
        assert_eq!(diff(old, new), "…\n  c\n  d\n  e\n- f\n+ x\n  g\n  h\n  i\n+ y\n");
        assert_eq!(diff("", "a"), "+ a\n");
        assert_eq!(diff("a", ""), "- a\n");
        let long: String = (0..5000).map(|at| format!("{at}\n")).collect();
        let other: String = (0..5000).map(|at| format!("{}\n", at + 1)).collect();
        assert!(diff(&long, &other).lines().count() > 5000);
    }
}

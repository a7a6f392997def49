//! Commands on pages work as they are: a shell does not expand a variable in single quotes.

use super::File;

/// Text before a single quote in which a variable is meant for another shell: the shell that runs
/// the task.
const COMMAND_OF_A_TASK: &str = "--task ";

/// Returns the commands of pages that have a variable in single quotes.
pub fn check(files: &[File]) -> Vec<String> {
    files.iter().filter(|file| file.name.ends_with(".md")).flat_map(check_page).collect()
}

fn check_page(page: &File) -> Vec<String> {
    let mut broken = Vec::new();
    let mut lines = page.text.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        if line != "```sh" {
            continue;
        }
        let block: Vec<&str> = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
        for (offset, variable) in unexpanded(&block.join("\n")) {
            let name = &page.name;
            let line = at + 2 + offset;
            broken.push(format!(
                "{name}:{line}: the shell does not expand `{variable}` in single quotes: use double quotes"
            ));
        }
    }
    broken
}

/// Returns the variables in single quotes, each with the number of its line, from 0.
fn unexpanded(block: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut rest = block.char_indices();
    let mut in_double = false;
    while let Some((at, c)) = rest.next() {
        match c {
            '\\' => {
                rest.next();
            }
            '"' => in_double = !in_double,
            '\'' if !in_double => {
                let text = &block[at + 1..];
                let text = &text[..text.find('\'').unwrap_or(text.len())];
                if !block[..at].ends_with(COMMAND_OF_A_TASK) {
                    found.extend(variables(text).map(|(offset, name)| {
                        let before = &block[..at + 1 + offset];
                        (before.matches('\n').count(), name)
                    }));
                }
                rest.by_ref().find(|(_, c)| *c == '\'');
            }
            _ => {}
        }
    }
    found
}

/// Returns the variables in a text whose names begin with a capital letter, each with its offset:
/// `$ID`, `${ID}`.
fn variables(text: &str) -> impl Iterator<Item = (usize, String)> {
    text.match_indices('$').filter_map(|(at, _)| {
        let name = text[at + 1..].trim_start_matches('{');
        let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(name.len());
        name.starts_with(|c: char| c.is_ascii_uppercase()).then(|| (at, format!("${}", &name[..end])))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(block: &str) -> Vec<String> {
        check(&[File { name: "docs/a.md".to_owned(), text: format!("# A\n\n```sh\n{block}\n```\n") }])
    }

    #[test]
    fn variables_in_single_quotes_are_found() {
        let found = problems("cd a\ncurl 'http://127.0.0.1/executions/$ID/result?wait=30s'");
        let message = "the shell does not expand `$ID` in single quotes: use double quotes";
        assert_eq!(found, [format!("docs/a.md:5: {message}")]);
        assert_eq!(problems("a \"b\" 'c\n${ID} d'").len(), 1);
    }

    #[test]
    fn other_dollar_signs_are_not() {
        for block in [
            "curl \"http://127.0.0.1/executions/$ID\" -d '{\"by\": \"ada\"}'",
            "echo \"it's $ID\" 'a'",
            "run --task 'Charge=echo \"$WORKFLOW_ATTEMPT\"'",
            "run --correlate 'patient=$.patient'",
            "echo \\'$ID\\'",
        ] {
            assert_eq!(problems(block), [""; 0], "{block}");
        }
        let text = "```text\n'$ID'\n```\n".to_owned();
        assert!(check(&[File { name: "docs/a.md".to_owned(), text }]).is_empty());
    }
}

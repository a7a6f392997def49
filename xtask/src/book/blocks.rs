//! The blocks of code of a Markdown page, each with its origin.

/// A block of code.
pub struct Block {
    /// The line of the page at which the block starts.
    pub line: usize,
    /// The origin of the block.
    pub origin: Origin,
    /// The text of the block.
    pub text: String,
}

/// The origin or the purpose of a block: the HTML comment before it.
#[derive(Debug, PartialEq, Eq)]
pub enum Origin {
    /// `run`: commands that succeed in a checkout.
    Run,
    /// `not run: why`: commands that nothing runs.
    NotRun,
    /// `output of: command`: a part of the output of the command.
    Output(String),
    /// `file: path`: a part of the file, line by line.
    File(String),
    /// `manifest of: name`: the dependencies in a manifest.
    Manifest(String),
    /// `definition: name`: a workflow definition.
    Definition(String),
    /// `what check says`: the diagnostics of the definition before.
    Findings,
    /// `tutorial file: path`: a file that the reader of the tutorial writes.
    TutorialFile(String),
    /// `tutorial run`, `tutorial run: exit status 1`: commands of the tutorial, and the exit
    /// status of the last of them.
    TutorialRun(i32),
    /// `tutorial prints`: the output of the commands before.
    TutorialPrints,
}

/// Returns the blocks of a page. Fails if one has no origin.
pub fn blocks(page: &str) -> Result<Vec<Block>, String> {
    let mut blocks = Vec::new();
    let mut lines = page.lines().enumerate();
    let mut before = "";
    while let Some((at, line)) = lines.next() {
        if !line.starts_with("```") {
            if line.trim_start().starts_with("```") {
                return Err(format!("line {}: an indented block is not checked: move it out of the list", at + 1));
            }
            before = line;
            continue;
        }
        let inside: Vec<&str> = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
        let line = at + 1;
        let origin = origin(before).ok_or_else(|| format!("line {line}: the block has no comment with its origin"))?;
        let text: String = inside.iter().flat_map(|line| [*line, "\n"]).collect();
        blocks.push(Block { line, origin, text });
    }
    Ok(blocks)
}

fn origin(line: &str) -> Option<Origin> {
    let comment = line.strip_prefix("<!-- ")?.strip_suffix(" -->")?;
    let (kind, what) = comment.split_once(": ").unwrap_or((comment, ""));
    Some(match kind {
        "run" => Origin::Run,
        "not run" => Origin::NotRun,
        "output of" => Origin::Output(what.to_owned()),
        "file" => Origin::File(what.to_owned()),
        "manifest of" => Origin::Manifest(what.to_owned()),
        "definition" => Origin::Definition(what.to_owned()),
        "what check says" => Origin::Findings,
        "tutorial file" => Origin::TutorialFile(what.to_owned()),
        "tutorial run" if what.is_empty() => Origin::TutorialRun(0),
        "tutorial run" => Origin::TutorialRun(what.strip_prefix("exit status ")?.parse().ok()?),
        "tutorial prints" => Origin::TutorialPrints,
        _ => return None,
    })
}

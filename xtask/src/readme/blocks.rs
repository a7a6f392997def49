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
}

/// Returns the blocks of a page. Fails if one has no origin.
pub fn blocks(page: &str) -> Result<Vec<Block>, String> {
    let mut blocks = Vec::new();
    let mut lines = page.lines().enumerate();
    let mut before = "";
    while let Some((at, line)) = lines.next() {
        if !line.starts_with("```") {
            before = line;
            continue;
        }
        let inside: Vec<&str> = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
        let line = at + 1;
        let origin = origin(before).ok_or_else(|| format!("line {line}: nothing says where this code comes from"))?;
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
        _ => return None,
    })
}

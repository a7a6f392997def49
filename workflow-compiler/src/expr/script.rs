//! Functions that authors write into a definition in a language of their own.

/// Such a function, compiled.
#[derive(Debug, Clone)]
pub enum Script {
    /// A function of the program that takes its place, by its path.
    Rust(String),
}

impl Script {
    /// The variables around it that it mentions, in the order in which it takes them.
    pub fn variables(&self) -> Vec<String> {
        match self {
            Script::Rust(_) => Vec::new(),
        }
    }
}

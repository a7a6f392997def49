//! The file of effects: one line for each action of the process outside of the engine, in the
//! order of the actions. One system call writes a line, so that a kill afterwards cannot lose it.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::Path;

use workflow_runtime::{CloudEvent, value};

/// The writer of the file of effects.
pub struct Effects {
    effects: File,
    tokens: File,
}

/// The prefix of a token whose task waits for no outcome. The execution waits for an event.
const SEND: &str = "send:";

/// A task that waits for an outcome.
pub struct Asked {
    /// Its idempotency key.
    pub key: String,
    /// The token.
    pub token: String,
    /// The number in its input.
    pub n: i64,
}

impl Asked {
    /// Returns a task whose execution waits for an event.
    pub fn for_event(key: String, execution: &str, n: i64) -> Asked {
        Asked { key, token: format!("{SEND}{execution}"), n }
    }

    /// Returns the execution that waits for an event, and the event.
    pub fn event(&self) -> Option<(&str, CloudEvent)> {
        let event = CloudEvent::new("1", "/crash", "deal.sent");
        let data = value!({ "key": self.key.as_str(), "n": self.n + 1 });
        Some((self.token.strip_prefix(SEND)?, event.data(data)))
    }
}

impl Effects {
    /// Opens the files in this folder and appends to them. Returns the tokens that were issued and
    /// not used.
    pub fn open(folder: &Path) -> io::Result<(Effects, Vec<Asked>)> {
        let append = |name: &str| OpenOptions::new().create(true).append(true).read(true).open(folder.join(name));
        let (effects, tokens) = (append("effects")?, append("tokens")?);
        let mut asked: Vec<Asked> = Vec::new();
        for line in BufReader::new(&tokens).lines() {
            let line = line?;
            let words: Vec<&str> = line.split(' ').collect();
            match words[..] {
                ["asked", key, token, n] if !asked.iter().any(|asked| asked.token == token) => {
                    let (key, token) = (key.to_owned(), token.to_owned());
                    asked.push(Asked { key, token, n: n.parse().unwrap_or_default() });
                }
                ["used", token] => asked.retain(|asked| asked.token != token),
                _ => {}
            }
        }
        Ok((Effects { effects, tokens }, asked))
    }

    /// Appends an effect.
    pub fn note(&self, line: &str) {
        (&self.effects).write_all(format!("{line}\n").as_bytes()).expect("effects can be written");
    }

    /// Records a token before it can be used.
    pub fn asked(&self, asked: &Asked) {
        let Asked { key, token, n } = asked;
        (&self.tokens).write_all(format!("asked {key} {token} {n}\n").as_bytes()).expect("tokens can be written");
    }

    /// Records that a token was used, or that nobody waits for it any more.
    pub fn used(&self, token: &str) {
        (&self.tokens).write_all(format!("used {token}\n").as_bytes()).expect("tokens can be written");
    }
}

//! The command-line arguments of `cargo xtask crash`.

/// The engine whose processes are killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// The embedded engine on SQLite.
    Sqlite,
    /// The engine on Restate.
    Restate,
}

/// The arguments.
#[derive(Debug, PartialEq, Eq)]
pub struct Arguments {
    /// The engine.
    pub engine: Which,
    /// The number of kills.
    pub kills: u64,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The number of Restate servers.
    pub nodes: usize,
}

impl Arguments {
    /// Reads the arguments.
    pub fn read(words: &[String]) -> Result<Arguments, String> {
        let mut read = Arguments { engine: Which::Sqlite, kills: 50, seed: 1, nodes: 1 };
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            let value = words.next().ok_or_else(|| format!("crash: `{word}` needs a value"))?;
            let number = || value.parse::<u64>().map_err(|_| format!("crash: `{value}` is not a number"));
            match word {
                "--engine" => {
                    read.engine = match value {
                        "sqlite" => Which::Sqlite,
                        "restate" => Which::Restate,
                        _ => return Err(format!("crash: unknown engine `{value}`: expected sqlite or restate")),
                    }
                }
                "--kills" => read.kills = number()?,
                "--seed" => read.seed = number()?,
                "--nodes" => read.nodes = number()?.clamp(1, 9) as usize,
                _ => {
                    return Err(format!(
                        "crash: unknown option `{word}`: expected --engine, --kills, --seed or --nodes"
                    ));
                }
            }
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Arguments, String> {
        Arguments::read(&text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn arguments_are_read_or_refused() {
        let all = Arguments { engine: Which::Restate, kills: 7, seed: 9, nodes: 3 };
        assert_eq!(read("--engine restate --kills 7 --seed 9 --nodes 3"), Ok(all));
        assert_eq!(read(""), Ok(Arguments { engine: Which::Sqlite, kills: 50, seed: 1, nodes: 1 }));
        for wrong in ["--engine other", "--kills many", "--kills", "--often 3"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}

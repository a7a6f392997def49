//! The command-line arguments of `cargo xtask crash`.

/// The engine whose processes are killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// The embedded engine on SQLite.
    Sqlite,
    /// The engine on Restate.
    Restate,
}

/// The workflows that the processes run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Workload {
    /// Executions of several kinds.
    Mixed,
    /// Distributed Maps over the rows of files.
    Map,
}

impl Workload {
    /// Returns the name of the workload.
    pub fn name(self) -> &'static str {
        match self {
            Workload::Mixed => "mixed",
            Workload::Map => "map",
        }
    }
}

/// The arguments.
#[derive(Debug, PartialEq, Eq)]
pub struct Arguments {
    /// The engine.
    pub engine: Which,
    /// The workload.
    pub workload: Workload,
    /// The number of kills.
    pub kills: u64,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The number of Restate servers, and of processes that serve distributed Maps.
    pub nodes: usize,
    /// The profile with which cargo builds the program that is killed.
    pub profile: String,
}

impl Arguments {
    /// Reads the arguments.
    pub fn read(words: &[String]) -> Result<Arguments, String> {
        let mut read = Arguments::default();
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
                "--workload" => {
                    read.workload = match value {
                        "mixed" => Workload::Mixed,
                        "map" => Workload::Map,
                        _ => return Err(format!("crash: unknown workload `{value}`: expected mixed or map")),
                    }
                }
                "--kills" => read.kills = number()?,
                "--seed" => read.seed = number()?,
                "--nodes" => read.nodes = number()?.clamp(1, 9) as usize,
                "--profile" => read.profile = value.to_owned(),
                _ => {
                    return Err(format!(
                        "crash: unknown option `{word}`: expected --engine, --workload, --kills, --seed, --nodes or --profile"
                    ));
                }
            }
        }
        Ok(read)
    }
}

impl Default for Arguments {
    fn default() -> Arguments {
        let profile = "dev".to_owned();
        Arguments { engine: Which::Sqlite, workload: Workload::Mixed, kills: 50, seed: 1, nodes: 1, profile }
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
        let (engine, profile) = (Which::Restate, "release".to_owned());
        let all = Arguments { engine, workload: Workload::Mixed, kills: 7, seed: 9, nodes: 3, profile };
        assert_eq!(read("--engine restate --workload mixed --kills 7 --seed 9 --nodes 3 --profile release"), Ok(all));
        assert_eq!(
            read(""),
            Ok(Arguments { engine: Which::Sqlite, kills: 50, seed: 1, nodes: 1, ..Arguments::default() })
        );
        let map = Arguments { workload: Workload::Map, ..Arguments::default() };
        assert_eq!(read("--workload map --engine sqlite"), Ok(map));
        for (wrong, message) in [
            ("--engine other", "unknown engine `other`: expected sqlite or restate"),
            ("--workload rows", "unknown workload `rows`: expected mixed or map"),
            ("--kills many", "`many` is not a number"),
            ("--kills", "`--kills` needs a value"),
            ("--often 3", "unknown option `--often`"),
        ] {
            let refused = read(wrong).expect_err(wrong);
            assert!(refused.contains(message), "{wrong}: {refused}");
        }
    }
}

//! The engines that are compared, with the versions that the files of `benchmarks/peers` pin.

/// An engine.
pub struct Engine {
    /// The name in the answers of its process.
    pub name: &'static str,
    /// The name in the table.
    pub shown: &'static str,
}

/// The engines, in the order of the tables.
pub const ENGINES: [Engine; 10] = [
    Engine { name: "ours", shown: "this project" },
    Engine { name: "ours without history", shown: "this project, without history" },
    Engine { name: "plain", shown: "a plain `async fn`, without a runtime" },
    Engine { name: "asl", shown: "asl 0.2.0, Rust" },
    Engine { name: "aws-local-stepfunctions", shown: "aws-local-stepfunctions 3.0.0, Node.js" },
    Engine { name: "sfnx", shown: "sfnx 3.1.0, Python" },
    Engine { name: "moto", shown: "moto 5.2.5, Python" },
    Engine { name: "dbos-sqlite", shown: "DBOS 3.4.0, Python, SQLite" },
    Engine { name: "dbos-postgres", shown: "DBOS 3.4.0, Python, PostgreSQL" },
    Engine { name: "duroxide", shown: "duroxide 0.1.32, Rust, SQLite" },
];

#[cfg(test)]
mod tests {
    use super::ENGINES;
    use crate::workspace::{read, root};

    #[test]
    fn the_tables_show_the_pinned_versions() {
        let folder = root().join("benchmarks/peers");
        for (name, file, before) in [
            ("asl", "Cargo.toml", "asl = \"="),
            ("aws-local-stepfunctions", "node/package.json", "\"aws-local-stepfunctions\": \""),
            ("sfnx", "python/requirements.txt", "sfnx=="),
            ("moto", "python/requirements.txt", "moto=="),
            ("dbos-sqlite", "python/requirements.txt", "dbos=="),
            ("dbos-postgres", "python/requirements.txt", "dbos=="),
            ("duroxide", "duroxide/Cargo.toml", "version = \"="),
        ] {
            let text = read(&folder.join(file)).unwrap();
            let version = text.split_once(before).unwrap().1.split(['"', '\n']).next().unwrap();
            let engine = ENGINES.iter().find(|engine| engine.name == name).unwrap();
            assert!(engine.shown.contains(&format!(" {version}, ")), "{version}: {}", engine.shown);
        }
    }
}

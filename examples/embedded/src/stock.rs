//! The stock: a database of the shop, which workflows and requests share.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior, params};
use serde::{Deserialize, Serialize};
use workflow_runtime::{Fault, OrFault};

/// Pieces of an item.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Line {
    /// The item.
    pub item: String,
    /// The number of pieces.
    pub pieces: u32,
}

/// A parcel that a person has to pack.
#[derive(Debug, Deserialize, Serialize)]
pub struct Parcel {
    /// The task token by which the order continues.
    pub token: String,
    /// The contents.
    #[serde(flatten)]
    pub line: Line,
}

/// The stock. A clone has the same connection.
#[derive(Debug, Clone)]
pub struct Stock(Arc<Mutex<Connection>>);

impl Stock {
    /// Opens the database of the stock.
    ///
    /// # Errors
    ///
    /// Fails if SQLite cannot open or write the file.
    pub fn open(path: impl AsRef<Path>) -> rusqlite::Result<Stock> {
        let connection = Connection::open(path)?;
        connection.execute_batch(
            "CREATE TABLE IF NOT EXISTS changes (key TEXT PRIMARY KEY, item TEXT, pieces INTEGER) STRICT;
             CREATE TABLE IF NOT EXISTS parcels (token TEXT PRIMARY KEY, item TEXT, pieces INTEGER) STRICT;",
        )?;
        Ok(Stock(Arc::new(Mutex::new(connection))))
    }

    /// Runs a transaction on a thread for blocking calls. SQLite would otherwise stop the thread
    /// on which tasks and requests run.
    async fn write<T: Send + 'static>(
        &self,
        write: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, Fault> {
        let stock = self.0.clone();
        let written = tokio::task::spawn_blocking(move || {
            let mut connection = stock.lock().unwrap_or_else(PoisonError::into_inner);
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let result = write(&transaction)?;
            transaction.commit()?;
            Ok::<T, rusqlite::Error>(result)
        });
        written.await.or_fault("StockClosed")?.or_fault("StockClosed")
    }

    /// Adds pieces. A second call with the same key adds nothing.
    ///
    /// # Errors
    ///
    /// Fails with `StockClosed` if the database cannot be written.
    pub async fn add(&self, key: String, line: Line) -> Result<(), Fault> {
        self.write(move |stock| change(stock, &key, &line.item, line.pieces.into())).await
    }

    /// Takes pieces. A second call with the same key takes nothing.
    ///
    /// # Errors
    ///
    /// Fails with `SoldOut` if there are too few, and with `StockClosed` if the database cannot be
    /// written.
    pub async fn take(&self, key: String, line: Line) -> Result<(), Fault> {
        let Line { item, pieces } = line.clone();
        let taken = self.write(move |stock| {
            let known = "SELECT 1 FROM changes WHERE key = ?1";
            let is_repeated = stock.query_row(known, [&key], |_| Ok(())).optional()?.is_some();
            if !is_repeated && count(stock, &item)? < i64::from(pieces) {
                return Ok(false);
            }
            change(stock, &key, &item, -i64::from(pieces))?;
            Ok(true)
        });
        match taken.await? {
            true => Ok(()),
            false => Err(Fault::new("SoldOut", format!("there are no {} pieces of {}", line.pieces, line.item))),
        }
    }

    /// Returns the number of pieces of an item.
    ///
    /// # Errors
    ///
    /// Fails with `StockClosed` if the database cannot be read.
    pub async fn count(&self, item: String) -> Result<i64, Fault> {
        self.write(move |stock| count(stock, &item)).await
    }

    /// Puts a parcel on the list. A repeated call has no effect.
    ///
    /// # Errors
    ///
    /// Fails with `StockClosed` if the database cannot be written.
    pub async fn list_parcel(&self, parcel: Parcel) -> Result<(), Fault> {
        self.write(move |stock| {
            let Parcel { token, line: Line { item, pieces } } = parcel;
            let text = "INSERT INTO parcels (token, item, pieces) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
            stock.execute(text, params![token, item, pieces]).map(|_| ())
        })
        .await
    }

    /// Removes a parcel from the list.
    ///
    /// # Errors
    ///
    /// Fails with `StockClosed` if the database cannot be written.
    pub async fn remove_parcel(&self, token: String) -> Result<(), Fault> {
        self.write(move |stock| stock.execute("DELETE FROM parcels WHERE token = ?1", [token]).map(|_| ())).await
    }

    /// Returns the parcels that are not packed.
    ///
    /// # Errors
    ///
    /// Fails with `StockClosed` if the database cannot be read.
    pub async fn parcels(&self) -> Result<Vec<Parcel>, Fault> {
        self.write(|stock| {
            let mut rows = stock.prepare("SELECT token, item, pieces FROM parcels ORDER BY rowid")?;
            let parcel = |row: &rusqlite::Row<'_>| {
                Ok(Parcel { token: row.get(0)?, line: Line { item: row.get(1)?, pieces: row.get(2)? } })
            };
            rows.query_map([], parcel)?.collect()
        })
        .await
    }
}

fn count(stock: &Transaction<'_>, item: &str) -> rusqlite::Result<i64> {
    stock.query_row("SELECT coalesce(sum(pieces), 0) FROM changes WHERE item = ?1", [item], |row| row.get(0))
}

fn change(stock: &Transaction<'_>, key: &str, item: &str, pieces: i64) -> rusqlite::Result<()> {
    let text = "INSERT INTO changes (key, item, pieces) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
    stock.execute(text, params![key, item, pieces]).map(|_| ())
}

//! The listing of a folder, in the order of the keys' bytes.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::UNIX_EPOCH;
use std::vec;

use workflow_runtime::Str;

use super::folder::{blocking, etag_of};
use super::folder_key::{UPLOAD, path_of, refusal};
use super::{ObjectInfo, PAGE, Parts, Pending, StoreError, StoreErrorKind};

/// The pages of a folder. In memory are the names of the open folders: those from the root to the
/// one that is read.
pub(super) struct FolderPages(Option<Walk>);

struct Walk {
    folder: PathBuf,
    prefix: String,
    after: Option<String>,
    /// The rest of each open folder, innermost last. `None` before the first page.
    open: Option<Vec<vec::IntoIter<String>>>,
}

impl FolderPages {
    /// Creates the listing of a prefix, behind a key.
    pub(super) fn new(folder: PathBuf, prefix: &str, after: Option<&str>) -> FolderPages {
        FolderPages(Some(Walk { folder, prefix: prefix.to_owned(), after: after.map(str::to_owned), open: None }))
    }
}

impl Parts<Vec<ObjectInfo>> for FolderPages {
    fn next(&mut self) -> Pending<'_, Result<Option<Vec<ObjectInfo>>, StoreError>> {
        Box::pin(async move {
            let Some(mut walk) = self.0.take() else { return Ok(None) };
            let (walk, page) = blocking(move || {
                let page = walk.page()?;
                Ok((walk, page))
            })
            .await?;
            self.0 = Some(walk);
            Ok(Some(page).filter(|page| !page.is_empty()))
        })
    }
}

impl Walk {
    fn page(&mut self) -> Result<Vec<ObjectInfo>, StoreError> {
        let mut open = match self.open.take() {
            Some(open) => open,
            None => vec![self.names("")?],
        };
        let mut page = Vec::new();
        while page.len() < PAGE {
            let Some(innermost) = open.last_mut() else { break };
            match innermost.next() {
                None => drop(open.pop()),
                Some(folder) if folder.ends_with('/') => open.push(self.names(&folder)?),
                Some(key) => page.extend(self.info(key)?),
            }
        }
        self.open = Some(open);
        Ok(page)
    }

    /// Returns the keys in a folder and the folders in it, which end with a slash, in order. With
    /// the slash, the names have the order of the keys.
    fn names(&self, folder: &str) -> Result<vec::IntoIter<String>, StoreError> {
        let failed = |error: io::Error| StoreError::of_file(error, "list", folder);
        let entries = match fs::read_dir(self.folder.join(folder)) {
            Ok(entries) => entries,
            // The folder was removed after its name was read. The bucket itself must exist.
            Err(error) if error.kind() == io::ErrorKind::NotFound && !folder.is_empty() => {
                return Ok(Vec::new().into_iter());
            }
            Err(error) => {
                let kind = StoreError::of_file(error, "list", folder);
                return Err(match kind.kind() {
                    StoreErrorKind::NotFound => {
                        StoreError::with_source(StoreErrorKind::NotFound, "there is no such bucket", kind)
                    }
                    _ => kind,
                });
            }
        };
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name();
            let (name, is_text) = (name.to_string_lossy(), name.to_str().is_some());
            if name.starts_with(UPLOAD) {
                continue;
            }
            let key = format!("{folder}{name}");
            let is_folder = entry.file_type().map_err(failed)?.is_dir();
            let reason = refusal(&key).or((!is_text).then_some("its name is not UTF-8"));
            let key = if is_folder { key + "/" } else { key };
            match reason {
                _ if !self.wants(&key) => {}
                None => names.push(key),
                // Whoever reads the folder would miss the file.
                Some(reason) => {
                    let message = format!("the folder has a file that cannot be an object: {key:?}: {reason}");
                    return Err(StoreError::new(StoreErrorKind::Denied, message));
                }
            }
        }
        names.sort_unstable();
        Ok(names.into_iter())
    }

    /// Returns `true` if the key, or a key in the folder, belongs to the listing.
    fn wants(&self, key: &str) -> bool {
        let is_folder = key.ends_with('/');
        let prefixed = key.starts_with(&self.prefix) || is_folder && self.prefix.starts_with(key);
        let behind = self.after.as_deref().is_none_or(|after| key > after || is_folder && after.starts_with(key));
        prefixed && behind
    }

    /// Returns the description of a file. `None` if it is not one, or was removed.
    fn info(&self, key: String) -> Result<Option<ObjectInfo>, StoreError> {
        let path = path_of(&self.folder, &key)?;
        let metadata = match fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => metadata,
            Ok(_) => return Ok(None),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(StoreError::of_file(error, "list", &key)),
        };
        let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        Ok(Some(ObjectInfo {
            key: key.into(),
            etag: etag_of(&metadata),
            modified: i64::try_from(modified.unwrap_or_default().as_secs()).unwrap_or(i64::MAX),
            size: metadata.len(),
            class: Str::from_static("STANDARD"),
        }))
    }
}

//! Files that are written. In: a path and what is to stand there. Out: the whole of it or what stood there before, whatever ends
//! the process: it is written beside, and takes the place at once. An error names the file.

use super::exit::Failure;
use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// Writes a file, in place of one that may be there.
pub fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |error| Failure::input(format!("{} cannot be written: {error}", path.display()));
    replace(path, text.as_bytes()).map_err(failed)
}

/// Writes a file where none is.
pub fn create(path: &Path, text: &str) -> io::Result<()> {
    beside(path, text.as_bytes(), None)?.persist_noclobber(path)?;
    Ok(())
}

/// The same as [`write`], with the error as it is. Where a link leads to a file, the file is written; devices and pipes take
/// the text as it comes.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => {
            let target = fs::canonicalize(path)?;
            beside(&target, bytes, Some(found.permissions()))?.persist(&target)?;
        }
        Ok(found) if !found.is_dir() => File::options().write(true).open(path)?.write_all(bytes)?,
        _ => put(path, bytes)?,
    }
    Ok(())
}

/// The same in place of whatever is there, which is not opened.
pub fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    beside(path, bytes, None)?.persist(path)?;
    Ok(())
}

/// A file beside the one that is meant, with what is to stand there; gone again if it does not take its place.
fn beside(path: &Path, bytes: &[u8], permissions: Option<Permissions>) -> io::Result<NamedTempFile> {
    let folder =
        path.parent().filter(|folder| !folder.as_os_str().is_empty()).map_or(PathBuf::from("."), Path::to_owned);
    let mut file = named().tempfile_in(folder)?;
    file.write_all(bytes)?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    Ok(file)
}

/// As any other file would be made here, not for its owner alone.
#[cfg(unix)]
fn named() -> Builder<'static, 'static> {
    use std::os::unix::fs::PermissionsExt;
    let mut builder = Builder::new();
    builder.prefix(".pinion-").suffix(".tmp");
    // What the user's mask takes away is taken away.
    let builder = builder.permissions(Permissions::from_mode(0o666));
    std::mem::take(builder)
}

/// As any other file would be made here.
#[cfg(not(unix))]
fn named() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(".pinion-").suffix(".tmp");
    builder
}

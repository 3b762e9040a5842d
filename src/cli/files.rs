//! Writes files atomically: the content goes to a temporary file, which is then renamed. So a file has its old content or the new one,
//! even if the process is killed.
//!
//! Symbolic links are not followed, because a downloaded project may contain links to files outside the project. If the file itself is a
//! link, the link is replaced. A file in a linked folder is refused. The check begins at the outermost folder of the project: the current
//! folder, a checkout of a version control system, or a folder of the command line ([`Project`]). Links above that folder are trusted.
//!
//! A file that the command has read ([`note_input`]) is not replaced by an output of the command line ([`FileDraft`]).

use super::exit::{CommandError, Failure};
use super::limits::lock;
use std::collections::BTreeSet;
use std::fs::{self, File, Permissions};
use std::io::{self, Read, Stdout, Write};
use std::path::{Path, PathBuf, absolute};
use std::sync::Mutex;
use tempfile::{Builder, NamedTempFile};

/// Writes a file that the command line names, or replaces it. Devices, pipes and `-` are written directly.
pub fn write(path: &Path, text: &str) -> Result<(), CommandError> {
    FileDraft::open(path)?.write_and_keep(path, text)
}

/// Canonical paths of the regular files that the command has opened for reading.
static INPUTS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Records that the command reads a file, or the standard input if the path is `-`.
pub fn note_input(path: &Path) {
    // The link /dev/stdin leads to the file that the standard input is redirected from.
    let path = if path == Path::new("-") { Path::new("/dev/stdin") } else { path };
    if let Ok(path) = fs::canonicalize(path)
        && path.is_file()
    {
        lock(&INPUTS).insert(path);
    }
}

fn require_no_input(path: &Path) -> Result<(), Failure> {
    let is_input = fs::canonicalize(path).is_ok_and(|path| lock(&INPUTS).contains(&path));
    if !is_input {
        return Ok(());
    }
    let failure = Failure::usage(format!("{} is not written: the command reads this file", path.display()));
    Err(failure.help("choose another file for the output"))
}

/// A file that the command line names, while the program writes it. [`FileDraft::keep`] replaces the old file; dropping
/// the draft leaves the old file unchanged.
pub enum FileDraft {
    /// A temporary file in the same folder, and the path that it will get.
    Temporary(NamedTempFile, PathBuf),
    Device(File),
    StandardOutput(Stdout),
}

/// Returns true for the paths that mean the standard output: `-`, and the names that the system has for it.
pub fn is_standard_output(path: &Path) -> bool {
    ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|name| path == Path::new(name))
}

impl FileDraft {
    pub fn open(path: &Path) -> Result<FileDraft, Failure> {
        if is_standard_output(path) {
            return Ok(FileDraft::StandardOutput(io::stdout()));
        }
        require_no_input(path)?;
        let metadata = fs::symlink_metadata(path);
        // Links of the system, such as /dev/fd/3, lead to files that the user has opened. Such a file is not replaced.
        let is_opened = (path.starts_with("/dev") || path.starts_with("/proc"))
            && metadata.as_ref().is_ok_and(fs::Metadata::is_symlink);
        if !is_opened {
            Project::default().require_no_link(path)?;
        }
        let is_device = metadata.is_ok_and(|found| !found.is_file() && !found.is_dir() && !found.is_symlink());
        let draft = if is_opened || is_device {
            File::options().append(true).open(path).map(FileDraft::Device)
        } else {
            temporary_beside(path).map(|file| FileDraft::Temporary(file, path.to_owned()))
        };
        draft.map_err(|error| write_failure(path, &error))
    }

    pub fn write_and_keep(mut self, path: &Path, content: &str) -> Result<(), CommandError> {
        self.write_all(content.as_bytes()).map_err(|error| write_error(path, error))?;
        self.keep()
    }

    pub fn keep(self) -> Result<(), CommandError> {
        match self {
            FileDraft::Temporary(file, path) => Ok(persist(file, &path).map_err(|error| write_failure(&path, &error))?),
            FileDraft::Device(..) => Ok(()),
            FileDraft::StandardOutput(mut output) => Ok(output.flush()?),
        }
    }

    fn stream(&mut self) -> &mut dyn Write {
        match self {
            FileDraft::Temporary(file, _) => file,
            FileDraft::Device(file) => file,
            FileDraft::StandardOutput(output) => output,
        }
    }
}

impl Write for FileDraft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream().flush()
    }
}

/// The folders of a command line. A file below one of them is not written through a link.
#[derive(Clone, Debug, Default)]
pub struct Project {
    roots: Vec<PathBuf>,
}

/// Names of the entries that version control systems keep at the top of a checkout.
const CHECKOUT_ENTRIES: [&str; 5] = [".git", ".hg", ".jj", ".svn", ".pijul"];

impl Project {
    /// Creates the project of a command line with these files and folders. A folder, or the folder of a file, must not
    /// be a link.
    pub fn around(paths: &[PathBuf]) -> Project {
        let mut roots = Vec::new();
        for path in paths.iter().filter_map(|path| absolute(path).ok()) {
            let folder = if path.is_dir() { &path } else { path.parent().unwrap_or(&path) };
            // The parent is the root, so that the folder itself is checked.
            roots.push(folder.parent().unwrap_or(folder).to_owned());
        }
        Project { roots }
    }

    pub fn write(&self, path: &Path, text: &str) -> Result<(), Failure> {
        self.require_no_link(path)?;
        replace(path, text.as_bytes()).map_err(|error| write_failure(path, &error))
    }

    /// Creates a file and the missing folders. Fails if there is a file or a link with this name.
    pub fn create(&self, path: &Path, text: &str) -> Result<(), Failure> {
        self.require_no_link(path)?;
        match write_temporary(path, text.as_bytes()).and_then(|file| Ok(file.persist_noclobber(path)?)) {
            Ok(_) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let failure = Failure::usage(format!("{} exists already", path.display()));
                Err(failure.help("choose another name, or change that file"))
            }
            Err(error) => Err(write_failure(path, &error)),
        }
    }

    pub fn rename(&self, from: &Path, to: &Path) -> Result<(), Failure> {
        self.require_no_link(from)?;
        self.require_no_link(to)?;
        fs::rename(from, to).map_err(|error| Failure::input(format!("{} cannot be renamed: {error}", from.display())))
    }

    /// Deletes a file. If the path is a link, deletes the link.
    pub fn remove(&self, path: &Path) -> Result<(), Failure> {
        self.require_no_link(path)?;
        fs::remove_file(path).map_err(|error| Failure::input(format!("{} cannot be deleted: {error}", path.display())))
    }

    /// Fails if a folder between the root of the project and the file is a link.
    fn require_no_link(&self, path: &Path) -> Result<(), Failure> {
        let absolute = absolute(path).unwrap_or_default();
        let Some(folder) = absolute.parent() else { return Ok(()) };
        let Some(link) = link_between(&self.root_of(folder), folder) else { return Ok(()) };
        let target = fs::canonicalize(&link).map_or("nowhere".to_owned(), |target| target.display().to_string());
        let message = format!("{} is not written: {} is a link to {target}", path.display(), link.display());
        let help = "nothing is written through links: name the folder itself, or put a folder in the place of the link";
        Err(Failure::input(message).help(help))
    }

    /// Returns the outermost folder of the project that contains `folder`, or `folder` if it belongs to no project.
    fn root_of(&self, folder: &Path) -> PathBuf {
        let current = std::env::current_dir().unwrap_or_default();
        let roots = folder.ancestors().filter(|folder| {
            *folder == current
                || self.roots.iter().any(|root| root == folder)
                || CHECKOUT_ENTRIES.iter().any(|name| fs::symlink_metadata(folder.join(name)).is_ok())
        });
        roots.last().unwrap_or(folder).to_owned()
    }
}

/// Returns the folder that `PINION_CACHE` names, else the user's cache folder. Returns `None` if the user's cache folder has no absolute
/// path, because the cache must not go to the current folder unasked.
pub fn cache_folder() -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os("PINION_CACHE") {
        return Some(folder.into());
    }
    let folder = dirs::cache_dir()?;
    if folder.is_absolute() { Some(folder.join("pinion")) } else { None }
}

/// Writes or replaces the file `name` below the cache folder. No folder between the two may be a link.
pub fn write_to_cache(cache: &Path, name: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = cache.join(name);
    match link_between(cache, folder_of(&path)) {
        Some(link) => Err(io::Error::other(format!("{} is a link", link.display()))),
        None => replace(&path, bytes),
    }
}

/// Reads the text of a file of at most `max_bytes` bytes. Pipes and devices are refused, because they may block.
pub fn read_limited(path: &Path, max_bytes: u64) -> io::Result<String> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut text = String::new();
    let length = File::open(path)?.take(max_bytes + 1).read_to_string(&mut text)?;
    if length as u64 > max_bytes { Err(io::ErrorKind::InvalidData.into()) } else { Ok(text) }
}

/// Creates the error for a [`FileDraft`] that cannot be written. A closed standard output is no failure.
pub fn write_error(path: &Path, error: io::Error) -> CommandError {
    if is_standard_output(path) { error.into() } else { write_failure(path, &error).into() }
}

/// Creates the failure for a file that cannot be written. Removes the path of the temporary file from the message.
fn write_failure(path: &Path, error: &io::Error) -> Failure {
    let error = error.to_string();
    let reason = error.split_once(" at path ").map_or(error.as_str(), |(reason, _)| reason);
    Failure::input(format!("{} cannot be written: {reason}", path.display()))
}

/// Returns the first link on the path from `root` (exclusive) down to `folder` (inclusive).
fn link_between(root: &Path, folder: &Path) -> Option<PathBuf> {
    let mut path = root.to_owned();
    for component in folder.strip_prefix(root).ok()?.components() {
        path.push(component);
        if fs::symlink_metadata(&path).is_ok_and(|found| found.is_symlink()) {
            return Some(path);
        }
    }
    None
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    persist(write_temporary(path, bytes)?, path)
}

/// Writes a temporary file in the folder of `path`. Creates the folder if it is missing.
fn write_temporary(path: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    fs::create_dir_all(folder_of(path))?;
    let mut file = temporary_beside(path)?;
    file.write_all(bytes)?;
    Ok(file)
}

/// Returns the folder of a file; `.` for a name alone.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns the permissions of a file, and `None` for a link or a pipe.
fn permissions(path: &Path) -> Option<Permissions> {
    let metadata = fs::symlink_metadata(path).ok()?;
    if metadata.is_file() { Some(metadata.permissions()) } else { None }
}

/// Creates an empty temporary file in the folder of `path`, with the permissions of `path`.
fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".pinion-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // 0o666: everybody may read and write a new file. The system removes what the user's mask excludes.
        // 0o200: the owner may write, until `persist` restores the permissions of the old file.
        let mode = permissions(path).map_or(0o666, |found| found.mode() & 0o666 | 0o200);
        builder.permissions(Permissions::from_mode(mode));
    }
    builder.tempfile_in(folder_of(path))
}

/// Renames a temporary file to `path`, with the permissions of the file that it replaces.
fn persist(file: NamedTempFile, path: &Path) -> io::Result<()> {
    if let Some(permissions) = permissions(path) {
        file.as_file().set_permissions(permissions)?;
    }
    file.persist(path)?;
    Ok(())
}

//! Writes files. In: a path and its new content. Out: the file with the new content or the old one, never a part, whatever ends
//! the process: the content goes to a temporary file, which is then renamed. An error names the file.
//!
//! The folder may be a stranger's, so no link is followed. One in the place of a file is replaced, and where one stands for a
//! folder nothing is written. Folders are examined from the outermost one that belongs to the project: the current folder, a
//! checkout of a version control system, or what the command line names ([`Project`]). Links above it are the user's own.

use super::exit::Failure;
use std::fs::{self, File, Permissions};
use std::io::{self, Read, Stdout, Write};
use std::path::{Path, PathBuf, absolute};
use tempfile::{Builder, NamedTempFile};

/// Writes a file that the command line names, in place of one that may be there; devices and pipes take the text as it comes.
pub fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let mut draft = FileDraft::open(path)?;
    draft.write_all(text.as_bytes()).map_err(|error| unwritten(path, &error))?;
    draft.keep()
}

/// A file that the command line names, while it is written. It takes its place when it is kept; dropped, it leaves what was there.
pub enum FileDraft {
    /// A file beside the one that is meant.
    Beside(NamedTempFile, PathBuf),
    /// A device or a pipe.
    Device(File),
    /// The standard output, for the path `-`.
    Standard(Stdout),
}

/// Returns true for the path `-`, which stands for the standard output.
pub fn is_standard_output(path: &Path) -> bool {
    path == Path::new("-")
}

impl FileDraft {
    /// Begins a file.
    pub fn open(path: &Path) -> Result<FileDraft, Failure> {
        if is_standard_output(path) {
            return Ok(FileDraft::Standard(io::stdout()));
        }
        // The system's own links, such as /dev/stdout, lead to what the user has opened.
        let is_system = path.starts_with("/dev") || path.starts_with("/proc");
        let target = if is_system { fs::canonicalize(path).ok() } else { None };
        if !is_system {
            Project::default().admit(path)?;
        }
        match if is_system { fs::metadata(path) } else { fs::symlink_metadata(path) } {
            Ok(found) if !found.is_file() && !found.is_dir() && !found.is_symlink() => {
                File::options().write(true).open(path).map(FileDraft::Device)
            }
            _ => {
                let path = target.as_deref().unwrap_or(path);
                beside(path).map(|file| FileDraft::Beside(file, path.to_owned()))
            }
        }
        .map_err(|error| unwritten(path, &error))
    }

    /// Moves the file to its place.
    pub fn keep(self) -> Result<(), Failure> {
        match self {
            FileDraft::Beside(file, path) => persist(file, &path).map_err(|error| unwritten(&path, &error)),
            FileDraft::Device(..) => Ok(()),
            FileDraft::Standard(mut output) => output.flush().map_err(|error| unwritten(Path::new("-"), &error)),
        }
    }
}

impl Write for FileDraft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            FileDraft::Beside(file, _) => file.write(bytes),
            FileDraft::Device(file) => file.write(bytes),
            FileDraft::Standard(output) => output.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            FileDraft::Beside(file, _) => file.flush(),
            FileDraft::Device(file) => file.flush(),
            FileDraft::Standard(output) => output.flush(),
        }
    }
}

/// The files and folders that a command was given, and what lies around them.
#[derive(Clone, Debug, Default)]
pub struct Project {
    /// Nothing below these is written through a link.
    roots: Vec<PathBuf>,
}

/// Names that version control systems keep at the top of a checkout.
const CHECKOUT: [&str; 5] = [".git", ".hg", ".jj", ".svn", ".pijul"];

impl Project {
    /// The project of some files and folders: none of these folders, and no folder of these files, may be a link.
    pub fn around(named: &[PathBuf]) -> Project {
        let mut roots = Vec::new();
        for path in named.iter().filter_map(|path| absolute(path).ok()) {
            let folder = if path.is_dir() { Some(path.as_path()) } else { path.parent() };
            roots.extend(folder.map(|folder| folder.parent().unwrap_or(folder).to_owned()));
        }
        Project { roots }
    }

    /// Writes a file, in place of whatever is there; folders that are missing are made.
    pub fn write(&self, path: &Path, text: &str) -> Result<(), Failure> {
        self.admit(path)?;
        let written = make_folder(path).and_then(|()| replace(path, text.as_bytes()));
        written.map_err(|error| unwritten(path, &error))
    }

    /// Writes a file where none is, not even a link; folders that are missing are made.
    pub fn create(&self, path: &Path, text: &str) -> Result<(), Failure> {
        self.admit(path)?;
        let written = make_folder(path).and_then(|()| {
            let mut file = beside(path)?;
            file.write_all(text.as_bytes())?;
            Ok(file.persist_noclobber(path)?)
        });
        match written {
            Ok(_) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let failure = Failure::usage(format!("{} exists already", path.display()));
                Err(failure.help("choose another name, or change that file"))
            }
            Err(error) => Err(unwritten(path, &error)),
        }
    }

    /// Moves a file.
    pub fn rename(&self, from: &Path, to: &Path) -> Result<(), Failure> {
        self.admit(from)?;
        self.admit(to)?;
        fs::rename(from, to).map_err(|error| Failure::input(format!("{} cannot be renamed: {error}", from.display())))
    }

    /// Deletes a file, or the link in its place.
    pub fn remove(&self, path: &Path) -> Result<(), Failure> {
        self.admit(path)?;
        fs::remove_file(path).map_err(|error| Failure::input(format!("{} cannot be deleted: {error}", path.display())))
    }

    /// Refuses a file in a folder of the project that is a link, or lies behind one.
    fn admit(&self, path: &Path) -> Result<(), Failure> {
        let Some(link) = absolute(path).ok().and_then(|path| link_below(&self.root_of(path.parent()?), path.parent()?))
        else {
            return Ok(());
        };
        let target = fs::canonicalize(&link).map_or("nowhere".to_owned(), |target| target.display().to_string());
        let words = format!("{} is not written: {} is a link to {target}", path.display(), link.display());
        let help = "nothing is written through links: name the folder itself, or put a folder in the place of the link";
        Err(Failure::input(words).help(help))
    }

    /// The outermost folder of the project around a folder; the folder itself if it belongs to none.
    fn root_of(&self, folder: &Path) -> PathBuf {
        let here = std::env::current_dir().unwrap_or_default();
        let roots = folder.ancestors().filter(|folder| {
            *folder == here
                || self.roots.iter().any(|root| root == *folder)
                || CHECKOUT.iter().any(|name| fs::symlink_metadata(folder.join(name)).is_ok())
        });
        roots.last().unwrap_or(folder).to_owned()
    }
}

/// The user's cache folder, or the one that `PINION_CACHE` names. None if the home folder is not an absolute path: the current folder
/// is no place for a cache.
pub fn cache_folder() -> Option<PathBuf> {
    let own = std::env::var_os("PINION_CACHE").map(PathBuf::from);
    own.or_else(|| dirs::cache_dir().filter(|folder| folder.is_absolute()).map(|folder| folder.join("pinion")))
}

/// Writes a file below the cache folder, in place of whatever is there. No folder on the way may be a link.
pub fn put(cache: &Path, name: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = cache.join(name);
    match path.parent().and_then(|folder| link_below(cache, folder)) {
        Some(link) => Err(io::Error::other(format!("{} is a link", link.display()))),
        None => make_folder(&path).and_then(|()| replace(&path, bytes)),
    }
}

/// Reads the text of a file of at most `longest` bytes. Pipes and devices are not opened: they may never end, or never begin.
pub fn read(path: &Path, longest: u64) -> io::Result<String> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut text = String::new();
    let read = File::open(path)?.take(longest + 1).read_to_string(&mut text)?;
    if read as u64 > longest { Err(io::ErrorKind::InvalidData.into()) } else { Ok(text) }
}

/// Says that a file cannot be written. The path of the temporary file beside it, which the error may name, is left out.
pub fn unwritten(path: &Path, error: &io::Error) -> Failure {
    let error = error.to_string();
    let reason = error.split_once(" at path ").map_or(error.as_str(), |(reason, _)| reason);
    Failure::input(format!("{} cannot be written: {reason}", path.display()))
}

/// The first link on the way from a folder down to one below it.
fn link_below(root: &Path, folder: &Path) -> Option<PathBuf> {
    let mut at = root.to_owned();
    folder.strip_prefix(root).ok()?.components().find_map(|part| {
        at.push(part);
        fs::symlink_metadata(&at).is_ok_and(|found| found.is_symlink()).then(|| at.clone())
    })
}

fn make_folder(path: &Path) -> io::Result<()> {
    fs::create_dir_all(folder_of(path))
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = beside(path)?;
    file.write_all(bytes)?;
    persist(file, path)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The permissions of the file that is replaced. Those of a link or a pipe say nothing about it.
fn permissions(path: &Path) -> Option<Permissions> {
    fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file).map(|found| found.permissions())
}

/// Creates an empty file beside the given one, with the permissions of that one. It is deleted again unless it takes the other's place.
fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".pinion-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The system removes the permissions that the user's mask excludes.
        let mode = permissions(path).map_or(0o666, |found| found.mode() & 0o666 | 0o200);
        builder.permissions(Permissions::from_mode(mode));
    }
    builder.tempfile_in(folder_of(path))
}

/// Puts a file in its place, with the permissions of the one that it replaces.
fn persist(file: NamedTempFile, path: &Path) -> io::Result<()> {
    if let Some(permissions) = permissions(path) {
        file.as_file().set_permissions(permissions)?;
    }
    file.persist(path)?;
    Ok(())
}

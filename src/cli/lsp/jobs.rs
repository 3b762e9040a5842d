//! Work that takes a while. In: closures. Out: their answers as events, from threads of their own, so that the editor is served
//! meanwhile. Whoever asked can cancel; the work looks at a flag.

use super::wire::Event;
use crate::engine::Halt;
use lsp_server::{ErrorCode, RequestId};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread;

/// The most that run side by side.
const MOST: usize = 8;

/// What came of one.
pub struct Done {
    /// The request that it answers.
    pub id: RequestId,
    /// The answer.
    pub result: Found,
    flag: Flag,
}

/// What a job leaves.
#[derive(Default)]
pub struct Found {
    /// The answer to the request.
    pub value: Value,
    /// A line for the user, and whether all is well, if the editor does not show the answer itself.
    pub words: Option<(String, bool)>,
    /// Findings to show in a file.
    pub findings: Option<Findings>,
    /// An edit to make.
    pub edit: Option<Value>,
}

/// Findings of a test or a proof.
pub struct Findings {
    /// The file.
    pub uri: String,
    /// The text that they are about; they are dropped where it has changed meanwhile.
    pub text: String,
    /// Who found them: the findings of the same source are replaced.
    pub source: &'static str,
    /// As the protocol has them.
    pub list: Vec<Value>,
}

/// A flag that says stop. Searches want it to live for ever, so flags are used again.
type Flag = &'static AtomicBool;

/// What runs.
pub struct Jobs {
    tell: Sender<Event>,
    running: HashMap<RequestId, Flag>,
    free: Vec<Flag>,
}

impl Jobs {
    /// Nothing runs.
    pub fn new(tell: Sender<Event>) -> Jobs {
        Jobs { tell, running: HashMap::new(), free: Vec::new() }
    }

    /// Begins one.
    ///
    /// # Errors
    /// When too many run, or the system refuses a thread.
    pub fn begin(&mut self, id: RequestId, work: Box<dyn FnOnce(Halt) -> Found + Send>) -> Result<(), String> {
        if self.running.len() >= MOST {
            return Err(format!("{MOST} commands are running; wait for one, or cancel it"));
        }
        let flag = self.free.pop().unwrap_or_else(|| Box::leak(Box::new(AtomicBool::new(false))));
        flag.store(false, Ordering::Relaxed);
        let (tell, own) = (self.tell.clone(), id.clone());
        let started = thread::Builder::new().spawn(move || {
            let result = work(Halt { time: Some(flag), memory: None });
            let _ = tell.send(Event::Done(Done { id: own, result, flag }));
        });
        if let Err(error) = started {
            self.free.push(flag);
            return Err(format!("the system refuses a thread for this command: {error}; try again later"));
        }
        self.running.insert(id, flag);
        Ok(())
    }

    /// Asks one to stop.
    pub fn cancel(&self, id: &RequestId) {
        if let Some(flag) = self.running.get(id) {
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// Takes note of the end of one; the error where it was cancelled.
    pub fn end(&mut self, done: &Done) -> Option<ErrorCode> {
        self.running.remove(&done.id);
        self.free.push(done.flag);
        done.flag.load(Ordering::Relaxed).then_some(ErrorCode::RequestCanceled)
    }
}

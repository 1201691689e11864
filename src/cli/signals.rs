//! Ctrl-C and SIGTERM: the first asks for the best answer so far, the second ends the process. The
//! first is enough where somebody would have to read before the answer can be given.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use signal_hook::iterator::Signals;
use signal_hook::low_level::{emulate_default_handler, exit};

use super::exit::{Exit, Failure};
use super::files;
use super::output::write_under_way;

/// How often a second signal is looked for.
const PAUSE: Duration = Duration::from_millis(10);

/// How long one write may wait for a reader after a signal.
const PATIENCE: Duration = Duration::from_millis(300);

/// Whether a first signal only raises a flag.
static RAISES: AtomicBool = AtomicBool::new(false);

/// The flag that the first signal raises.
pub fn stop_flag() -> Result<Arc<AtomicBool>, Failure> {
    let raised: Arc<AtomicBool> = Arc::default();
    RAISES.store(true, Ordering::SeqCst);
    let registered = [SIGINT, SIGTERM]
        .into_iter()
        .try_for_each(|signal| flag::register(signal, Arc::clone(&raised)).map(drop));
    registered
        .and_then(|()| listen())
        .map_err(|reason| Failure::System(format!("cannot listen to signals: {reason}")))?;
    Ok(raised)
}

/// Sees to it that a signal leaves no half-written file behind.
pub fn listen() -> io::Result<()> {
    static LISTENING: AtomicBool = AtomicBool::new(false);
    if LISTENING.swap(true, Ordering::SeqCst) {
        return Ok(());
    }
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    let watcher = thread::Builder::new().name("signals".into());
    watcher.spawn(move || watch(&mut signals))?;
    Ok(())
}

/// Ends the process at the second signal, or when nobody takes what it has to say after the first.
fn watch(signals: &mut Signals) {
    let first: Vec<_> = signals.wait().collect();
    if let (false, Some(signal)) = (RAISES.load(Ordering::SeqCst), first.first()) {
        files::abandon();
        // It ends the process; if it does not, the exit below does.
        let _ = emulate_default_handler(*signal);
    } else if first.len() < 2 {
        wait_for_second(signals);
    }
    files::abandon();
    // Without the destructors of other threads, which are still at work.
    exit(Exit::Killed.code().into());
}

fn wait_for_second(signals: &mut Signals) {
    let mut since = (None, Instant::now());
    while signals.pending().next().is_none() {
        thread::sleep(PAUSE);
        let now = write_under_way();
        if now.is_none() || now != since.0 {
            since = (now, Instant::now());
        } else if since.1.elapsed() > PATIENCE {
            return;
        }
    }
}

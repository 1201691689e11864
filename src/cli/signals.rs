//! Ctrl-C and SIGTERM: the first asks for the best answer so far, the second ends the process.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::exit::{Exit, Failure};

/// The flag that the first signal raises.
pub fn stop_flag() -> Result<Arc<AtomicBool>, Failure> {
    let raised: Arc<AtomicBool> = Arc::default();
    for signal in [SIGINT, SIGTERM] {
        // Registered before the flag is raised by the same signal, so it fires from the second on.
        flag::register_conditional_shutdown(
            signal,
            Exit::Killed.code().into(),
            Arc::clone(&raised),
        )
        .and_then(|_| flag::register(signal, Arc::clone(&raised)))
        .map_err(|reason| Failure::System(format!("cannot listen to signals: {reason}")))?;
    }
    Ok(raised)
}

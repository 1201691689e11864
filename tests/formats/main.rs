//! The file formats, from the outside: every fault one by one, every instance, round trips.

mod instances;

/// The models that are shared beside the checkout, if they are there.
fn shared() -> Option<std::path::PathBuf> {
    let beside = || std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    let folder = std::env::var_os("QUIP_SHARED").map_or_else(beside, Into::into);
    folder.join("instances").is_dir().then_some(folder)
}

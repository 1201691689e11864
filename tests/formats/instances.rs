//! Every public instance reads, and survives both writers.

use std::path::{Path, PathBuf};

use quip::format::{Format, read_bytes, read_path, write_qip, write_qlp};

fn model_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name != "qbf") {
                model_files(&path, found);
            }
        } else if Format::of_file_name(&path.display().to_string()).is_some() {
            found.push(path);
        }
    }
}

#[test]
fn every_shared_instance_reads_and_survives_both_writers() {
    let Some(shared) = crate::shared() else {
        println!("skipped: no shared instances here; set QUIP_SHARED to their folder");
        return;
    };
    let mut files = Vec::new();
    model_files(&shared.join("instances"), &mut files);
    assert!(files.len() >= 200, "only {} files found", files.len());
    for path in files {
        let shown = path.display();
        let reading = read_path(&path).unwrap_or_else(|error| panic!("{shown}: {error}"));
        // Public instances are in the dialect, whatever they are called; the others are our own.
        let own = path
            .parent()
            .is_some_and(|folder| folder.ends_with("attack"));
        let format = if own { Format::Qip } else { Format::Qlp };
        assert_eq!(reading.format, format, "{shown}");
        let native = write_qip(&reading.program);
        let again = read_bytes("copy.qip", native.as_bytes()).unwrap();
        assert!(
            again.format == Format::Qip && again.program == reading.program,
            "{shown}"
        );
        let dialect = write_qlp(&reading.program).unwrap();
        let again = read_bytes("copy.qlp", dialect.as_bytes()).unwrap();
        assert!(
            again.format == Format::Qlp && again.program == reading.program,
            "{shown}"
        );
    }
}

//! The models of a suite: files by pattern, programs by generator.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use itertools::Itertools;

use super::plan::PlanError;
use super::suite::{InstanceGroup, Parameter};
use crate::format::{Beside, ReadError, read_bytes, read_path_beside, write_qip};
use crate::games::random::{RandomShape, random_program};
use crate::games::{Family, ParameterKind, family};
use crate::program::Program;

/// One model of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// What tables call it.
    pub name: String,
    /// What it has in common with others.
    pub family: String,
    /// By which it is recognised, wherever it comes from.
    pub fingerprint: String,
    /// Where it comes from.
    pub source: Source,
}

/// Where a model comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// A generator; the text of the model.
    Text(String),
}

/// The largest number of instances that one range may stand for.
const LONGEST_RANGE: u64 = 100_000;

impl Instance {
    /// The program, read or read again.
    pub fn program(&self) -> Result<Program, PlanError> {
        match &self.source {
            Source::File(path) => read(path, &Beside::of(path)),
            Source::Text(text) => parsed(&self.name, text.as_bytes()),
        }
    }
}

impl InstanceGroup {
    /// The instances of the group; paths are relative to `folder`.
    pub(super) fn instances(&self, folder: &Path) -> Result<Vec<Instance>, PlanError> {
        match &self.generate {
            Some(name) => self.generated(name, folder),
            None => {
                let patterns = self.files.iter();
                let found = patterns.map(|pattern| self.matching(pattern, folder));
                found.flatten_ok().collect()
            }
        }
    }

    fn matching(&self, pattern: &str, root: &Path) -> Result<Vec<Instance>, PlanError> {
        let wrong = |reason: String| PlanError::Pattern {
            pattern: pattern.to_owned(),
            reason,
        };
        let escaped = glob::Pattern::escape(&root.to_string_lossy());
        let whole = Path::new(&escaped).join(pattern);
        let paths =
            glob::glob(&whole.to_string_lossy()).map_err(|fault| wrong(fault.to_string()))?;
        let paths: Vec<PathBuf> = paths
            .try_collect()
            .map_err(|fault: glob::GlobError| wrong(fault.to_string()))?;
        if paths.is_empty() {
            return Err(wrong("no file is called like that".to_owned()));
        }
        paths
            .into_iter()
            .map(|path| self.file(path, root))
            .collect()
    }

    fn file(&self, path: PathBuf, root: &Path) -> Result<Instance, PlanError> {
        let parent = path.parent().and_then(Path::file_name);
        let folder = parent.map_or_else(|| "files".into(), |name| name.to_string_lossy());
        let file = path.file_name().map(|name| name.to_string_lossy());
        let data = self.data.iter().map(|name| root.join(name));
        let program = read(&path, &Beside::of(&path).with_data(data))?;
        // Runs get the model as it is with its data; without, they read the file.
        let with: String = self
            .data
            .iter()
            .map(|name| format!(" with {name}"))
            .collect();
        Ok(Instance {
            name: format!("{folder}/{}{with}", file.unwrap_or_default()),
            family: self.family.clone().unwrap_or_else(|| folder.into_owned()),
            fingerprint: program.fingerprint(),
            source: match self.data.is_empty() {
                true => Source::File(path),
                false => Source::Text(write_qip(&program)),
            },
        })
    }

    fn generated(&self, generator: &str, folder: &Path) -> Result<Vec<Instance>, PlanError> {
        let wrong = |reason: String| PlanError::Generator {
            generator: generator.to_owned(),
            reason,
        };
        let names: Vec<&str> = self.with.keys().map(String::as_str).collect();
        let values: Vec<Vec<String>> = self
            .with
            .values()
            .map(Parameter::values)
            .try_collect()
            .map_err(wrong)?;
        let mut instances = Vec::new();
        for chosen in combinations(&values) {
            let given: BTreeMap<&str, &str> = names.iter().copied().zip(chosen).collect();
            let program = generate(generator, &given, folder).map_err(wrong)?;
            let shown = given.iter().map(|(name, value)| format!("{name}={value}"));
            instances.push(Instance {
                name: format!("{generator}({})", shown.format(" ")),
                family: self.family.clone().unwrap_or_else(|| generator.to_owned()),
                fingerprint: program.fingerprint(),
                source: Source::Text(write_qip(&program)),
            });
        }
        Ok(instances)
    }
}

/// One value of each list, in every way; one empty choice from no lists.
fn combinations(lists: &[Vec<String>]) -> Vec<Vec<&str>> {
    let mut chosen = vec![Vec::new()];
    for list in lists {
        let longer = chosen.iter().cartesian_product(list);
        chosen = longer
            .map(|(before, value)| before.iter().copied().chain([value.as_str()]).collect())
            .collect();
    }
    chosen
}

fn generate(
    generator: &str,
    given: &BTreeMap<&str, &str>,
    folder: &Path,
) -> Result<Program, String> {
    if generator == "random" {
        return random(given);
    }
    let Some(family) = family(generator) else {
        return Err("there is no such generator; `quip generate` lists them".to_owned());
    };
    let given: Vec<(&str, String)> = given
        .iter()
        .map(|(name, value)| Ok::<_, String>((*name, argument(family, name, value, folder)?)))
        .try_collect()?;
    let given: Vec<(&str, &str)> = given
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    family.program(&given).map_err(|fault| fault.to_string())
}

/// The content of a file in place of its name; other arguments as they are.
fn argument(family: &Family, name: &str, value: &str, folder: &Path) -> Result<String, String> {
    let known = family.parameters.iter().find(|known| known.name == name);
    if known.is_none_or(|known| known.kind != ParameterKind::File) {
        return Ok(value.to_owned());
    }
    std::fs::read_to_string(folder.join(value))
        .map_err(|reason| format!("cannot read `{value}`: {reason}"))
}

fn random(given: &BTreeMap<&str, &str>) -> Result<Program, String> {
    if let Some(name) = given.keys().find(|name| !["shape", "seed"].contains(name)) {
        return Err(format!(
            "there is no parameter `{name}`; there are shape, seed"
        ));
    }
    let shape = match given.get("shape").copied().unwrap_or("small") {
        "small" => RandomShape::small(),
        "binary" => RandomShape::binary(),
        "reals" => RandomShape::with_reals(),
        "game" => RandomShape::game(),
        other => {
            return Err(format!(
                "shape: `{other}` is none of small, binary, reals, game"
            ));
        }
    };
    let seed = given.get("seed").copied().unwrap_or("0");
    let seed = seed
        .parse()
        .map_err(|_| format!("seed: `{seed}` is not a whole number"))?;
    Ok(random_program(seed, &shape))
}

impl Parameter {
    /// The values that it stands for.
    fn values(&self) -> Result<Vec<String>, String> {
        match self {
            Self::Number(number) => Ok(vec![number.to_string()]),
            Self::Text(text) => match range(text) {
                Some((first, last)) if last.saturating_sub(first) >= LONGEST_RANGE => {
                    Err(format!("`{text}` stands for too many instances"))
                }
                Some((first, last)) => Ok((first..=last).map(|it| it.to_string()).collect()),
                None => Ok(vec![text.clone()]),
            },
            Self::Several(parts) => {
                let values: Vec<Vec<String>> = parts.iter().map(Self::values).try_collect()?;
                Ok(values.concat())
            }
        }
    }
}

/// `1..=5`, or `1..6`.
fn range(text: &str) -> Option<(u64, u64)> {
    let (first, rest) = text.split_once("..")?;
    let first = first.trim().parse().ok()?;
    match rest.strip_prefix('=') {
        Some(last) => Some((first, last.trim().parse().ok()?)),
        None => Some((first, rest.trim().parse::<u64>().ok()?.checked_sub(1)?)),
    }
}

fn read(path: &Path, beside: &Beside) -> Result<Program, PlanError> {
    let name = path.display().to_string();
    match read_path_beside(path, beside) {
        Ok(reading) => Ok(reading.program),
        Err(ReadError::Model(faults)) => Err(PlanError::Model(faults.render(false))),
        Err(ReadError::Io { source, .. }) => Err(PlanError::Read {
            name,
            reason: source.to_string(),
        }),
    }
}

fn parsed(name: &str, bytes: &[u8]) -> Result<Program, PlanError> {
    read_bytes(name, bytes)
        .map(|reading| reading.program)
        .map_err(|faults| PlanError::Model(faults.render(false)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_lists_stand_for_every_value() {
        let text = |text: &str| Parameter::Text(text.to_owned());
        assert_eq!(text("2..=4").values().unwrap(), ["2", "3", "4"]);
        assert_eq!(text("2..4").values().unwrap(), ["2", "3"]);
        assert_eq!(text("index").values().unwrap(), ["index"]);
        let list = Parameter::Several(vec![Parameter::Number(7), text("0..2")]);
        assert_eq!(list.values().unwrap(), ["7", "0", "1"]);
        assert!(text("0..=99999999999").values().is_err());
    }

    #[test]
    fn no_parameters_are_one_combination() {
        assert_eq!(combinations(&[]), [Vec::<&str>::new()]);
        let lists = [vec!["a".to_owned(), "b".to_owned()], vec!["c".to_owned()]];
        assert_eq!(combinations(&lists), [["a", "c"], ["b", "c"]]);
    }
}

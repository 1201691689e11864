//! The source of the library as syntax: what each file defines, imports and mentions, tests left out.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};

/// A path below the crate's root, such as `program`, `row`, `Row`.
pub type Absolute = Vec<String>;

/// The folders of `src` that are crates.
const FLOORS: [&str; 5] = ["ground", "language", "play", "kernel", "engines"];

/// A source file of the library or the binary.
pub struct Source {
    pub path: PathBuf,
    pub text: String,
    /// Where it stands: `program`, `row` for `src/ground/program/row.rs`.
    pub place: Absolute,
    pub seen: Seen,
}

/// What a file says outside its tests.
#[derive(Default)]
pub struct Seen {
    /// Everything that is imported: under which name, from where.
    pub imports: Vec<(String, Vec<String>)>,
    /// Paths that are written out in code.
    pub paths: Vec<Vec<String>>,
    /// The names that code outside imports mentions.
    pub names: BTreeSet<String>,
    /// The names that are defined at the top of the file.
    pub defined: BTreeSet<String>,
    pub macros: BTreeSet<String>,
    pub is_unsafe: bool,
}

impl Source {
    /// `src/ground/program/row.rs` and `src/ground/program.rs` belong to `program`.
    pub fn module(&self) -> &str {
        self.place.first().map_or("lib", String::as_str)
    }

    /// Lines before the tests. Comments and blank lines count: all of it has to be read by who wants
    /// to trust it.
    pub fn lines(&self) -> usize {
        let before_tests = |line: &&str| !line.contains("#[cfg(test)]");
        self.text.lines().take_while(before_tests).count()
    }

    /// A path as the file writes it, from the crate's root on; `None` if it leads out of the crate.
    pub fn absolute(&self, path: &[String], has_child: impl Fn(&str) -> bool) -> Option<Absolute> {
        let mut place = self.place.clone();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => {
                place.clear();
                rest = &rest[1..];
            }
            "self" => rest = &rest[1..],
            "super" => {
                while rest.first().is_some_and(|word| word == "super") {
                    place.pop();
                    rest = &rest[1..];
                }
            }
            child if has_child(child) => {}
            _ => return None,
        }
        place.extend(rest.iter().cloned());
        Some(place)
    }
}

/// Every file below `src`.
pub fn sources() -> Vec<Source> {
    let mut found = Vec::new();
    collect(Path::new("src"), &mut found);
    assert!(found.len() > 10, "the tests run in the package's folder");
    found
}

fn collect(folder: &Path, found: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(read(path));
        }
    }
}

fn read(path: PathBuf) -> Source {
    let text = fs::read_to_string(&path).unwrap();
    let is_test = path
        .iter()
        .any(|part| part == "tests" || part == "tests.rs");
    let seen = if is_test {
        Seen::default()
    } else {
        seen(&text)
    };
    let inside = path.strip_prefix("src").unwrap().with_extension("");
    let words = inside.iter().map(|word| word.to_str().unwrap().to_owned());
    let mut place: Absolute = words.collect();
    // A floor is a crate; what stands below it, its crate and the library call by the same name.
    if FLOORS.contains(&place[0].as_str()) {
        place.remove(0);
    }
    if place
        .last()
        .is_some_and(|last| ["mod", "lib"].contains(&last.as_str()))
    {
        place.pop();
    }
    Source {
        path,
        text,
        place,
        seen,
    }
}

/// What a text says outside its tests.
pub fn seen(text: &str) -> Seen {
    let file = syn::parse_file(text).unwrap();
    let mut seen = Seen::default();
    for item in &file.items {
        seen.defined.extend(name_of(item));
    }
    seen.visit_file(&file);
    seen
}

fn name_of(item: &syn::Item) -> Option<String> {
    let name = match item {
        syn::Item::Const(item) => &item.ident,
        syn::Item::Enum(item) => &item.ident,
        syn::Item::Fn(item) => &item.sig.ident,
        syn::Item::Macro(item) => item.ident.as_ref()?,
        syn::Item::Static(item) => &item.ident,
        syn::Item::Struct(item) => &item.ident,
        syn::Item::Trait(item) => &item.ident,
        syn::Item::Type(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

/// Whether an item is compiled for tests only.
fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let list = attribute.meta.require_list();
        attribute.path().is_ident("cfg") && list.is_ok_and(|it| it.tokens.to_string() == "test")
    })
}

fn attributes_of(item: &syn::Item) -> &[syn::Attribute] {
    match item {
        syn::Item::Const(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

impl<'a> Visit<'a> for Seen {
    fn visit_item(&mut self, item: &'a syn::Item) {
        if !is_for_tests(attributes_of(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        self.spread(&item.tree, &mut Vec::new());
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let words = path.segments.iter().map(|part| part.ident.to_string());
        let words: Vec<String> = words.collect();
        self.names.extend(words.iter().cloned());
        if words.len() > 1 {
            self.paths.push(words);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &'a syn::Macro) {
        let last = called.path.segments.last();
        self.macros.extend(last.map(|part| part.ident.to_string()));
        // What stands in a macro's braces is text until the macro has seen it.
        let text = called.tokens.to_string();
        let mut words = text.split(|it: char| !it.is_alphanumeric() && it != '_' && it != ':');
        while let Some(word) = words.next() {
            self.names.insert(word.to_owned());
            if word == "crate" && words.next() == Some("::") {
                let word = words.next().unwrap_or_default().to_owned();
                self.paths.push(vec!["crate".to_owned(), word]);
            } else if let Some(rest) = word.strip_prefix("crate::") {
                let rest = rest.split("::").next().unwrap_or_default();
                self.paths.push(vec!["crate".to_owned(), rest.to_owned()]);
            }
        }
        self.is_unsafe |= text.split_whitespace().any(|word| word == "unsafe");
        visit::visit_macro(self, called);
    }

    fn visit_expr_unsafe(&mut self, block: &'a syn::ExprUnsafe) {
        self.is_unsafe = true;
        visit::visit_expr_unsafe(self, block);
    }

    fn visit_signature(&mut self, signature: &'a syn::Signature) {
        self.is_unsafe |= signature.unsafety.is_some();
        visit::visit_signature(self, signature);
    }

    fn visit_item_impl(&mut self, item: &'a syn::ItemImpl) {
        self.is_unsafe |= item.unsafety.is_some();
        visit::visit_item_impl(self, item);
    }
}

impl Seen {
    /// One import for each name that a tree of them brings.
    fn spread(&mut self, tree: &syn::UseTree, before: &mut Vec<String>) {
        match tree {
            syn::UseTree::Path(part) => {
                before.push(part.ident.to_string());
                self.spread(&part.tree, before);
                before.pop();
            }
            syn::UseTree::Group(group) => {
                for tree in &group.items {
                    self.spread(tree, before);
                }
            }
            syn::UseTree::Name(name) if name.ident == "self" => {
                let known = before.last().cloned().unwrap_or_default();
                self.imports.push((known, before.clone()));
            }
            syn::UseTree::Name(name) => self.import(name.ident.to_string(), &name.ident, before),
            syn::UseTree::Rename(name) => self.import(name.rename.to_string(), &name.ident, before),
            syn::UseTree::Glob(_) => self.imports.push(("*".to_owned(), before.clone())),
        }
    }

    fn import(&mut self, known: String, name: &syn::Ident, before: &[String]) {
        let mut path = before.to_vec();
        path.push(name.to_string());
        self.imports.push((known, path));
    }
}

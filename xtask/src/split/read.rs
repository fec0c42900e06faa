//! What a module holds: its sections, functions with their names and calls.

use std::collections::BTreeSet;
use wasmparser::{ExternalKind, FuncType, FunctionBody, KnownCustom, Name, Operator, Parser, Payload, TypeRef};

/// A function with fewer bytes does not wait for its own sake.
pub(super) const SHORT: usize = 120;

/// What matters of a module.
#[derive(Default)]
pub(super) struct Read<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) sections: Vec<Payload<'a>>,
    pub(super) types: Vec<FuncType>,
    pub(super) imports: Vec<(&'a str, &'a str, TypeRef)>,
    /// Type of each function, imported ones first.
    pub(super) functions: Vec<u32>,
    pub(super) functions_imported: u32,
    pub(super) bodies: Vec<FunctionBody<'a>>,
    pub(super) names: Vec<String>,
    /// Functions that are known by their number outside of bodies: exports, elements, start.
    pub(super) known: BTreeSet<u32>,
    /// Tables and globals, imported ones first, as the rest imports them.
    pub(super) tables: Vec<wasmparser::TableType>,
    pub(super) globals: Vec<wasmparser::GlobalType>,
    pub(super) memories: Vec<wasmparser::MemoryType>,
}

impl<'a> Read<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> wasmparser::Result<Self> {
        let mut read = Self { bytes, ..Self::default() };
        for payload in Parser::new(0).parse_all(bytes) {
            let payload = payload?;
            match &payload {
                Payload::TypeSection(section) => {
                    read.types = section.clone().into_iter_err_on_gc_types().collect::<wasmparser::Result<_>>()?;
                }
                Payload::ImportSection(section) => {
                    for import in section.clone().into_imports() {
                        let import = import?;
                        read.imports.push((import.module, import.name, import.ty));
                        match import.ty {
                            TypeRef::Func(kind) => read.functions.push(kind),
                            TypeRef::Table(kind) => read.tables.push(kind),
                            TypeRef::Global(kind) => read.globals.push(kind),
                            TypeRef::Memory(kind) => read.memories.push(kind),
                            _ => {}
                        }
                    }
                    read.functions_imported = read.functions.len() as u32;
                }
                Payload::FunctionSection(section) => {
                    for kind in section.clone() {
                        read.functions.push(kind?);
                    }
                }
                Payload::TableSection(section) => {
                    for table in section.clone() {
                        read.tables.push(table?.ty);
                    }
                }
                Payload::MemorySection(section) => {
                    for memory in section.clone() {
                        read.memories.push(memory?);
                    }
                }
                Payload::GlobalSection(section) => {
                    for global in section.clone() {
                        read.globals.push(global?.ty);
                    }
                }
                Payload::ExportSection(section) => {
                    for export in section.clone() {
                        let export = export?;
                        if export.kind == ExternalKind::Func {
                            read.known.insert(export.index);
                        }
                    }
                }
                Payload::StartSection { func, .. } => drop(read.known.insert(*func)),
                Payload::ElementSection(section) => read.know_elements(section.clone())?,
                Payload::CodeSectionEntry(body) => read.bodies.push(body.clone()),
                Payload::CustomSection(section) => {
                    if let KnownCustom::Name(names) = section.as_known() {
                        read.know_names(names)?;
                    }
                }
                _ => {}
            }
            read.sections.push(payload);
        }
        read.names.resize(read.functions.len(), String::new());
        Ok(read)
    }

    fn know_elements(&mut self, section: wasmparser::ElementSectionReader<'a>) -> wasmparser::Result<()> {
        for element in section {
            match element?.items {
                wasmparser::ElementItems::Functions(functions) => {
                    for function in functions {
                        self.known.insert(function?);
                    }
                }
                wasmparser::ElementItems::Expressions(_, expressions) => {
                    for expression in expressions {
                        for operator in expression?.get_operators_reader() {
                            if let Operator::RefFunc { function_index } = operator? {
                                self.known.insert(function_index);
                            }
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn know_names(&mut self, names: wasmparser::NameSectionReader<'a>) -> wasmparser::Result<()> {
        for subsection in names {
            let Name::Function(functions) = subsection? else { continue };
            for naming in functions {
                let naming = naming?;
                let index = naming.index as usize;
                self.names.resize(self.names.len().max(index + 1), String::new());
                self.names[index] = plain(naming.name);
            }
        }
        Ok(())
    }

    /// Longer than a stand-in, which is not worth it else.
    pub(super) fn is_long(&self, function: u32) -> bool {
        let body = function.checked_sub(self.functions_imported).map(|body| self.bodies[body as usize].range());
        body.is_some_and(|body| body.len() >= SHORT)
    }

    /// Functions that `function` calls or takes the number of.
    pub(super) fn called_by(&self, function: u32) -> wasmparser::Result<Vec<u32>> {
        let mut called = Vec::new();
        let Some(body) = function.checked_sub(self.functions_imported) else { return Ok(called) };
        for operator in self.bodies[body as usize].get_operators_reader()? {
            match operator? {
                Operator::Call { function_index }
                | Operator::ReturnCall { function_index }
                | Operator::RefFunc { function_index } => called.push(function_index),
                _ => {}
            }
        }
        Ok(called)
    }
}

/// A name without the numbers of crates: `<yew[8ce4c39c65c7a93e]::Scope<..>>` is `<yew::Scope<..>>`.
fn plain(name: &str) -> String {
    let is_number = |text: &str| text.len() >= 8 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let mut parts = name.split('[');
    let mut plain = parts.next().unwrap_or_default().to_string();
    for part in parts {
        match part.split_once(']') {
            Some((number, rest)) if is_number(number) => plain.push_str(rest),
            _ => {
                plain.push('[');
                plain.push_str(part);
            }
        }
    }
    plain
}

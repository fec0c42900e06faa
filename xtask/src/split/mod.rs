//! Splits a module of the page in two: what the first picture needs, and the rest, which comes when it is first called.
//!
//! The first module keeps memory, data, tables and everything that JavaScript calls. Each function of the rest that it
//! knows about has a stand-in there: that loads the rest (`load_later` in `src/later.rs`) if it is not there
//! yet, and calls it through a table that the rest fills when it is instantiated. So whatever is sorted wrongly costs
//! time and never breaks. The table is exported under the name of the file with the rest: a page asks for its own rest.

mod read;
mod write;

use crate::proc::Outcome;
use read::Read;
use std::collections::BTreeSet;

/// Function of the page that brings the rest at once; `src/later.rs` keeps it.
const LOAD: &str = "schedscope::later::load_later";
/// A module in two files.
pub struct Parts {
    /// What is loaded first.
    pub first: Vec<u8>,
    /// What is loaded when it is called.
    pub later: Vec<u8>,
    /// Functions in them: first, later, and stand-ins.
    pub functions: (usize, usize, usize),
}

/// Splits `module`. Functions whose name (the paths in it) `is_later` accepts wait in the rest, together with all that
/// only they use. `file` is the name that the rest is going to have.
pub fn split(module: &[u8], file: &str, is_later: impl Fn(&str) -> bool) -> Outcome<Parts> {
    let read = Read::of(module).map_err(|error| format!("module cannot be read: {error}"))?;
    let plan = Plan::of(&read, is_later)?;
    let told = |error: write::Error| format!("module cannot be split: {error}");
    Ok(Parts {
        first: write::first(&read, &plan, file).map_err(told)?,
        later: write::later(&read, &plan, file).map_err(told)?,
        functions: (plan.first.len(), plan.later.len(), plan.doors.len()),
    })
}

/// Which function goes where. All numbers are those of the whole module.
struct Plan {
    first: Vec<u32>,
    later: Vec<u32>,
    /// Functions of the rest that the first module knows, in order of their slots in the table.
    doors: Vec<u32>,
    /// Functions of the first module that the rest calls.
    shared: Vec<u32>,
    load: u32,
}

impl Plan {
    fn of(read: &Read, is_later: impl Fn(&str) -> bool) -> Outcome<Self> {
        let load = read.names.iter().position(|name| name.starts_with(LOAD));
        let load = load.ok_or_else(|| format!("the module has no function named `{LOAD}`"))? as u32;
        let told = |error: wasmparser::BinaryReaderError| format!("module cannot be read: {error}");
        let imported = read.functions_imported;
        let count = read.functions.len() as u32;
        let waits = |function: u32| read.is_long(function) && is_later(&read.names[function as usize]);
        // Whatever can be reached from outside without a function that waits is first.
        let mut is_first = vec![false; count as usize];
        let mut waiting: Vec<u32> = vec![load];
        waiting.extend(read.known.iter().copied().filter(|function| !waits(*function)));
        let mut doors: BTreeSet<u32> = read.known.iter().copied().filter(|function| waits(*function)).collect();
        while let Some(function) = waiting.pop() {
            if std::mem::replace(&mut is_first[function as usize], true) {
                continue;
            }
            for called in read.called_by(function).map_err(told)? {
                if waits(called) {
                    doors.insert(called);
                } else {
                    waiting.push(called);
                }
            }
        }
        let (first, later): (Vec<u32>, Vec<u32>) = (imported..count).partition(|function| is_first[*function as usize]);
        let mut shared = BTreeSet::new();
        for function in &later {
            let called = read.called_by(*function).map_err(told)?;
            shared.extend(called.into_iter().filter(|called| *called < imported || is_first[*called as usize]));
        }
        Ok(Self { first, later, doors: doors.into_iter().collect(), shared: shared.into_iter().collect(), load })
    }
}

#[cfg(test)]
mod tests {
    use super::read::{Read, SHORT};
    use super::split;
    use std::borrow::Cow;
    use wasm_encoder::{
        CodeSection, ConstExpr, ElementSection, Elements, EntityType, ExportKind, ExportSection, Function,
        FunctionSection, ImportSection, Instruction, Module, NameMap, NameSection, RefType, TableSection, TableType,
        TypeSection, ValType,
    };

    const NAMES: [&str; 6] =
        ["host", "schedscope::later::load_later::h0", "page::open", "page::rare", "helper", "shared"];

    /// `open` calls `rare` and `shared`; `rare` calls `helper`, `shared` and the host; a table holds `rare`.
    fn module() -> Vec<u8> {
        let calls: [&[u32]; 5] = [&[], &[3, 5], &[4, 5, 0], &[], &[]];
        let mut types = TypeSection::new();
        types.ty().function([ValType::I32], [ValType::I32]);
        types.ty().function([], []);
        let mut imports = ImportSection::new();
        imports.import("js", "host", EntityType::Function(0));
        let (mut functions, mut code) = (FunctionSection::new(), CodeSection::new());
        for (called, index) in calls.iter().zip(1..) {
            // `load_later` takes and gives nothing.
            let is_load = index == 1;
            functions.function(u32::from(is_load));
            let mut body = Function::new([]);
            if !is_load {
                body.instruction(&Instruction::LocalGet(0));
            }
            called.iter().for_each(|function| {
                body.instruction(&Instruction::Call(*function));
            });
            if index == 3 {
                body.raw([0x01; SHORT]); // nop
            }
            body.instruction(&Instruction::End);
            code.function(&body);
        }
        let mut tables = TableSection::new();
        let one =
            TableType { element_type: RefType::FUNCREF, minimum: 1, maximum: None, table64: false, shared: false };
        tables.table(one);
        let mut exports = ExportSection::new();
        exports.export("open", ExportKind::Func, 2);
        let mut elements = ElementSection::new();
        elements.active(None, &ConstExpr::i32_const(0), Elements::Functions(Cow::Borrowed(&[3])));
        let mut map = NameMap::new();
        (0..).zip(NAMES).for_each(|(index, name)| map.append(index, name));
        let mut names = NameSection::new();
        names.functions(&map);
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&functions).section(&tables).section(&exports);
        module.section(&elements).section(&code).section(&names);
        module.finish()
    }

    fn validated(module: &[u8]) -> Read<'_> {
        wasmparser::Validator::new().validate_all(module).expect("a valid module");
        Read::of(module).expect("a module")
    }

    #[test]
    fn what_waits_takes_along_what_only_it_uses() {
        let whole = module();
        let parts = split(&whole, "rest.wasm", |name| name.contains("rare")).expect("it can be split");
        // First: load_later, open, shared. Later: rare, helper. One stand-in, for `rare`.
        assert_eq!(parts.functions, (3, 2, 1));
        let (first, later) = (validated(&parts.first), validated(&parts.later));
        let imported: Vec<&str> = later.imports.iter().map(|(_, name, _)| *name).collect();
        assert_eq!(imported, ["f0", "f1", "t0", "rest.wasm"], "host and shared, the table, and the table of stand-ins");
        assert_eq!(first.tables.len(), 2);
        assert_eq!(first.bodies.len(), 3 + 2, "three of its own, one that waits for the rest, one stand-in");
    }

    #[test]
    fn nothing_waits_if_nothing_is_named() {
        let parts = split(&module(), "rest.wasm", |_| false).expect("it can be split");
        assert_eq!(parts.functions, (5, 0, 0));
        validated(&parts.first);
        validated(&parts.later);
    }

    #[test]
    fn a_module_that_cannot_fetch_its_rest_is_refused() {
        let empty = Module::new().finish();
        assert!(split(&empty, "rest.wasm", |_| true).is_err_and(|sentence| sentence.contains("load_later")));
        assert!(split(b"text", "rest.wasm", |_| true).is_err());
    }
}

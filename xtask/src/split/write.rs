//! Writes the two modules.

use super::Plan;
use super::read::Read;
use std::borrow::Cow;
use wasm_encoder::reencode::Reencode;
use wasm_encoder::{
    CodeSection, ConstExpr, ElementSection, Elements, EntityType, ExportKind, ExportSection, Function, FunctionSection,
    ImportSection, Instruction, Module, RawSection, RefType, TableSection, TableType, TypeSection,
};
use wasmparser::Payload;

/// Name under which the rest imports from the first module.
const FIRST: &str = "first";

pub(super) type Error = wasm_encoder::reencode::Error<std::convert::Infallible>;

/// Numbers of functions in one of the two modules, by their number in the whole.
struct Renumber(Vec<Option<u32>>);

impl Reencode for Renumber {
    type Error = std::convert::Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, Error> {
        Ok(self.0[function as usize].expect("a function that a part refers to is in that part"))
    }
}

fn table_of_doors(plan: &Plan) -> TableType {
    let size = plan.doors.len() as u64;
    TableType { element_type: RefType::FUNCREF, minimum: size, maximum: Some(size), table64: false, shared: false }
}

pub(super) fn first(read: &Read, plan: &Plan, file: &str) -> Result<Vec<u8>, Error> {
    let doors = read.tables.len() as u32;
    let ready_type = read.types.len() as u32;
    let mut number = vec![None; read.functions.len()];
    let order = (0..read.functions_imported).chain(plan.first.iter().copied());
    order.zip(0..).for_each(|(function, place)| number[function as usize] = Some(place));
    let ready = read.functions_imported + plan.first.len() as u32;
    plan.doors.iter().zip(ready + 1..).for_each(|(function, place)| number[*function as usize] = Some(place));
    let mut number = Renumber(number);

    let mut module = Module::new();
    let mut code = CodeSection::new();
    let mut tables = TableSection::new();
    let mut has_tables = false;
    for section in &read.sections {
        match section {
            Payload::TypeSection(section) => {
                let mut types = TypeSection::new();
                number.parse_type_section(&mut types, section.clone())?;
                types.ty().function([], []);
                module.section(&types);
            }
            Payload::FunctionSection(_) => {
                let mut functions = FunctionSection::new();
                for function in &plan.first {
                    functions.function(read.functions[*function as usize]);
                }
                functions.function(ready_type);
                for function in &plan.doors {
                    functions.function(read.functions[*function as usize]);
                }
                module.section(&functions);
            }
            Payload::TableSection(section) => {
                number.parse_table_section(&mut tables, section.clone())?;
                tables.table(table_of_doors(plan));
                module.section(&tables);
                has_tables = true;
            }
            Payload::ExportSection(section) => {
                let mut exports = ExportSection::new();
                number.parse_export_section(&mut exports, section.clone())?;
                exports.export(file, ExportKind::Table, doors);
                let kinds = [
                    (ExportKind::Table, read.tables.len()),
                    (ExportKind::Memory, read.memories.len()),
                    (ExportKind::Global, read.globals.len()),
                ];
                for (kind, count) in kinds {
                    for index in 0..count as u32 {
                        exports.export(&name_of(kind, index), kind, index);
                    }
                }
                for (function, place) in plan.shared.iter().zip(0..) {
                    let index = number.function_index(*function)?;
                    exports.export(&name_of(ExportKind::Func, place), ExportKind::Func, index);
                }
                module.section(&exports);
            }
            Payload::StartSection { func, .. } => {
                let function_index = number.function_index(*func)?;
                module.section(&wasm_encoder::StartSection { function_index });
            }
            Payload::ElementSection(section) => {
                let mut elements = ElementSection::new();
                number.parse_element_section(&mut elements, section.clone())?;
                module.section(&elements);
            }
            Payload::CodeSectionStart { .. } => {
                for function in &plan.first {
                    let body = read.bodies[(function - read.functions_imported) as usize].clone();
                    number.parse_function_body(&mut code, body)?;
                }
                code.function(&ready_body(doors, number.function_index(plan.load)?));
                for (slot, function) in plan.doors.iter().enumerate() {
                    let kind = read.functions[*function as usize];
                    let count = read.types[kind as usize].params().len() as u32;
                    code.function(&door_body(ready, doors, slot as i32, kind, count));
                }
                module.section(&code);
            }
            Payload::CodeSectionEntry(_) | Payload::CustomSection(_) | Payload::Version { .. } | Payload::End(_) => {}
            other => copy(read, other, &mut module),
        }
    }
    assert!(has_tables, "a module of Rust has a table of functions");
    Ok(module.finish())
}

/// A section in which no function has a number.
fn copy(read: &Read, section: &Payload, module: &mut Module) {
    if let Some((id, range)) = section.as_section() {
        module.section(&RawSection { id, data: &read.bytes[range] });
    }
}

/// Sees to it that the rest is there: the first slot of the table is empty until then.
fn ready_body(doors: u32, load: u32) -> Function {
    let mut body = Function::new([]);
    body.instruction(&Instruction::I32Const(0));
    body.instruction(&Instruction::TableGet(doors));
    body.instruction(&Instruction::RefIsNull);
    body.instruction(&Instruction::If(wasm_encoder::BlockType::Empty));
    body.instruction(&Instruction::Call(load));
    body.instruction(&Instruction::End);
    body.instruction(&Instruction::End);
    body
}

/// Stands in for a function of the rest.
fn door_body(ready: u32, doors: u32, slot: i32, type_index: u32, parameters: u32) -> Function {
    let mut body = Function::new([]);
    body.instruction(&Instruction::Call(ready));
    for index in 0..parameters {
        body.instruction(&Instruction::LocalGet(index));
    }
    body.instruction(&Instruction::I32Const(slot));
    body.instruction(&Instruction::CallIndirect { type_index, table_index: doors });
    body.instruction(&Instruction::End);
    body
}

/// Name of something that the rest imports: a letter for its kind and a number.
fn name_of(kind: ExportKind, index: u32) -> String {
    let letter = match kind {
        ExportKind::Func => 'f',
        ExportKind::Table => 't',
        ExportKind::Memory => 'm',
        ExportKind::Global => 'g',
        ExportKind::Tag => 'x',
    };
    format!("{letter}{index}")
}

pub(super) fn later(read: &Read, plan: &Plan, file: &str) -> Result<Vec<u8>, Error> {
    let mut number = vec![None; read.functions.len()];
    let order = plan.shared.iter().chain(&plan.later);
    order.zip(0..).for_each(|(function, place)| number[*function as usize] = Some(place));
    let mut number = Renumber(number);
    let mut module = Module::new();

    let mut types = TypeSection::new();
    let mut imports = ImportSection::new();
    let mut functions = FunctionSection::new();
    let mut elements = ElementSection::new();
    let mut code = CodeSection::new();
    for section in &read.sections {
        if let Payload::TypeSection(section) = section {
            number.parse_type_section(&mut types, section.clone())?;
        }
    }
    for (function, place) in plan.shared.iter().zip(0..) {
        let kind = EntityType::Function(read.functions[*function as usize]);
        imports.import(FIRST, &name_of(ExportKind::Func, place), kind);
    }
    for (table, index) in read.tables.iter().zip(0..) {
        let kind = number.table_type(*table)?;
        imports.import(FIRST, &name_of(ExportKind::Table, index), kind);
    }
    imports.import(FIRST, file, table_of_doors(plan));
    for (memory, index) in read.memories.iter().zip(0..) {
        let kind = number.memory_type(*memory)?;
        imports.import(FIRST, &name_of(ExportKind::Memory, index), kind);
    }
    for (global, index) in read.globals.iter().zip(0..) {
        let kind = number.global_type(*global)?;
        imports.import(FIRST, &name_of(ExportKind::Global, index), kind);
    }
    let mut slots = Vec::new();
    for function in &plan.doors {
        slots.push(number.function_index(*function)?);
    }
    elements.active(
        Some(read.tables.len() as u32),
        &ConstExpr::i32_const(0),
        Elements::Functions(Cow::Borrowed(&slots)),
    );
    for function in &plan.later {
        functions.function(read.functions[*function as usize]);
        number.parse_function_body(&mut code, read.bodies[(function - read.functions_imported) as usize].clone())?;
    }
    module.section(&types).section(&imports).section(&functions).section(&elements).section(&code);
    Ok(module.finish())
}

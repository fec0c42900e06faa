//! The page: views in Yew and canvas over an engine that runs in a worker.
//!
//! `bridge` speaks to the engine, `store` holds what the visitor chose and the latest pictures, `views` draw it, `text`
//! holds the words of the interface. No view knows a policy: names, knobs, reasons and structures all come as data.

pub mod address;
pub mod address_keeper;
pub mod app;
pub mod bridge;
pub mod clipboard;
pub mod embed;
pub mod fetch;
pub mod files;
pub mod fullscreen;
pub mod keyboard;
pub mod language;
pub mod later;
pub mod lessons;
pub mod page;
pub mod paint;
pub mod picture;
pub mod print;
pub mod recent;
pub mod store;
pub mod text;
pub mod tools;
pub mod views;

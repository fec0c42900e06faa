//! Canvas drawing: painter, scales, palette.

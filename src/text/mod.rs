//! Every word of the interface.

/// Name of the product.
pub const PRODUCT: &str = "Schedscope";

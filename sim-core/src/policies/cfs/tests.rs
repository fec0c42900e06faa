//! Worked examples of the specification.

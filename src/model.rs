//! Pure data and its laws: no files, no clock, no scripts.
//!
//! Everything here can be compared, printed and stored. Where a law of the kernel can live in
//! a type it does: an [`verdict::Exhausted`] can only be made from answers that prove it.

pub mod duration;
pub mod gate;
pub mod item;
pub mod moment;
pub mod receipt;
pub mod signal;
pub mod status;
pub mod text;
pub mod verdict;

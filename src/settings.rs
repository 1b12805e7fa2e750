//! stub
pub mod bundle;
pub mod files;
pub mod flags;
pub mod locale;
pub mod paths;
pub mod root;
pub mod surroundings;
pub mod trust;

//! stub
use super::{Answer, Request};
use crate::model::receipt::Receipt;
use std::sync::Mutex;
use std::time::Instant;
pub struct Asker<'a> {
    pub function: &'a str,
    pub script: &'a str,
    pub line: usize,
    pub until: Instant,
}
pub struct Desk {}
impl Desk {
    pub fn ask(&self, _r: &Request, _a: &Asker<'_>, _l: &Mutex<Vec<Receipt>>) -> Answer {
        Answer::Missing
    }
}

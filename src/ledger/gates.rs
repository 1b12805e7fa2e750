//! stub
use super::Head;
use crate::model::gate::GateSet;
/// x
pub enum GateQuery<'a> {
    /// x
    Step(&'a str),
    /// x
    Due(i64),
    /// x
    Open,
    /// x
    All,
    /// x
    Ids(&'a [String]),
}
/// x
pub struct Gates {
    /// x
    pub head: Head,
    /// x
    pub sets: Vec<GateSet>,
}

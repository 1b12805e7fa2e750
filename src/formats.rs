//! stub
pub mod decision;
pub mod entries;
pub mod lines;
pub mod md;
pub mod task;
pub mod heads {
    pub fn fields(_b: &[u8], _k: &[&str]) -> Vec<Option<String>> {
        vec![]
    }
}
pub mod json {
    pub fn parse(_t: &str) -> Result<serde_json::Value, String> {
        Err("stub".into())
    }
}
pub mod todotxt {
    pub fn tasks(_t: &str) -> Vec<super::task::Task> {
        vec![]
    }
}
pub mod aufgaben {
    pub fn tasks(_t: &str) -> Vec<super::task::Task> {
        vec![]
    }
}
pub(crate) fn without_bom(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

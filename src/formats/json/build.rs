//! Builds a value from the parser's events and watches for doubled keys and depth.
//!
//! INVARIANT: recursion goes no deeper than [`super::DEEPEST`]; the path names the place at which
//! the walk stands.

use super::DEEPEST;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::fmt;

/// One step from a container to what it holds.
pub enum Step {
    /// A key of an object.
    Key(String),
    /// A 0-based place of an array.
    Index(usize),
}

/// Reads one value at the place that the path names.
pub struct Seed<'p> {
    /// From the root to here.
    pub path: &'p mut Vec<Step>,
}

impl Seed<'_> {
    fn check_depth<E: Error>(&self) -> Result<(), E> {
        if self.path.len() < DEEPEST {
            return Ok(());
        }
        Err(E::custom(format!(
            "more than {DEEPEST} arrays and objects stand in each other"
        )))
    }

    fn child<T>(&mut self, step: Step, read: impl FnOnce(Seed<'_>) -> T) -> T {
        self.path.push(step);
        let value = read(Seed { path: self.path });
        self.path.pop();
        value
    }
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        let fitting = i64::try_from(value);
        let number = fitting.map_err(|_| E::custom("an integer does not fit into 64 bits"))?;
        Ok(Value::Number(number.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        let number = Number::from_f64(value).ok_or_else(|| E::custom("number out of range"))?;
        Ok(Value::Number(number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<Value, A::Error> {
        self.check_depth()?;
        let mut values = Vec::new();
        while let Some(value) = self.child(Step::Index(values.len()), |seed| {
            list.next_element_seed(seed)
        })? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Value, A::Error> {
        self.check_depth()?;
        let mut values = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            if values.contains_key(&key) {
                self.path.push(Step::Key(key));
                let twice = format!("the key `{}` stands twice", shown(self.path));
                return Err(A::Error::custom(twice));
            }
            let value = self.child(Step::Key(key.clone()), |seed| map.next_value_seed(seed))?;
            values.insert(key, value);
        }
        Ok(Value::Object(values))
    }
}

/// `AC1.items[3].status`, from the end at most a dozen steps, long keys cut.
fn shown(path: &[Step]) -> String {
    let skipped = path.len().saturating_sub(12);
    let mut text = if skipped > 0 {
        "...".to_owned()
    } else {
        String::new()
    };
    for step in path.iter().skip(skipped) {
        match step {
            Step::Index(index) => text.push_str(&format!("[{index}]")),
            Step::Key(key) => {
                if !text.is_empty() {
                    text.push('.');
                }
                text.extend(key.chars().take(60));
            }
        }
    }
    text
}

//! JSON as people write it for rt-app: comments, commas before a closing bracket, repeated keys whose order counts.

/// Deepest nesting.
const DEPTH_MAX: usize = 64;

/// A value. Objects keep order and copies of their keys.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// `null`, `true`, `false`.
    Word(String),
    /// A number as it is written.
    Number(String),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// An object.
    Object(Vec<(String, Value)>),
}

impl Value {
    /// The first value of a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.pairs().iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// The pairs of an object; nothing for anything else.
    pub fn pairs(&self) -> &[(String, Value)] {
        if let Value::Object(pairs) = self { pairs } else { &[] }
    }

    /// Keys of an object.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.pairs().iter().map(|(key, _)| key.as_str())
    }

    /// A whole number.
    pub fn whole(&self) -> Option<i64> {
        if let Value::Number(text) = self { text.parse().ok() } else { None }
    }

    /// A text.
    pub fn text(&self) -> Option<&str> {
        if let Value::Text(text) = self { Some(text) } else { None }
    }
}

/// Reads a whole text. An error has its line, from 1.
pub fn parse(text: &str) -> Result<Value, (usize, String)> {
    let mut reader = Reader { bytes: text.as_bytes(), at: 0 };
    let value = reader.value(0).and_then(|value| {
        reader.blank()?;
        if reader.at == text.len() { Ok(value) } else { Err("there is more after the end".to_string()) }
    });
    value.map_err(|message| {
        let before = &reader.bytes[..reader.at.min(reader.bytes.len())];
        (1 + before.iter().filter(|byte| **byte == b'\n').count(), message)
    })
}

struct Reader<'t> {
    bytes: &'t [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Passes over blanks and comments.
    fn blank(&mut self) -> Result<(), String> {
        loop {
            match (self.peek(), self.bytes.get(self.at + 1)) {
                (Some(b' ' | b'\t' | b'\r' | b'\n'), _) => self.at += 1,
                (Some(b'/'), Some(b'/')) => {
                    while self.peek().is_some_and(|byte| byte != b'\n') {
                        self.at += 1;
                    }
                }
                (Some(b'/'), Some(b'*')) => {
                    let end = self.bytes[self.at + 2..].windows(2).position(|two| two == b"*/");
                    self.at += end.ok_or("a comment has no end")? + 4;
                }
                _ => return Ok(()),
            }
        }
    }

    fn value(&mut self, depth: usize) -> Result<Value, String> {
        if depth > DEPTH_MAX {
            return Err(format!("brackets are nested deeper than {DEPTH_MAX}"));
        }
        self.blank()?;
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.list(depth),
            Some(b'"') => self.text().map(Value::Text),
            Some(_) => {
                let start = self.at;
                while self.peek().is_some_and(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte)) {
                    self.at += 1;
                }
                let word = String::from_utf8_lossy(&self.bytes[start..self.at]).into_owned();
                match word.as_bytes().first() {
                    Some(b'0'..=b'9' | b'-' | b'+') => Ok(Value::Number(word)),
                    _ if ["true", "false", "null"].contains(&word.as_str()) => Ok(Value::Word(word)),
                    _ => Err("is not JSON here".into()),
                }
            }
            None => Err("the file ends in the middle".into()),
        }
    }

    fn list(&mut self, depth: usize) -> Result<Value, String> {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.blank()?;
            if self.peek() == Some(b']') {
                self.at += 1;
                return Ok(Value::List(items));
            }
            items.push(self.value(depth + 1)?);
            self.comma(b']')?;
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, String> {
        self.at += 1;
        let mut pairs = Vec::new();
        loop {
            self.blank()?;
            match self.peek() {
                Some(b'}') => {
                    self.at += 1;
                    return Ok(Value::Object(pairs));
                }
                Some(b'"') => {}
                _ => return Err("a key in quotes should stand here".into()),
            }
            let key = self.text()?;
            self.blank()?;
            if self.peek() != Some(b':') {
                return Err(format!("a colon should follow the key {key}"));
            }
            self.at += 1;
            pairs.push((key, self.value(depth + 1)?));
            self.comma(b'}')?;
        }
    }

    /// A comma, or the closing bracket to come.
    fn comma(&mut self, close: u8) -> Result<(), String> {
        self.blank()?;
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                Ok(())
            }
            Some(byte) if byte == close => Ok(()),
            _ => Err(format!("a comma or {} should stand here", char::from(close))),
        }
    }

    fn text(&mut self) -> Result<String, String> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => self.at += 2,
                Some(b'\n') | None => return Err("a text has no closing quote".into()),
                Some(_) => self.at += 1,
            }
        }
        self.at += 1;
        let quoted = String::from_utf8_lossy(self.bytes.get(start..self.at).unwrap_or_default());
        serde_json::from_str(&quoted).map_err(|_| "a text has a bad escape".to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_commas_and_copies_are_read_and_damage_has_its_line() {
        let value = parse("{ /* a */ \"run\": 1, // b\n \"run\": 2, \"x\": [1, -2,], }").unwrap();
        assert_eq!(value.keys().collect::<Vec<_>>(), ["run", "run", "x"]);
        assert_eq!(value.pairs()[1].1.whole(), Some(2));
        for (text, line) in [("{\n\"a\" 1}", 2), ("{\n\n\"a\": ", 3), ("{} x", 1), ("{\"a\\q\":1}", 1), ("/*", 1)] {
            assert_eq!(parse(text).unwrap_err().0, line, "{text}");
        }
        assert!(parse(&"[".repeat(10_000)).is_err());
    }
}

//! [`About`], the answer to `ABOUT`. Its values have no commas, quotes and `=`, because some
//! managers split the line at these without reading quotes.

use std::fmt;

use crate::text::{MAX_TEXT, cut, one_line};

/// The engine's identity, as `name="…", version="…", author="…", country="…"`.
///
/// No value contains a comma, a double quote or `=`: JudgeLocal splits the line at commas and each
/// part at `=` without looking at quotes, and crashes on anything else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct About {
    name: String,
    version: String,
    author: String,
    country: String,
    www: Option<String>,
    email: Option<String>,
}

/// Drops the characters that a value must not contain, and cuts long values.
fn clean(value: &str) -> String {
    let text: String = one_line(value).chars().filter(|c| !matches!(c, ',' | '"' | '=')).collect();
    cut(text.trim(), MAX_TEXT / 8).trim_end().to_owned()
}

impl About {
    /// Takes the four fields that the protocol asks for. Characters that a value must not contain
    /// are dropped, and long values are cut.
    #[must_use]
    pub fn new(name: &str, version: &str, author: &str, country: &str) -> Self {
        Self {
            name: clean(name),
            version: clean(version),
            author: clean(author),
            country: clean(country),
            www: None,
            email: None,
        }
    }

    /// Adds a web address.
    #[must_use]
    pub fn www(mut self, www: &str) -> Self {
        self.www = Some(clean(www));
        self
    }

    /// Adds a mail address.
    #[must_use]
    pub fn email(mut self, email: &str) -> Self {
        self.email = Some(clean(email));
        self
    }

    /// The engine's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The engine's version.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The engine's author.
    #[must_use]
    pub fn author(&self) -> &str {
        &self.author
    }

    /// The author's country.
    #[must_use]
    pub fn country(&self) -> &str {
        &self.country
    }

    /// Reads `key="value"` pairs in any order. `None` if there is no name.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut about = Self::new("", "", "", "");
        let mut named = false;
        let mut rest = text;
        while let Some((key, after)) = rest.split_once('=') {
            let after = after.trim_start();
            let (value, tail) = match after.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
                None => after.split_once(',').unwrap_or((after, "")),
            };
            rest = tail;
            let key = key.trim_matches(|c: char| c == ',' || c.is_whitespace());
            match key.to_ascii_lowercase().as_str() {
                "name" => {
                    about.name = clean(value);
                    named = true;
                }
                "version" => about.version = clean(value),
                "author" => about.author = clean(value),
                "country" => about.country = clean(value),
                "www" => about.www = Some(clean(value)),
                "email" => about.email = Some(clean(value)),
                _ => {}
            }
        }
        named.then_some(about)
    }
}

impl fmt::Display for About {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Lower case `name=` first: qpiskvork looks for exactly that.
        write!(
            f,
            r#"name="{}", version="{}", author="{}", country="{}""#,
            self.name, self.version, self.author, self.country
        )?;
        for (key, value) in [("www", &self.www), ("email", &self.email)] {
            if let Some(value) = value {
                write!(f, r#", {key}="{value}""#)?;
            }
        }
        Ok(())
    }
}

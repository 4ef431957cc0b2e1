//! Rust sources as words and signs.

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Token {
    Word(String),
    PathSep,
    Sign(char),
}

/// The words and signs of a source text, without comments, string and character
/// literals and lifetimes.
pub fn tokens(source: &str) -> Vec<Token> {
    let chars: Vec<char> = source.chars().collect();
    let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
    let word_end = |mut i: usize| {
        while at(i).is_alphanumeric() || at(i) == '_' {
            i += 1;
        }
        i
    };
    let mut tokens = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        match at(i) {
            '/' if at(i + 1) == '/' => {
                while i < chars.len() && at(i) != '\n' {
                    i += 1;
                }
            }
            '/' if at(i + 1) == '*' => i = after_comment(&chars, i),
            '"' => i = after_text(&chars, i),
            '\'' if at(i + 1) == '\\' => i = after_character(&chars, i + 3),
            '\'' if at(i + 2) == '\'' => i += 3,
            '\'' => i = word_end(i + 1),
            ':' if at(i + 1) == ':' => {
                tokens.push(Token::PathSep);
                i += 2;
            }
            c if c.is_alphanumeric() || c == '_' => {
                let end = word_end(i);
                let word: String = chars[i..end].iter().collect();
                i = end;
                let raw = matches!(word.as_str(), "r" | "br" | "cr");
                if raw && (at(i) == '"' || at(i) == '#' && matches!(at(i + 1), '#' | '"')) {
                    i = after_raw_text(&chars, i);
                } else if !(raw && at(i) == '#') {
                    tokens.push(Token::Word(word));
                }
            }
            c => {
                if !c.is_whitespace() {
                    tokens.push(Token::Sign(c));
                }
                i += 1;
            }
        }
    }
    tokens
}

fn after_comment(chars: &[char], start: usize) -> usize {
    let (mut depth, mut i) = (0, start);
    while i < chars.len() {
        match chars[i..].get(..2) {
            Some(['/', '*']) => (depth, i) = (depth + 1, i + 2),
            Some(['*', '/']) => {
                (depth, i) = (depth - 1, i + 2);
                if depth == 0 {
                    break;
                }
            }
            _ => i += 1,
        }
    }
    i
}

fn after_text(chars: &[char], start: usize) -> usize {
    let mut i = start + 1;
    while i < chars.len() && chars[i] != '"' {
        i += if chars[i] == '\\' { 2 } else { 1 };
    }
    i + 1
}

fn after_raw_text(chars: &[char], start: usize) -> usize {
    let hashes = chars[start..].iter().take_while(|&&c| c == '#').count();
    let mut i = start + hashes + 1;
    while i < chars.len() {
        let closed = chars[i + 1..].iter().take_while(|&&c| c == '#').count() >= hashes;
        if chars[i] == '"' && closed {
            return i + 1 + hashes;
        }
        i += 1;
    }
    i
}

fn after_character(chars: &[char], start: usize) -> usize {
    let mut i = start;
    while i < chars.len() && chars[i] != '\'' {
        i += 1;
    }
    i + 1
}

//! Kinds of lines in a psq game.

/// Whether a line is a move with a time.
pub(super) fn is_timed(line: &str) -> bool {
    read_move(line).is_some() && line.matches(',').count() == 2
}

/// Whether a text is a number of any length.
pub(super) fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    is_digits(digits)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text is a point such as `h8`.
pub(super) fn is_point(text: &str) -> bool {
    let rest = text.strip_prefix(|c: char| c.is_ascii_alphabetic());
    rest.is_some_and(|row| row.len() <= 2 && is_digits(row))
}

/// Whether a line begins with a number and a comma.
pub(super) fn begins_as_move(line: &str) -> bool {
    line.split_once(',').is_some_and(|(x, _)| is_number(x.trim()))
}

/// Whether a text is several numbers or points and nothing else, like moves in other formats:
/// `8;8;0`, `1: 8,8` or `h8,0`.
pub(super) fn is_other_move(text: &str) -> bool {
    let gap = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '.' | '(' | ')' | '-');
    let mut words = text.split(gap).filter(|word| !word.is_empty());
    words.clone().nth(1).is_some() && words.all(|word| is_digits(word) || is_point(word))
}

/// Parses column, row and milliseconds of a line such as `8,8,120`; the time may be missing.
pub(super) fn read_move(line: &str) -> Option<(usize, usize, u64)> {
    let mut numbers = line.split(',').map(str::trim);
    let x = numbers.next()?.parse().ok()?;
    let y = numbers.next()?.parse().ok()?;
    let ms = match numbers.next() {
        // Piskvork's clock has been seen to run backwards.
        Some(ms) => u64::try_from(ms.parse::<i128>().ok()?.max(0)).ok()?,
        None => 0,
    };
    numbers.next().is_none().then_some((x, y, ms))
}

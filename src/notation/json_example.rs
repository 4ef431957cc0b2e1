//! Checks of the JSON examples in doc comments against the output of the program.

use std::collections::BTreeSet;

use serde_json::Value;

use goren_core::types::read_point;

/// Returns the first example in the doc comment of a source text, as one line.
pub fn text(source: &str) -> String {
    let lines = source.lines().skip_while(|line| *line != "//! ```json").skip(1);
    let lines = lines.take_while(|line| *line != "//! ```");
    let text: String = lines.map(|line| line.trim_start_matches("//!").trim_start()).collect();
    assert!(!text.is_empty(), "no example");
    text
}

/// Checks that the example of a source text has the fields of the printed values,
/// of the same forms. Fields that are empty or null in the example match any value.
pub fn check(source: &str, printed: &[Value]) {
    let example: Value = serde_json::from_str(&text(source)).unwrap();
    compare("", &example, &printed.iter().collect::<Vec<_>>());
}

/// The form of a value; strings that are points in lower case have a form of
/// their own.
fn form(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_f64() => "fraction",
        Value::Number(_) => "integer",
        Value::String(text) => {
            let is_point = read_point(text).is_some() && *text == text.to_lowercase();
            if is_point { "point" } else { "text" }
        }
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Compares a value of the example with all values printed in its place.
fn compare(place: &str, example: &Value, printed: &[&Value]) {
    let form_of = form(example);
    if form_of == "null" {
        return;
    }
    let printed: Vec<&Value> = printed.iter().copied().filter(|value| !value.is_null()).collect();
    let forms: BTreeSet<&str> = printed.iter().map(|value| form(value)).collect();
    assert!(forms.contains(form_of), "{place}: {example} is {form_of}, printed were {forms:?}");
    match example {
        Value::Object(fields) => {
            let objects = printed.iter().filter_map(|value| value.as_object());
            let names: BTreeSet<&String> = objects.flat_map(|object| object.keys()).collect();
            assert_eq!(fields.keys().collect::<BTreeSet<_>>(), names, "fields of {place:?}");
            for (name, field) in fields {
                let values = printed.iter().filter_map(|value| value.get(name));
                compare(&format!("{place}.{name}"), field, &values.collect::<Vec<_>>());
            }
        }
        Value::Array(items) => {
            let values: Vec<&Value> =
                printed.iter().filter_map(|value| value.as_array()).flatten().collect();
            items.iter().for_each(|item| compare(&format!("{place}[]"), item, &values));
        }
        _ => {}
    }
}

#[test]
#[should_panic(expected = ".at: \"H8\" is text, printed were {\"point\"}")]
fn an_example_that_differs_from_the_output_is_refused() {
    let source = "//! ```json\n//! {\"at\":\"H8\",\n//!  \"rows\":[]}\n//! ```\n";
    check(source, &[serde_json::json!({ "at": "h8", "rows": [1] })]);
}

//! Parts of the work of a command, one for each task of a job array.

use std::fmt;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

/// A part of some numbered items: every `of`th, from the `number`th (from 1) on.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Shard {
    /// Number of the part, from 1 to `of`.
    pub(crate) number: u64,
    /// Number of parts.
    pub(crate) of: u64,
}

impl Shard {
    /// All items.
    pub(crate) const WHOLE: Shard = Shard { number: 1, of: 1 };

    /// Whether the part is the whole.
    pub(crate) fn is_whole(self) -> bool {
        self == Shard::WHOLE
    }

    /// Whether an item (from 0) belongs to the part.
    pub(crate) fn has(self, item: u64) -> bool {
        item % self.of == self.number - 1
    }

    /// The number (from 0) among all items of the `own`th item (from 0) of the part.
    pub(crate) fn item(self, own: u64) -> u64 {
        own.saturating_mul(self.of).saturating_add(self.number - 1)
    }

    /// How many of the first `all` items belong to the part.
    pub(crate) fn share(self, all: u64) -> u64 {
        (all + self.of - self.number) / self.of
    }

    /// The value in the first line of a file: the number of the part and of all parts.
    pub(crate) fn header(self) -> Value {
        json!([self.number, self.of])
    }

    /// Reads a value of [`Shard::header`]; null stands for the whole.
    ///
    /// # Errors
    /// The value is no part.
    pub(crate) fn read(header: &Value) -> Result<Shard> {
        let shard = match header {
            Value::Null => Some(Shard::WHOLE),
            Value::Array(two) => match two[..] {
                [ref number, ref of] => number.as_u64().zip(of.as_u64()).and_then(Shard::new),
                _ => None,
            },
            _ => None,
        };
        shard.with_context(|| format!("{header} is not a part"))
    }

    fn new((number, of): (u64, u64)) -> Option<Shard> {
        (1..=of).contains(&number).then_some(Shard { number, of })
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "part {} of {}", self.number, self.of)
    }
}

/// Reads `I/N`.
fn shard(text: &str) -> Result<Shard, String> {
    let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    let shard = parts.and_then(Shard::new);
    shard.ok_or_else(|| "a part is I/N with I from 1 to N, such as 2/8".into())
}

/// The part of the work of a command to do.
#[derive(clap::Args, Copy, Clone, Debug)]
pub(crate) struct ShardArgs {
    /// Do part I of N, such as 2/8, with an output of its own; `goren merge` joins the
    /// parts. In a job array of Slurm the default is the part of the task
    /// (SLURM_ARRAY_TASK_ID), else the whole, 1/1.
    #[arg(long, value_name = "I/N", value_parser = shard)]
    shard: Option<Shard>,
}

impl ShardArgs {
    /// The part given, or that of the task of a job array, with a note; else the
    /// whole.
    ///
    /// # Errors
    /// The part of the task in its job array is unknown.
    pub(crate) fn shard(self) -> Result<Shard> {
        if let Some(shard) = self.shard {
            return Ok(shard);
        }
        let variable = |name: &str| std::env::var(name).ok();
        let Some(shard) = of_job_array(variable)? else { return Ok(Shard::WHOLE) };
        eprintln!("note: {shard}, by the job array; --shard 1/1 does all the work");
        Ok(shard)
    }
}

/// The part of a task of a Slurm job array, by its environment variables; `None`
/// outside of a job array.
///
/// # Errors
/// The numbers of its tasks are not evenly spaced, or are invalid.
fn of_job_array(variable: impl Fn(&str) -> Option<String>) -> Result<Option<Shard>> {
    let Some(task) = variable("SLURM_ARRAY_TASK_ID") else { return Ok(None) };
    let number = |end: &str| {
        let name = format!("SLURM_ARRAY_TASK_{end}");
        let text = variable(&name).with_context(|| format!("{name} is not set"))?;
        text.trim().parse::<u64>().with_context(|| format!("{name} is {text:?}, not a number"))
    };
    let read = || -> Result<Shard> {
        let (task, min, max, count) =
            (number("ID")?, number("MIN")?, number("MAX")?, number("COUNT")?);
        let step = variable("SLURM_ARRAY_TASK_STEP").map_or(Ok(1), |_| number("STEP"))?;
        // Slurm reports the step 1 for any list of numbers.
        let even = step > 0 && min <= max && (max - min) / step + 1 == count;
        ensure!(even, "{count} tasks numbered from {min} to {max} in steps of {step}");
        let inside = (min..=max).contains(&task) && (task - min).is_multiple_of(step);
        ensure!(inside, "task {task} is not one of {min} to {max} in steps of {step}");
        Ok(Shard { number: (task - min) / step + 1, of: count })
    };
    let shard = read().with_context(|| {
        format!("the part of task {task} of this job array is not known; name it by --shard I/N")
    })?;
    Ok(Some(shard))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_args::parse;

    #[test]
    fn parts_are_numbered_from_one() {
        assert_eq!(shard("2/8"), Ok(Shard { number: 2, of: 8 }));
        for bad in ["0/8", "9/8", "0/0", "1/0", "1", "a/b", "-1/2", "1/2/3", "1.0/2", "/", ""] {
            let error = shard(bad).unwrap_err();
            assert!(error.contains("I from 1 to N"), "{bad}");
            let error = parse::<ShardArgs>(&format!("--shard='{bad}'")).unwrap_err().to_string();
            assert!(error.contains("--shard <I/N>"), "{error}");
        }
    }

    #[test]
    fn every_item_belongs_to_one_part() {
        for of in 1..7 {
            for all in 0..20 {
                let parts = (1..=of).map(|number| Shard { number, of });
                let mut seen = Vec::new();
                for part in parts {
                    let own: Vec<u64> = (0..all).filter(|&item| part.has(item)).collect();
                    let by_number = (0..part.share(all)).map(|own| part.item(own));
                    assert_eq!(by_number.collect::<Vec<_>>(), own, "{part}");
                    assert_eq!(Shard::read(&part.header()).unwrap(), part);
                    seen.extend(own);
                }
                seen.sort_unstable();
                assert_eq!(seen, (0..all).collect::<Vec<_>>());
            }
        }
        assert_eq!(Shard::read(&Value::Null).unwrap(), Shard::WHOLE);
        for bad in [json!([0, 3]), json!([4, 3]), json!([1]), json!("1/2"), json!([1, 2, 3])] {
            assert!(Shard::read(&bad).is_err(), "{bad}");
        }
    }

    /// The part by variables `ID MIN MAX STEP COUNT`; `-` is an unset variable.
    fn shard_by(values: &str) -> Result<Option<Shard>> {
        let names = ["ID", "MIN", "MAX", "STEP", "COUNT"];
        let values: Vec<(String, &str)> = names
            .iter()
            .zip(values.split(' '))
            .map(|(name, value)| (format!("SLURM_ARRAY_TASK_{name}"), value))
            .collect();
        of_job_array(|name| {
            let found = values.iter().find(|(known, value)| known == name && *value != "-");
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn a_task_of_a_job_array_has_its_part() {
        assert_eq!(shard_by("- - - - -").unwrap(), None);
        for (values, number, of) in [
            ("0 0 7 1 8", 1, 8),
            ("7 0 7 1 8", 8, 8),
            ("3 1 16 1 16", 3, 16),
            ("9 1 13 4 4", 3, 4),
            ("5 5 5 1 1", 1, 1),
            ("2 1 3 - 3", 2, 3),
        ] {
            assert_eq!(shard_by(values).unwrap(), Some(Shard { number, of }), "{values}");
        }
        for (values, why) in [
            // --array=1,3,7
            ("3 1 7 1 3", "3 tasks numbered from 1 to 7"),
            ("2 1 13 4 4", "task 2 is not one of"),
            ("14 1 13 4 4", "task 14 is not one of"),
            ("1 1 8 0 8", "steps of 0"),
            ("1 1 8 1 -", "SLURM_ARRAY_TASK_COUNT is not set"),
            ("x 1 8 1 8", "SLURM_ARRAY_TASK_ID is \"x\""),
            ("1 8 1 1 8", "from 8 to 1"),
        ] {
            let error = format!("{:#}", shard_by(values).unwrap_err());
            assert!(error.contains(why) && error.contains("--shard I/N"), "{values}: {error}");
        }
    }
}

//! Memory of a process and its descendants (Linux).

/// Returns the process, first, and its living descendants; except on Linux, the process alone.
pub(super) fn family(id: u32) -> Vec<u32> {
    let mut family = vec![id];
    let mut next = 0;
    while let Some(&id) = family.get(next) {
        family.extend(children(id));
        next += 1;
    }
    family
}

#[cfg(target_os = "linux")]
fn children(id: u32) -> Vec<u32> {
    // Any thread of a process may have started children.
    let threads = std::fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten();
    let lists =
        threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| {
            list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>()
        })
        .collect()
}

#[cfg(not(target_os = "linux"))]
fn children(_id: u32) -> Vec<u32> {
    Vec::new()
}

/// Returns the summed peak memory of the process and its descendants, in bytes.
#[cfg(target_os = "linux")]
pub(super) fn peak(id: u32) -> Option<u64> {
    summed(id, |id| of_status(id, "VmHWM:"))
}

/// Unknown on other systems.
#[cfg(not(target_os = "linux"))]
pub(super) fn peak(_id: u32) -> Option<u64> {
    None
}

/// Sums a value over a process and its descendants; `None` if the process itself has none.
#[cfg(target_os = "linux")]
fn summed(id: u32, value: impl Fn(u32) -> Option<u64>) -> Option<u64> {
    let mut family = family(id).into_iter();
    let own = value(family.next()?)?;
    Some(own + family.filter_map(value).sum::<u64>())
}

/// Reads a value of `/proc/ID/status` in bytes: `VmHWM:` is the peak resident set size,
/// `VmRSS:` the current one.
#[cfg(target_os = "linux")]
fn of_status(id: u32, key: &str) -> Option<u64> {
    figure(id, "status", key)
}

/// Reads a value of a file in `/proc/ID`, in bytes.
fn figure(id: u32, file: &str, key: &str) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{id}/{file}")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

/// Returns the resident set size of this process in bytes; `None` if the system does not
/// report it (Linux does).
pub(crate) fn own_resident() -> Option<u64> {
    figure(std::process::id(), "status", "VmRSS:")
}

/// Returns the summed anonymous memory of the process and its descendants, in bytes. Pages of
/// files, including the program, do not count: the system may drop them at any time, and
/// whether they are private depends on which other processes run the same file.
#[cfg(target_os = "linux")]
pub(super) fn private(id: u32) -> Option<u64> {
    summed(id, of_rollup)
}

/// Returns the summed resident set size of the process and its descendants, in bytes.
#[cfg(target_os = "linux")]
pub(super) fn resident(id: u32) -> Option<u64> {
    summed(id, |id| of_status(id, "VmRSS:"))
}

/// Returns the address space of the process itself, in bytes.
#[cfg(target_os = "linux")]
pub(super) fn addresses(id: u32) -> Option<u64> {
    of_status(id, "VmSize:")
}

#[cfg(target_os = "linux")]
fn of_rollup(id: u32) -> Option<u64> {
    figure(id, "smaps_rollup", "Anonymous:")
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_process_has_a_peak() {
        let peak = peak(std::process::id()).unwrap();
        assert!((1 << 20..1 << 40).contains(&peak), "{peak}");
        assert_eq!(super::peak(u32::MAX), None);
        assert_eq!(private(u32::MAX), None);
    }

    #[test]
    fn private_memory_grows_with_the_data_of_a_process() {
        // A separate process, as other tests come and go in this one.
        let hold = "x=$(head -c 40000000 /dev/zero | tr '\\0' x); echo ready; read -r line; : $x";
        let [none, much] = ["echo ready; read -r line", hold].map(|code| {
            let mut command = std::process::Command::new("sh");
            command.args(["-c", code]);
            command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
            let mut child = command.spawn().unwrap();
            let mut ready = [0];
            std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut ready).unwrap();
            let bytes = private(child.id()).unwrap();
            drop(child.stdin.take());
            child.wait().unwrap();
            bytes
        });
        // 40 MB less what both processes hold in common.
        assert!(much > none + 39_000_000, "{none} {much}");
    }
}

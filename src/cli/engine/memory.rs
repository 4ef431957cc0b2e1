//! Memory of a process and its descendants (Linux).

/// The process and all it started, as far as they still live; the process
/// itself comes first. Elsewhere than on Linux, the process alone.
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
    // A process may start others from any of its threads.
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

/// Bytes that the process and its descendants held at their peaks, summed.
#[cfg(target_os = "linux")]
pub(super) fn peak(id: u32) -> Option<u64> {
    summed(id, |id| of_status(id, "VmHWM:"))
}

/// Unknown on this system.
#[cfg(not(target_os = "linux"))]
pub(super) fn peak(_id: u32) -> Option<u64> {
    None
}

/// A figure of a process and its descendants, summed; `None` if the process
/// itself has none.
#[cfg(target_os = "linux")]
fn summed(id: u32, figure: impl Fn(u32) -> Option<u64>) -> Option<u64> {
    let mut family = family(id).into_iter();
    let own = figure(family.next()?)?;
    Some(own + family.filter_map(figure).sum::<u64>())
}

/// A line of what the system says of a process, in bytes: `VmHWM:` is its
/// largest resident set so far, `VmRSS:` that of now.
#[cfg(target_os = "linux")]
fn of_status(id: u32, key: &str) -> Option<u64> {
    figure(id, "status", key)
}

/// A line of a file of `/proc` about a process, in bytes.
fn figure(id: u32, file: &str, key: &str) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{id}/{file}")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

/// Bytes that this process holds now; `None` where the system does not tell (it does on
/// Linux).
pub(crate) fn own_resident() -> Option<u64> {
    figure(std::process::id(), "status", "VmRSS:")
}

/// Bytes that the process and its descendants hold of their own now, summed. Pages of
/// files, the program's among them, are left out: the system may drop them at any time,
/// and whether they are private depends on who else runs the same file.
#[cfg(target_os = "linux")]
pub(super) fn private(id: u32) -> Option<u64> {
    summed(id, of_rollup)
}

/// Bytes that the process and its descendants hold now, summed.
#[cfg(target_os = "linux")]
pub(super) fn resident(id: u32) -> Option<u64> {
    summed(id, |id| of_status(id, "VmRSS:"))
}

/// Bytes of addresses that the process itself uses now.
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
    fn what_a_process_has_to_itself_grows_with_what_it_holds() {
        // A process of its own: other tests in this one come and go.
        let hold = "x=$(head -c 40000000 /dev/zero | tr '\\0' x); echo ready; read -r line; : $x";
        let [none, much] = ["echo ready; read -r line", hold].map(|code| {
            let mut command = std::process::Command::new("sh");
            command.args(["-c", code]);
            command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
            let mut child = command.spawn().unwrap();
            let mut ready = [0];
            std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut ready).unwrap();
            let held = private(child.id()).unwrap();
            drop(child.stdin.take());
            child.wait().unwrap();
            held
        });
        // Less what the two share.
        assert!(much > none + 39_000_000, "{none} {much}");
    }
}

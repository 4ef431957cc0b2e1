//! What a process and its descendants have used, as Linux tells it.

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
    let mut family = family(id).into_iter();
    let own = resident(family.next()?)?;
    Some(own + family.filter_map(resident).sum::<u64>())
}

/// Unknown on this system.
#[cfg(not(target_os = "linux"))]
pub(super) fn peak(_id: u32) -> Option<u64> {
    None
}

/// Largest resident set of a process so far, in bytes.
#[cfg(target_os = "linux")]
fn resident(id: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_process_has_a_peak() {
        let peak = peak(std::process::id()).unwrap();
        assert!((1 << 20..1 << 40).contains(&peak), "{peak}");
        assert_eq!(super::peak(u32::MAX), None);
    }
}

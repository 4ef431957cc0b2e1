//! Tables indexed by code, one for each colour.

use std::sync::Arc;

/// Puts the tables of Black and White behind `Arc`s. Equal tables are shared, which halves
/// their footprint in the cache.
pub(super) fn shared<T: PartialEq>([black, white]: [Box<T>; 2]) -> [Arc<T>; 2] {
    let black = Arc::<T>::from(black);
    let white = if *black == *white { black.clone() } else { Arc::from(white) };
    [black, white]
}

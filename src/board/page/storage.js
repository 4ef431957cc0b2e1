// What the browser keeps between visits; it may have no room, or keep nothing at all.

/**
 * A value that was kept.
 * @param {string} key
 * @param {any} otherwise where there is none, or none that can be read
 */
export function load(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null") ?? otherwise;
  } catch {
    return otherwise;
  }
}

/**
 * Keeps a value; false where there is no room for it. Then the one before stays.
 * @param {string} key
 * @param {any} value
 */
export function save(key, value) {
  return saveText(localStorage, key, JSON.stringify(value));
}

/**
 * Keeps a text, in the tab or for the next visit; false as in `save`.
 * @param {Storage} store
 * @param {string} key
 * @param {string} text
 */
export function saveText(store, key, text) {
  try {
    store.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

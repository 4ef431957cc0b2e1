// What the browser keeps between visits; it may have no room, or keep nothing at all.

/**
 * Keeps for the next visit, or for as long as the tab is open.
 * @typedef {"localStorage" | "sessionStorage"} Store
 */

/**
 * A value that was kept.
 * @param {string} key
 * @param {any} otherwise where there is none, or none that can be read
 * @param {Store} [store]
 */
export function load(key, otherwise, store = "localStorage") {
  try {
    return JSON.parse(loadText(store, key) ?? "null") ?? otherwise;
  } catch {
    return otherwise;
  }
}

/**
 * Keeps a value; false where there is no room for it. Then the one before stays.
 * @param {string} key
 * @param {any} value
 * @param {Store} [store]
 */
export function save(key, value, store = "localStorage") {
  return saveText(store, key, JSON.stringify(value));
}

/**
 * A text that was kept; `null` where there is none.
 * @param {Store} store
 * @param {string} key
 */
export function loadText(store, key) {
  try {
    return globalThis[store].getItem(key);
  } catch {
    return null;
  }
}

/**
 * Keeps a text; false as in `save`.
 * @param {Store} store
 * @param {string} key
 * @param {string} text
 */
export function saveText(store, key, text) {
  try {
    globalThis[store].setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Takes a text away, if there is one.
 * @param {Store} store
 * @param {string} key
 */
export function removeText(store, key) {
  try {
    globalThis[store].removeItem(key);
  } catch {
    // A store that cannot be used has nothing.
  }
}

// The storage of the browser; it may have no room, or store nothing at all.

/**
 * Storage for the next visit, or for as long as the tab is open.
 * @typedef {"localStorage" | "sessionStorage"} Store
 */

/**
 * Returns a stored value.
 * @param {string} key
 * @param {any} otherwise the result if there is none, or it cannot be read
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
 * Stores a value; returns false if there is no room for it. Then the old value stays.
 * @param {string} key
 * @param {any} value
 * @param {Store} [store]
 */
export function save(key, value, store = "localStorage") {
  return saveText(store, key, JSON.stringify(value));
}

/**
 * Returns a stored text; `null` if there is none.
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
 * Stores a text; returns false as `save` does.
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
 * Removes a text, if there is one.
 * @param {Store} store
 * @param {string} key
 */
export function removeText(store, key) {
  try {
    globalThis[store].removeItem(key);
  } catch {
    // An unusable storage has no texts.
  }
}

// Makes and updates elements. Text is always set as text.

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {Element} element
 * @param {Record<string, any>} attributes
 * @param {(Node | string)[]} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value);
    } else if (value !== undefined && value !== null && value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...children);
  return element;
}

/**
 * Makes an HTML element. Attributes that begin with `on` are listeners.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string)} children
 * @returns {any}
 */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/**
 * Makes an SVG element.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string)} children
 * @returns {any}
 */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * Returns the element with an id, which must exist.
 * @param {string} id
 * @returns {any}
 */
export function by(id) {
  return document.getElementById(id);
}

/**
 * Makes a field for a number, and its row.
 * @param {string} label
 * @param {number} value
 * @param {number} least
 * @param {number} most
 * @param {number | "any"} [step]
 */
export function number(label, value, least, most, step = 1) {
  const field = el("input", { type: "number", min: least, max: most, step, required: true, "aria-label": label });
  field.value = String(value);
  return { field, row: el("label", {}, `${label} `, field) };
}

/**
 * Makes a button.
 * @param {string} text
 * @param {() => void} action
 * @param {Record<string, any>} [attributes]
 */
export function button(text, action, attributes = {}) {
  return el("button", { type: "button", onclick: action, ...attributes }, text);
}

/**
 * Sets the buttons of a toolbar. If the texts are the same, the old buttons stay, so that the user
 * can click them and they keep the focus. So the action of a button must not depend on the state
 * at the time when it was made.
 * @param {Element} bar
 * @param {Element[]} buttons
 */
export function renew(bar, buttons) {
  const old = [...bar.children];
  const same = old.length === buttons.length && buttons.every((fresh, index) => fresh.textContent === old[index].textContent);
  if (!same) {
    const focused = bar.contains(document.activeElement) ? document.activeElement : undefined;
    replace(bar, buttons);
    if (focused) {
      refocus(bar, focused);
    }
    return;
  }
  buttons.forEach((fresh, index) => {
    const existing = old[index];
    for (const name of new Set([...fresh.getAttributeNames(), ...existing.getAttributeNames()])) {
      const value = fresh.getAttribute(name);
      if (value === null) {
        existing.removeAttribute(name);
      } else if (value !== existing.getAttribute(name)) {
        existing.setAttribute(name, value);
      }
    }
  });
}

/**
 * Restores the focus in a toolbar, else gives it to the board.
 * @param {Element} bar
 * @param {Element} focused the element that had it
 */
function refocus(bar, focused) {
  const next = bar.contains(focused) ? focused : bar.querySelector("button:not(:disabled)");
  const board = by("board").querySelector("svg");
  /** @type {HTMLElement | null} */ (next ?? board)?.focus();
}

/**
 * Sets the children of an element. Existing children are not removed unless their order changes,
 * so that they keep the focus and the user can click them.
 * @param {Element} element
 * @param {Node[]} children
 */
export function arrange(element, children) {
  const wanted = new Set(children);
  for (const child of [...element.childNodes]) {
    if (!wanted.has(child)) {
      child.remove();
    }
  }
  let at = element.firstChild;
  for (const child of children) {
    if (child === at) {
      at = at.nextSibling;
    } else {
      element.insertBefore(child, at);
    }
  }
}

/**
 * Sets a text if it differs, so that screen readers do not read the same text again.
 * @param {Element} element
 * @param {string} text
 */
export function write(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

/**
 * Replaces the children of an element.
 * @param {Element} element
 * @param {(Node | string)[]} children
 */
export function replace(element, children) {
  element.replaceChildren(...children);
}

/**
 * Returns the Latin letter of a key; in a layout with another alphabet, that of its position.
 * @param {KeyboardEvent} event
 */
export function letter({ key, code }) {
  const other = key.length === 1 && key.charCodeAt(0) > 127;
  return other && code.startsWith("Key") ? code.slice(3).toLowerCase() : key;
}

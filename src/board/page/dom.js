// Makes elements. Text is always set as text.

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
 * An element of HTML. Attributes that begin with `on` are listeners.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string)} children
 * @returns {any}
 */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/**
 * An element of SVG.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string)} children
 * @returns {any}
 */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * The element of an identifier that the page has.
 * @param {string} id
 * @returns {any}
 */
export function by(id) {
  return document.getElementById(id);
}

/**
 * A field for a number, and the row that it stands in.
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
 * A button.
 * @param {string} text
 * @param {() => void} action
 * @param {Record<string, any>} [attributes]
 */
export function button(text, action, attributes = {}) {
  return el("button", { type: "button", onclick: action, ...attributes }, text);
}

/**
 * Gives a toolbar other buttons. One that was there, and has the same text, stays: whoever is
 * about to click it does, and it keeps the focus. So what a button does may not depend on
 * what it was made for.
 * @param {Element} bar
 * @param {Element[]} buttons
 */
export function renew(bar, buttons) {
  const old = [...bar.children];
  const same = old.length === buttons.length && buttons.every((made, index) => made.textContent === old[index].textContent);
  if (!same) {
    const focused = bar.contains(document.activeElement) ? document.activeElement : undefined;
    replace(bar, buttons);
    if (focused) {
      refocus(bar, focused);
    }
    return;
  }
  buttons.forEach((made, index) => {
    const kept = old[index];
    for (const name of new Set([...made.getAttributeNames(), ...kept.getAttributeNames()])) {
      const value = made.getAttribute(name);
      if (value === null) {
        kept.removeAttribute(name);
      } else if (value !== kept.getAttribute(name)) {
        kept.setAttribute(name, value);
      }
    }
  });
}

/**
 * Gives the focus to what is left of a toolbar, or else to the board.
 * @param {Element} bar
 * @param {Element} focused what had it before
 */
function refocus(bar, focused) {
  const next = bar.contains(focused) ? focused : bar.querySelector("button:not(:disabled)");
  const board = by("board").querySelector("svg");
  /** @type {HTMLElement | null} */ (next ?? board)?.focus();
}

/**
 * Gives an element these children. Those that it has already are not taken out, unless their
 * order is another: they keep the focus, and whoever is about to click them does.
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
 * Writes a text, if it is another one: what is read aloud is not read again.
 * @param {Element} element
 * @param {string} text
 */
export function write(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

/**
 * Gives an element other children.
 * @param {Element} element
 * @param {(Node | string)[]} children
 */
export function replace(element, children) {
  element.replaceChildren(...children);
}

/**
 * The Latin letter of a key, where the layout has another alphabet: that of the key's place.
 * @param {KeyboardEvent} event
 */
export function letter({ key, code }) {
  const other = key.length === 1 && key.charCodeAt(0) > 127;
  return other && code.startsWith("Key") ? code.slice(3).toLowerCase() : key;
}

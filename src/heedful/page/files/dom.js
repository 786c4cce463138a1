// Elements, made from what they hold. Text is always text: nothing here reads HTML.

const SVG = "http://www.w3.org/2000/svg";

/** element("p", {class: "note"}, "some text", otherElement) */
export function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** The same for the parts of a picture. */
export function shape(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, String(value));
  }
  node.append(...children.filter((child) => child != null && child !== false));
  return node;
}

/** Replaces all that a node holds. */
export function fill(node, ...children) {
  node.replaceChildren(...children.filter((child) => child != null && child !== false));
  return node;
}

const mine = Math.random().toString(36).slice(2, 8); // another copy of this module counts too
let count = 0;

/** A name that no other element has. */
export function freshId(name) {
  return `${name}-${mine}-${++count}`;
}

/** Draws anew what a node holds; who was in it with the keyboard stays where they were. Elements are
 * known again by their data-key. */
export function keepingFocus(node, draw) {
  const key = node.contains(document.activeElement) && document.activeElement.dataset.key;
  draw();
  if (key) node.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
}

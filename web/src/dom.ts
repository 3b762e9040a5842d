// Creates and finds elements of the page.

type Child = Node | string | null | undefined | false;
type Attribute = string | number | boolean | null | undefined;
type Attributes = Record<string, Attribute | ((event: Event) => void)>;

/**
 * Creates an element, such as `h("button", { type: "button", click: run }, "Run")`. An attribute with a function is an event listener.
 * Children that are null, undefined, false or empty are left out.
 */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else setAttribute(element, name, value);
  }
  element.append(...children.filter((child): child is Node | string => Boolean(child)));
  return element;
}

/** Sets an attribute. ARIA attributes have the values `true` and `false`; all other attributes are true if they are present. */
function setAttribute(element: HTMLElement, name: string, value: Attribute): void {
  if (value === null || value === undefined) return;
  if (name.startsWith("aria-")) element.setAttribute(name, String(value));
  else if (value === true) element.setAttribute(name, "");
  else if (value !== false) element.setAttribute(name, String(value));
}

/** Creates an element with HTML from the engine. The engine has escaped the texts in it. */
export function engineHtml(html: string, attributes: Attributes = {}): HTMLDivElement {
  const element = h("div", { class: "engine-text", ...attributes });
  element.innerHTML = html;
  return element;
}

/** Returns the element with an id. Fails if the page has no such element. */
export function find<T extends HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`there is no #${id}`);
  return element as T;
}

/** Returns a function that calls `action` once, `wait` milliseconds after its own last call. */
export function debounced(wait: number, action: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(action, wait);
  };
}

export type Child = Node | string | number | false | null | undefined

/** An element; `part` is the name by which the page's style sheets reach it. */
export function element(name: string, attributes: Record<string, string> = {}, ...children: Child[]): HTMLElement {
  const made = document.createElement(name)
  // Not `in`, here and elsewhere: old libraries give every object more names.
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  fill(made, ...children)
  return made
}

/** Puts those that are there into an element, instead of what it has. */
export function fill(parent: HTMLElement, ...children: Child[]): void {
  parent.replaceChildren(...(children.filter(Boolean) as (Node | string)[]))
}

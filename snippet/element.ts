export type Child = Node | string | number | false | null | undefined

/** Creates an element; the page's style sheets reach it by its `part`. */
export function element(
  name: string,
  attributes: Record<string, string | true> | 0 = 0,
  ...children: Child[]
): HTMLElement {
  const made = document.createElement(name)
  // Not `in`, here and elsewhere: old libraries extend the prototype of every object.
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value as string)
  fill(made, ...children)
  return made
}

/** The elements of the page that match a selector. @throws if it is invalid */
export function find<T extends HTMLElement>(selector: string): T[] {
  return [...document.querySelectorAll<T>(selector)]
}

/** Replaces an element's children, skipping falsy ones. */
export function fill(parent: ParentNode, ...children: Child[]): void {
  parent.replaceChildren(...(children.filter(Boolean) as (Node | string)[]))
}

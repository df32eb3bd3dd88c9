/**
 * Takes from a page what came to browsers after the versions that docs/snippet.md and docs/console.md promise: Chrome 107,
 * Firefox 106, Safari 16.4. Each line is a function that was used by mistake, or would be easily. It is an init script, and so
 * imports nothing.
 */
export function takeLaterFunctions(): void {
  const later: [holder: object | undefined, ...names: string[]][] = [
    // Firefox 124, Safari 17.4
    [AbortSignal, 'any'],
    // Firefox 115 and 126, Safari 17 and 18
    [URL, 'canParse', 'parse'],
    [URLSearchParams.prototype, 'size'],
    [Array.prototype, 'toSorted', 'toReversed', 'toSpliced', 'with'],
    [Array, 'fromAsync'],
    [Object, 'groupBy'],
    [Map, 'groupBy'],
    [Promise, 'withResolvers', 'try'],
    [Set.prototype, 'union', 'intersection', 'difference', 'isSubsetOf', 'isSupersetOf', 'isDisjointFrom'],
    [Reflect.get(globalThis, 'Iterator')?.prototype, 'map', 'filter', 'take', 'drop', 'flatMap', 'reduce', 'toArray'],
    [Reflect.get(globalThis, 'Iterator')?.prototype, 'forEach', 'some', 'every', 'find'],
    [String.prototype, 'isWellFormed', 'toWellFormed'],
    [Response, 'json'],
    [Blob.prototype, 'bytes'],
    [Response.prototype, 'bytes'],
    [ReadableStream, 'from'],
    [HTMLElement.prototype, 'popover', 'showPopover', 'hidePopover', 'togglePopover'],
    [Element.prototype, 'checkVisibility', 'setHTMLUnsafe', 'setHTML', 'moveBefore'],
    [Element.prototype, 'role'],
    [Document, 'parseHTMLUnsafe'],
    // Firefox 147, Safari 26.2
    [globalThis, 'navigation'],
  ]
  for (const [holder, ...names] of later) for (const name of names) if (holder) Reflect.deleteProperty(holder, name)
}

/** The favicon: a quotation mark. Inlined, which saves a request. */
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#23586b"/><path fill="#fff" d="M7 23v-6c0-4 2-6.5 6-7.500l.7 2.3c-2 .7-3 2-3 4.200H14v7zm11 0v-6c0-4 2-6.5 6-7.500l.7 2.3c-2 .7-3 2-3 4.200H25v7z"/></svg>`

/** For pages whose policy allows images from `data:`. */
export const ICON_LINK = `<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(SVG)}">`

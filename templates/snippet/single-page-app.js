// For a site whose pages change without being loaded: a container that stays, and one call after each change of route.
// The tag stands in the HTML once; a tag in <head> shows nothing by itself, it lends its key to the containers:
//   <script async src="https://reviews.example.com/snippet.js" data-key="svc_pk_live_YOUR_PUBLISHABLE_KEY"></script>
//   <div data-pullquote data-limit="3"></div>

/** Calls `work` with the snippet's interface, now or when its file has arrived. */
function withPullquote(work) {
  if (window.pullquote?.render) return work(window.pullquote)
  const tag = document.querySelector('script[src*="/snippet."]')
  tag?.addEventListener('load', () => work(window.pullquote), { once: true })
}

// Call this when the router has drawn the new page, heading and title included: the query is derived from them.
// React: in an effect that depends on the path. Vue: in router.afterEach, after nextTick. Turbo: on "turbo:load".
export function onRouteChange() {
  withPullquote((pullquote) => pullquote.refresh())
}

// Or show reviews in an element of a component, with a query of its own.
export function showReviews(element, product) {
  withPullquote((pullquote) =>
    pullquote.render(element, { query: product.name, limit: 3, metadata: { product: product.sku } }),
  )
}

// What came of it is told by events that bubble up to the document.
document.addEventListener('pullquote:loaded', (event) => {
  const { response, requestId } = event.detail
  console.debug(`${response.results.length} reviews (${requestId})`, event.target)
})

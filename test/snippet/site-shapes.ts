/** The markup of kinds of sites, written after their manner: what site builders, shops, old pages and applications put around a tag. */

export interface Shape {
  name: string
  /** With `TAG` where the tag stands, or `WRITTEN` for it as a string of a script. */
  html: string
  /** What is asked; empty: the newest reviews. */
  q: string
  /** What `pullquote snippet --url` derives, where a style sheet or a script makes it another. */
  preview?: string
  /** With `HOST` for the origin of the service. */
  csp?: string
  /** The page ends with .xhtml and is sent as such. */
  isXml?: boolean
  dark?: boolean
  reducedMotion?: 'reduce'
  /** Narrower cards than elsewhere are right there. */
  isNarrow?: boolean
}

const head = (title: string, more = '') =>
  `<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>${more}</head>`
const site = (name: string) => `<meta property="og:site_name" content="${name}">`
const describe = (text: string) => `<meta name="description" content="${text}">`

export const SHAPES: Shape[] = [
  {
    name: 'a shop theme, whose logo is the first heading',
    html: `<html lang="en">${head('Oak desk lamp – Lumen &amp; Sons', `${site('Lumen &amp; Sons')}${describe('A lamp with a dimmer.')}<style>html { font-size: 62.5% } body { font: 1.6rem/1.5 Assistant, sans-serif; letter-spacing: .06rem; margin: 0 } .page-width { max-width: 120rem; margin: 0 auto; padding: 0 1.5rem } .shopify-section { display: grid; grid-template-columns: repeat(12, 1fr) } .rte { grid-column: 1 / -1; text-align: center } ul { list-style: disc; padding-left: 4rem } a { text-underline-offset: .3rem }</style>`)}
<body><header class="page-width"><h1 class="header__heading"><a href="/">Lumen &amp; Sons</a></h1></header><main><section class="shopify-section page-width"><div class="rte"><h2>Oak desk lamp</h2>TAG</div></section></main></body></html>`,
    q: 'Oak desk lamp',
  },
  {
    name: 'the collection of a shop theme, whose heading says so to screen readers',
    html: `<html lang="en">${head('\n      Desk lamps\n &ndash; Lumen\n    ', `${site('Lumen')}<style>.visually-hidden { position: absolute !important; overflow: hidden; width: 1px; height: 1px; margin: -1px; clip-path: inset(50%) } h1 { display: grid; gap: 1rem }</style>`)}
<body><main><div class="collection-hero"><h1 class="collection-hero__title">
        <span class="visually-hidden">Collection: </span>Desk lamps
      </h1></div>TAG</main></body></html>`,
    q: 'Desk lamps',
  },
  {
    name: 'the archive of a category in a block theme',
    html: `<html lang="en-US">${head('Breakfast &#8211; Pension Alder')}<body class="archive category"><main class="wp-block-group is-layout-flow"><h1 class="wp-block-query-title">Category: <span>Breakfast</span></h1>TAG</main></body></html>`,
    q: 'Breakfast',
  },
  {
    name: 'a picture as the heading',
    html: `<html lang="en">${head('Sauna | Lakeside', describe('With a view.'))}<body><h1><a href="/"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="Lakeside"><svg viewBox="0 0 9 9" width="9"><path d="M0 0h9v9z"/></svg></a></h1>TAG</body></html>`,
    q: 'Sauna',
  },
  {
    name: 'a front page of a country, named by its picture and its words',
    html: `<html lang="en-GB">${head('Rooms and suites | Alder Lodge | Home')}<body><a href="/en-gb/"><picture><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="Alder Lodge"></picture></a><a href="/en-gb/">Home</a><h1>Our rooms</h1>TAG</body></html>`,
    q: 'Our rooms',
  },
  {
    name: 'a block theme with nested wrappers of a page builder',
    html: `<html lang="en-US">${head('Rooms &#8211; Pension Alder', `${site('Pension Alder')}<style>body { margin: 0; --wp--style--root--padding-left: 30px } .is-layout-constrained > * { max-width: 620px; margin-inline: auto } .is-layout-flow > * + * { margin-block-start: 24px } .elementor-widget-wrap { display: flex; flex-wrap: wrap; align-content: flex-start; width: 100% } .elementor-element { position: relative; min-width: 0 } .elementor-column { display: flex; min-height: 1px } .elementor li { margin-bottom: 2em } blockquote { border-left: 5px solid #c00; padding-left: 2em; font-style: italic }</style>`)}
<body class="elementor"><main class="is-layout-constrained"><div class="elementor-section"><div class="elementor-column"><div class="elementor-widget-wrap is-layout-flow"><div class="elementor-element"><h1 class="elementor-heading-title">Rooms</h1></div><div class="elementor-element" style="width: 100%">TAG</div></div></div></div></main></body></html>`,
    q: 'Rooms',
  },
  {
    name: 'absolute places of a site builder',
    html: `<html lang="en">${head('HOME | Cafe Anemone', '<style>body { margin: 0 } #SITE_CONTAINER { position: relative; min-height: 900px; overflow: hidden } .comp { position: absolute; left: 20px; top: 120px; width: calc(100% - 40px) } h1 span { display: block }</style>')}
<body><div id="SITE_CONTAINER"><div style="position: absolute; top: 20px; left: 20px"><h1><span>Fresh</span><span>coffee</span></h1></div><div class="comp">TAG</div></div></body></html>`,
    q: 'Fresh coffee',
    preview: 'Freshcoffee',
  },
  {
    name: 'a heading of blocks, breaks and letters that move in one by one',
    html: `<html lang="en">${head('Dinner', '<style>.letter { display: inline-block }</style>')}<body><h1 class="w-heading"><div>Dinner</div><div style="display:block">by <em>the</em><br>l<span class="letter">a</span><span class="letter">k</span>e</div></h1>TAG</body></html>`,
    q: 'Dinner by the lake',
  },
  {
    name: 'a heading with a style sheet, a drawing and words for another width within it',
    html: `<html lang="en">${head('Lakeside', '<style>.narrow { display: none } h1 { text-transform: uppercase }</style>')}<body><h1><style>.words { color: #333 }</style><svg width="9" height="9"><title>A bed</title></svg>
      <span class="words">Rooms and suites</span><span class="narrow"> Rooms</span></h1>TAG</body></html>`,
    q: 'ROOMS AND SUITES',
    preview: 'Rooms and suites Rooms',
  },
  {
    name: 'a hidden heading for screen readers, and two more',
    html: `<html lang="en">${head('Tarnholm', '<style>.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) } .no { display: none }</style>')}<body><h1 class="visually-hidden">Parking at the hotel</h1><h1>Second</h1><div class="no"><h1>Third</h1></div>TAG</body></html>`,
    q: 'Parking at the hotel',
  },
  {
    name: 'a heading that is not displayed',
    html: `<html lang="en">${head('Wifi')}<body><div style="display: none"><h1>Wifi
      and desks<br>to work at</h1></div>TAG</body></html>`,
    q: 'Wifi and desksto work at',
    preview: 'Wifi and desks to work at',
  },
  {
    name: 'a heading that an animation will reveal',
    html: `<html lang="en">${head('Rooms – Alder', '<style>.reveal { visibility: hidden }</style>')}<body><h1 class="reveal">Quiet <span>rooms</span></h1>TAG</body></html>`,
    q: 'Quiet rooms',
  },
  {
    name: 'headings of a menu and of a logo before the page’s own',
    html: `<html lang="en">${head('Hotel Alder')}<body><div style="display: none"><h1>Site map</h1></div><h1 style="visibility: hidden">Loading</h1><h1><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="Hotel Alder"></h1><h1>Breakfast</h1>TAG</body></html>`,
    q: 'Breakfast',
    preview: 'Site map',
  },
  {
    name: 'the name of the site as the first heading of each page, and a title that begins with the second',
    html: `<html lang="en">${head('Breakfast &laquo; Hotel Alder')}<body><header><h1><a href="/">Hotel Alder</a></h1></header><article><h1>Breakfast</h1>TAG</article></body></html>`,
    q: 'Breakfast',
  },
  {
    name: 'a front page that says nothing but the name of its site, in the heading, the title and the menu',
    html: `<html lang="en">${head('Home | Hotel Alder')}<body><header><h1><a href="/" rel="home">Hotel Alder</a></h1><nav><a href="/">Home</a><a href="/rooms">Rooms</a></nav></header>TAG</body></html>`,
    q: '',
  },
  {
    name: 'the heading of a menu item above a page, whose title says what it is about',
    html: `<html lang="en">${head('Our rooms')}<body><nav><ul><li><a href="/index.php">Home</a></li></ul></nav><main><h1> Home </h1><h2>Our rooms</h2>TAG</main></body></html>`,
    q: 'Our rooms',
  },
  {
    name: 'a logo as the only heading, and titles that begin with the site’s names',
    html: `<html lang="de">${head('Hotel Alder | Frühstück | Alder Hotels', '<meta name="og:site_name" content="Alder Hotels">')}<body><h1><a href="/de/">HOTEL<br>Alder</a></h1><p><a href="/de/">Hotel Alder</a>TAG</body></html>`,
    q: 'Frühstück',
  },
  {
    name: 'a Japanese title, whose parts a wide bar separates',
    html: `<html lang="ja">${head('朝食のご案内｜湖畔の宿', site('湖畔の宿'))}<body><h2>朝食</h2>TAG</body></html>`,
    q: '朝食のご案内',
  },
  {
    name: 'a picture that floats beside the reviews and leaves them hardly any room',
    html: `<html lang="en">${head('Garden', '<style>body { margin: 0 } .picture { float: left; width: 92%; height: 120px; background: #ddd }</style>')}<body><h1>Garden</h1><div class="picture"></div>TAG<p>After</p></body></html>`,
    q: 'Garden',
  },
  {
    name: 'a float grid of 2014, with a fixed bar',
    html: `<html lang="en">${head('Dentist in Elm Street', '<style>* { box-sizing: border-box } body { font: 14px/1.428 Helvetica, sans-serif; margin: 0; padding-top: 51px } .navbar { position: fixed; top: 0; left: 0; right: 0; height: 51px; z-index: 1030; background: #222 } .container { width: 100%; max-width: 1170px; margin: 0 auto; padding: 0 15px } .row::after { content: ""; display: table; clear: both } .col-md-8 { float: left; width: 66.66% } .col-md-4 { float: left; width: 33.33% } @media (max-width: 991px) { .col-md-8, .col-md-4 { width: 100% } } blockquote { font-size: 17.5px; border-left: 5px solid #eee } small, footer, cite { color: #999 } mark { background: #fcf8e3 }</style>')}
<body><div class="navbar"></div><div class="container"><div class="row"><div class="col-md-8"><h1>Our dentists <small>since 1988</small></h1>TAG</div><div class="col-md-4"><p>Opening hours</p></div></div></div></body></html>`,
    q: 'Our dentists since 1988',
  },
  {
    name: 'utility classes on a dark page',
    html: `<html lang="en" class="dark">${head('Pricing – Tidepool', `${site('Tidepool')}<style>*, ::before, ::after { box-sizing: border-box; border: 0 solid; margin: 0; padding: 0 } body { background: oklch(0.13 0.028 261); color: oklch(0.97 0.003 264); font-family: system-ui } .prose { max-width: 65ch; margin: 0 auto; padding: 1rem }</style>`)}
<body><div class="prose"><h1>Pricing</h1>TAG</div></body></html>`,
    q: 'Pricing',
    dark: true,
  },
  {
    name: 'everything unset',
    html: `<html lang="en">${head('Quiet rooms', '<style>* { all: unset } html, body, div, main, h1 { display: block } :where(*) { font: inherit; color: inherit }</style>')}
<body><main><h1>Quiet rooms</h1>TAG</main></body></html>`,
    q: 'Quiet rooms',
  },
  {
    name: 'tables for the layout, in quirks mode',
    html: `<!-- quirks --><HTML>${head('Welcome to our Inn')}<BODY BGCOLOR="#ffffcc" TEXT="#000033"><TABLE WIDTH="100%" BORDER=0 CELLPADDING=10><TR><TD WIDTH=90 VALIGN=top><FONT FACE=Verdana>Menu</FONT><TD ALIGN=center><FONT SIZE=5><B>Welcome</B></FONT>TAG</TABLE></BODY></HTML>`,
    q: 'Welcome to our Inn',
  },
  {
    name: 'a root of 28 pixels and a narrow column',
    html: `<html lang="en" style="font-size: 28px">${head('Sauna by the lake')}<body style="margin: 0"><main style="padding: 8px"><h1>Sauna</h1>TAG</main></body></html>`,
    q: 'Sauna',
  },
  {
    name: 'a strict policy, a base address and a page from right to left',
    html: `<html lang="ar" dir="rtl">${head('غرف هادئة', '<base href="/elsewhere/">')}<body><main><h1>غرف هادئة على البحيرة</h1>TAG</main></body></html>`,
    q: 'غرف هادئة على البحيرة',
    csp: "default-src 'none'; script-src HOST; connect-src HOST; style-src 'none'; require-trusted-types-for 'script'",
  },
  {
    name: 'flex items that scroll sideways, for a reader who wants no motion',
    html: `<html lang="en">${head('Stories', '<style>html { scroll-behavior: smooth } * { transition: all .4s } .w-layout-hflex { display: flex; flex-wrap: nowrap; gap: 20px } .w-layout-hflex > * { flex: 1 1 0; min-width: 0 }</style>')}<body><div class="w-layout-hflex"><div><h1>Stories</h1>TAG</div></div></body></html>`,
    q: 'Stories',
    reducedMotion: 'reduce',
  },
  {
    name: 'XHTML, read by a parser of XML',
    html: `<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml" lang="en"><head><title>Boats &amp; bikes</title><meta name="description" content="To borrow." /></head><body><h1>Boats<br />and bikes</h1>TAG</body></html>`,
    q: 'Boats and bikes',
    isXml: true,
  },
  {
    name: 'a tag that a script writes into the document',
    html: `<html lang="en">${head('Garden')}<body><h1>Garden</h1><div><script>document.write(WRITTEN)</script></div><p>More</p></body></html>`,
    q: 'Garden',
  },
  {
    name: 'a tag that a tag manager adds late, with a target in a component of its own',
    html: `<html lang="en">${head('Terrace')}<body><h1>Terrace</h1><div id="late"></div><template>TAG</template><script>setTimeout(() => { const tag = document.createElement('script'); for (const { name, value } of document.querySelector('template').content.querySelector('script').attributes) tag.setAttribute(name, value); tag.dataset.target = '#late'; document.head.append(tag) }, 200)</script></body></html>`,
    q: 'Terrace',
  },
  {
    name: 'columns of a newspaper',
    html: `<html lang="en">${head('News', '<style>article { columns: 2 20rem }</style>')}<body><article><h1>News</h1><p>One</p>TAG<p>Two</p></article></body></html>`,
    q: 'News',
  },
  {
    name: 'a carousel that cuts off what is outside, in a grid that is too narrow',
    html: `<html lang="en">${head('Rooms', '<style>.grid { display: grid; grid-template-columns: 1fr } .swiper { overflow: hidden } .slide { width: 100%; flex-shrink: 0 } .track { display: flex; width: 100% }</style>')}<body><div class="grid"><div class="swiper"><div class="track"><div class="slide"><h1>Rooms</h1>TAG</div><div class="slide">Two</div></div></div></div></body></html>`,
    q: 'Rooms',
  },
  {
    name: 'a heading in capitals by its style sheet alone',
    html: `<html lang="en">${head('Lakeside', '<style>h1 { text-transform: uppercase }</style>')}<body><h1>
      Rooms and suites
    </h1>TAG</body></html>`,
    q: 'Rooms and suites',
  },
  {
    name: 'a page in capitals, zoomed by its style sheet',
    html: `<html lang="en">${head('Weddings', '<style>body { zoom: 1.25; text-transform: uppercase; font-variant: small-caps; text-align: justify; word-spacing: 3px; hyphens: auto; writing-mode: horizontal-tb }</style>')}<body><h1>Weddings<br>by the lake</h1>TAG</body></html>`,
    q: 'WEDDINGS BY THE LAKE',
    preview: 'Weddings by the lake',
  },
]

import iconv from 'iconv-lite'
import * as assert from 'uvu/assert'
import { suite } from '../../../suite.ts'
import { prepare, refusalOf, reviewsOf } from '../../prepared.ts'

const test = suite('XML')

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
const review = (id: number, more = '') =>
  `<review><id>${id}</id><author>Ida</author><date>2026-01-05</date><rating>4</rating><text>Text ${id}.</text>${more}</review>`
const textsOf = async (xml: string | Uint8Array) => (await reviewsOf(xml)).map(({ text }) => text)

test('records are read wherever they stand, and one alone is one too', async () => {
  assert.equal(await textsOf(`${DECLARATION}<reviews>${review(1)}${review(2)}</reviews>`), ['Text 1.', 'Text 2.'])
  assert.equal(await textsOf(`<reviews>\n${review(1)}\n</reviews>\n`), ['Text 1.'])
  const bag = `<product><name>Bag</name><reviews>${review(1)}</reviews></product>`
  const cup = `<product><name>Cup</name><reviews>${review(2)}${review(3)}</reviews></product>`
  assert.equal(await textsOf(`${DECLARATION}<products>${bag}${cup}</products>`), ['Text 1.', 'Text 2.', 'Text 3.'])
  const answer = `<s:Envelope xmlns:s="urn:s"><s:Body><n:list>${review(1)}</n:list></s:Body></s:Envelope>`
  assert.equal(await textsOf(DECLARATION + answer), ['Text 1.'])
})

test('attributes are columns, and the text beside them is the review', async () => {
  const [first, second] = await reviewsOf(
    `${DECLARATION}<testimonials><testimonial id="7" author="Bo" stars="5" date="2026-01-05">Kind &amp; <b>quick</b>.</testimonial>` +
      '<testimonial id="8" author="Cy" stars="2" date="2026-01-06"><![CDATA[Late & <cold>.]]></testimonial></testimonials>',
  )
  assert.equal([first?.external_id, first?.author_name, first?.rating, first?.text], ['7', 'Bo', 5, 'Kind & quick.'])
  assert.equal([second?.external_id, second?.rating, second?.text], ['8', 2, 'Late & <cold>.'])
})

test('markup among the words of a text leaves them whole, with its lines', async () => {
  const marked = (text: string) => `${DECLARATION}<reviews>${review(1).replace('Text 1.', text)}${review(2)}</reviews>`
  assert.equal(await textsOf(marked('A <b>warm</b> <i>and <u>quiet</u></i> room.')), [
    'A warm and quiet room.',
    'Text 2.',
  ])
  assert.equal(await textsOf(marked('One.<br/>Two.')), ['One.\nTwo.', 'Text 2.'])
  assert.equal(await textsOf(marked('<p>One.</p><p>Two.</p>')), ['One.\nTwo.', 'Text 2.'])
})

test("the rating of Google's merchant feed is read on the scale that it names", async () => {
  const one = (id: number, best: number, rating: number) =>
    `<review id="${id}" mid="3"><reviewer_name>Ada</reviewer_name><create_timestamp>2026-01-12T07:55:06Z</create_timestamp>` +
    `<content>Text ${id}.</content><ratings><overall min="1" max="${best}">${rating}</overall></ratings></review>`
  const { tables, rows } = await prepare(
    `${DECLARATION}<feed><merchants><merchant id="3"><name>Shop</name></merchant></merchants>` +
      `<reviews>${one(1, 10, 4)}${one(2, 10, 9)}</reviews></feed>`,
  )
  assert.is(tables[0]?.plan.format.name, 'google-merchant-reviews')
  assert.equal(
    rows.map(({ review: { rating } }) => rating),
    [2, 5],
  )
})

test('feeds give the plain form of a text that they have in two', async () => {
  const entry = (id: number, html: string) =>
    `<entry><id>${id}</id><updated>2026-02-27T05:06:07-07:00</updated><author><name>Ada</name></author><rating>5</rating>` +
    `<content type="text">Text ${id}.</content><content type="html">${html}</content></entry>`
  const feed = `<feed xmlns="http://www.w3.org/2005/Atom"><link rel="self"/><link rel="next"/>${entry(1, '&lt;p&gt;Text&lt;/p&gt;')}${entry(2, '<table><tr><td>Text</td></tr></table>')}</feed>`
  assert.equal(await textsOf(DECLARATION + feed), ['Text 1.', 'Text 2.'])
})

test("a shop's feed of comments (RSS) is read with its own words for author and day", async () => {
  const item = (id: number) =>
    `<item><title>By: Ida</title><link>https://example.com/${id}</link><guid isPermaLink="false">g-${id}</guid>` +
    `<pubDate>Mon, 05 Jan 2026 10:00:00 +0000</pubDate><dc:creator>Ida</dc:creator><description>Text ${id}.</description></item>`
  const feed = `<rss xmlns:dc="urn:dc"><channel><title>Comments</title>${item(1)}${item(2)}</channel></rss>`
  const [first] = await reviewsOf(DECLARATION + feed)
  assert.equal([first?.author_name, first?.text], ['Ida', 'Text 1.'])
  assert.is(first?.occurred_at.toISOString(), '2026-01-05T10:00:00.000Z')
})

test("databases' own XML has its columns in attributes", async () => {
  const row = (id: number) =>
    `<row><field name="id">${id}</field><field name="author">Ida</field><field name="created_at">2026-01-05 10:00:00</field>` +
    `<field name="body">Text ${id}.</field></row>`
  const table = `<table_data name="reviews">${row(1)}${row(2)}</table_data>`
  const structure = '<table_structure name="reviews"><field Field="id"/><field Field="body"/></table_structure>'
  const dump = `${DECLARATION}<mysqldump><database name="shop">${structure}${table}</database></mysqldump>`
  assert.equal(await textsOf(dump), ['Text 1.', 'Text 2.'])
  assert.equal(await textsOf(`${DECLARATION}<resultset statement="select">${row(1)}</resultset>`), ['Text 1.'])
})

test('the encoding is the one that it declares, unless its bytes say otherwise', async () => {
  const xml = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?>\n<reviews>${review(1).replace('Text 1.', 'Süßer Tee für 3 ¤.')}</reviews>`
  assert.equal(await textsOf(Buffer.from(xml('ISO-8859-15'), 'latin1')), ['Süßer Tee für 3 €.'])
  assert.equal(await textsOf(xml('ISO-8859-15')), ['Süßer Tee für 3 ¤.'])
  assert.equal(await textsOf(Buffer.from(`\ufeff${xml('UTF-16')}`, 'utf16le')), ['Süßer Tee für 3 ¤.'])
  for (const encoding of ['windows-1252', 'ISO-8859-1', 'ks_c_5601-1987']) {
    const text = encoding.startsWith('ks') ? '맛있어욬ㅋㅋ' : '“Tea” – 3 €'
    const bytes = iconv.encode(
      xml(encoding).replace('Süßer Tee für 3 ¤.', text),
      text === '맛있어욬ㅋㅋ' ? 'cp949' : 'windows-1252',
    )
    assert.equal(await textsOf(bytes), [text])
  }
})

test('a shop that exports its whole WordPress gets the comments on its products and those with stars, and a blog all of them', async () => {
  const comment = (id: number) =>
    `<wp:comment><wp:comment_id>${id}</wp:comment_id><wp:comment_author>Ida</wp:comment_author>` +
    `<wp:comment_date_gmt>2026-01-05 10:00:00</wp:comment_date_gmt><wp:comment_content>Text ${id}.</wp:comment_content>` +
    '<wp:comment_approved>1</wp:comment_approved><wp:comment_parent>0</wp:comment_parent></wp:comment>'
  const item = (type: string, ...ids: number[]) =>
    `<item><title>T</title><wp:post_type>${type}</wp:post_type>${ids.map(comment).join('')}</item>`
  const site = (...items: string[]) =>
    `${DECLARATION}<rss xmlns:wp="urn:wp"><channel><wp:wxr_version>1.2</wp:wxr_version>${items.join('')}</channel></rss>`
  const rated = item('page', 4).replace(
    '</wp:comment>',
    '<wp:commentmeta><wp:meta_key>rating</wp:meta_key><wp:meta_value>2</wp:meta_value></wp:commentmeta></wp:comment>',
  )
  const shop = await prepare(site(item('post', 1), item('product', 2, 3), item('product'), rated))
  assert.equal(
    shop.rows.map(({ review: { text, rating } }) => [text, rating]),
    [
      ['Text 2.', null],
      ['Text 3.', null],
      ['Text 4.', 2],
    ],
  )
  assert.match(shop.warnings.map(({ message }) => message).join(), '1 comment on its pages and posts')
  assert.equal(await textsOf(site(item('post', 1), item('page', 2))), ['Text 1.', 'Text 2.'])
  assert.is(await refusalOf(() => prepare(site(item('post')))), 'no_rows')
})

test('web pages, spreadsheets and broken documents are refused as what they are', async () => {
  for (const [xml, code] of [
    [`${DECLARATION}<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN"><html><head/></html>`, 'web_page'],
    [`${DECLARATION}<!-- saved --><html><body>${review(1)}</body></html>`, 'web_page'],
    [`${DECLARATION}<?mso-application progid="Excel.Sheet"?><Workbook/>`, 'spreadsheet_file'],
    [`${DECLARATION}<reviews>${review(1)}<review><text>Cut`, 'bad_xml'],
    // Behind a whole document, a second one that was cut off within a tag.
    [`${DECLARATION}<reviews>${review(1)}</reviews>\n<reviews `, 'bad_xml'],
    [`${DECLARATION}<reviews>${review(1).replace('Text 1.', 'Broke in <3 days.')}</reviews>`, 'bad_xml'],
    [`${DECLARATION}<reviews>${review(1).replace('Text 1.', 'One<br>two.')}</reviews>`, 'bad_xml'],
    [`${DECLARATION}<reviews>${'<a>'.repeat(101)}${'</a>'.repeat(101)}</reviews>`, 'bad_xml'],
    [
      `${DECLARATION}<urlset><url><loc>https://example.com/</loc></url><url><loc>https://example.com/a</loc></url></urlset>`,
      'mapping_needed',
    ],
  ] as const)
    assert.is(await refusalOf(() => prepare(xml)), code, xml.slice(0, 120))
})

test("entities of a document's own are not expanded, and names like __proto__ are only names", async () => {
  const entities = '<!DOCTYPE r [<!ENTITY a "boom"><!ENTITY b "&a;&a;">]>'
  const xml = `${DECLARATION}${entities}<reviews>${review(1, '<__proto__>x</__proto__>').replace('Text 1.', 'It is &b;')}</reviews>`
  assert.equal(await textsOf(xml), ['It is &b;'])
})

test('the testimonials of a WordPress are its posts of that kind, and not what readers say of its blog', async () => {
  const post = (id: number, type: string, title: string, status: string, meta: Record<string, string>) =>
    `<item><title>${title}</title><content:encoded><![CDATA[<!-- wp:paragraph {"dropCap":true} --><p>Text ${id}.</p><!-- /wp:paragraph -->]]></content:encoded>` +
    `<excerpt:encoded></excerpt:encoded><wp:post_id>${id}</wp:post_id><wp:post_date>2026-01-0${id} 11:00:00</wp:post_date>` +
    `<wp:post_date_gmt>${status === 'draft' ? '0000-00-00 00:00:00' : `2026-01-0${id} 10:00:00`}</wp:post_date_gmt>` +
    `<wp:status>${status}</wp:status><wp:post_type>${type}</wp:post_type>` +
    Object.entries(meta)
      .map(
        ([key, value]) =>
          `<wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value>${value}</wp:meta_value></wp:postmeta>`,
      )
      .join('') +
    '</item>'
  const comment =
    '<item><wp:post_type>post</wp:post_type><wp:comment><wp:comment_id>1</wp:comment_id><wp:comment_author>Reader</wp:comment_author>' +
    '<wp:comment_date_gmt>2026-01-05 10:00:00</wp:comment_date_gmt><wp:comment_content>Which oven do you use?</wp:comment_content>' +
    '<wp:comment_approved>1</wp:comment_approved><wp:comment_parent>0</wp:comment_parent></wp:comment></item>'
  const items = [
    post(1, 'wpm-testimonial', 'A treat', 'publish', {
      email: 'ann@example.com',
      client_name: 'Ann',
      star_rating: '4',
    }),
    post(2, 'jetpack-testimonial', 'Ben', 'publish', {}),
    post(3, 'testimonials', 'Cleo', 'draft', { _form: 'a:1:{s:4:"name";s:1:"X";}' }),
    post(4, 'wpm-testimonial', 'Worth the way', 'pending', {}),
    post(5, 'page', 'About us', 'publish', {}),
    comment,
  ]
  const { rows, warnings } = await prepare(
    `${DECLARATION}<!-- The posts of a WordPress. -->\n<rss xmlns:wp="urn:wp"><channel><wp:wxr_version>1.2</wp:wxr_version>${items.join('')}</channel></rss>`,
  )
  assert.equal(
    rows.map(({ hidden, review: r }) => [
      hidden,
      r.text,
      r.author_name,
      r.rating,
      r.occurred_at.getUTCDate(),
      r.external_id,
    ]),
    [
      [false, 'Text 1.', 'Ann', 4, 1, 'wordpress-post-1'],
      [false, 'Text 2.', 'Ben', null, 2, 'wordpress-post-2'],
      [true, 'Text 3.', 'Cleo', null, 3, 'wordpress-post-3'],
      [true, 'Text 4.', 'Anonymous', null, 4, 'wordpress-post-4'],
    ],
  )
  assert.match(
    warnings.map(({ message }) => message).join(),
    'only testimonials and comments on products and with stars are read',
  )
})

test('reviews of Site Reviews, of which WordPress exports neither stars nor names, are left out with the way to have them', async () => {
  const post = (id: number, meta: string) =>
    `<item><title>T</title><content:encoded>Text ${id}.</content:encoded><wp:post_id>${id}</wp:post_id><wp:status>publish</wp:status>` +
    `<wp:post_date_gmt>2026-01-05 10:00:00</wp:post_date_gmt><wp:post_type>site-review</wp:post_type>${meta}</item>`
  const product =
    '<item><title>Jug</title><wp:post_type>product</wp:post_type><wp:comment><wp:comment_id>8</wp:comment_id><wp:comment_author>Ida</wp:comment_author>' +
    '<wp:comment_date_gmt>2026-01-05 10:00:00</wp:comment_date_gmt><wp:comment_content>Text 8.</wp:comment_content>' +
    '<wp:comment_approved>1</wp:comment_approved><wp:comment_parent>0</wp:comment_parent></wp:comment></item>'
  const rated =
    '<wp:postmeta><wp:meta_key>_rating</wp:meta_key><wp:meta_value>2</wp:meta_value></wp:postmeta>' +
    '<wp:postmeta><wp:meta_key>_author</wp:meta_key><wp:meta_value>Ann</wp:meta_value></wp:postmeta>'
  const form =
    '<wp:postmeta><wp:meta_key>_submitted</wp:meta_key><wp:meta_value>a:1:{s:6:"rating";i:1;}</wp:meta_value></wp:postmeta>'
  const site = (...items: string[]) =>
    `${DECLARATION}<rss xmlns:wp="urn:wp"><channel><wp:wxr_version>1.2</wp:wxr_version>${items.join('')}</channel></rss>`
  // Versions before 5 had both at the post.
  const { rows, warnings } = await prepare(site(post(1, rated), post(2, form), product))
  assert.equal(
    rows.map(({ review: r }) => [r.text, r.rating, r.author_name, r.external_id]),
    [
      ['Text 1.', 2, 'Ann', 'wordpress-post-1'],
      ['Text 8.', null, 'Ida', 'wordpress-8'],
    ],
  )
  assert.match(
    warnings.map(({ message }) => message).join(),
    /left out 1 review of the plugin Site Reviews.*Export Reviews/,
  )
  try {
    await prepare(site(post(2, form)))
    assert.unreachable('was imported')
  } catch (error) {
    assert.match(String(error), /contains no reviews or comments; left out 1 review of the plugin Site Reviews/)
  }
})

test('what was refused in the list of a plugin that keeps reviews as posts of its own (YITH) is hidden, though the comment is approved', async () => {
  const comment = (id: number) =>
    `<wp:comment><wp:comment_id>${id}</wp:comment_id><wp:comment_author>Ida</wp:comment_author>` +
    `<wp:comment_date_gmt>2026-01-05 10:00:00</wp:comment_date_gmt><wp:comment_content>Text ${id}.</wp:comment_content>` +
    '<wp:comment_approved>1</wp:comment_approved><wp:comment_parent>0</wp:comment_parent></wp:comment>'
  const meta = (key: string, value: string) =>
    `<wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value>${value}</wp:meta_value></wp:postmeta>`
  const post = (id: number, status: string, approved: string) =>
    `<item><wp:post_type>ywar_reviews</wp:post_type><wp:status>${status}</wp:status>` +
    `${meta('_ywar_approved', approved)}${meta('_ywar_comment_id', String(id))}</item>`
  const product = `<item><title>Jug</title><wp:post_type>product</wp:post_type>${[1, 2, 3, 4].map(comment).join('')}</item>`
  const { rows } = await prepare(
    `${DECLARATION}<rss xmlns:wp="urn:wp"><channel><wp:wxr_version>1.2</wp:wxr_version>${product}${post(1, 'publish', '1')}${post(2, 'publish', '0')}${post(3, 'trash', '1')}</channel></rss>`,
  )
  assert.equal(
    rows.map(({ hidden, review: { text } }) => [text, hidden]),
    [
      ['Text 1.', false],
      ['Text 2.', true],
      ['Text 3.', true],
      ['Text 4.', false],
    ],
  )
})

test('a file that breaks off is told so, also without a declaration', async () => {
  const whole = `<reviews>\n${review(1)}\n${review(2)}\n</reviews>`
  for (const start of ['', DECLARATION])
    await prepare((start + whole).slice(0, -60)).then(
      () => assert.unreachable(),
      (error) => assert.match(String(error), /ends too early: it is damaged/),
    )
  const [first] = await reviewsOf('<TEXT>,<DATE>\nWarm bread.,2026-01-05\n', {
    map: { text: '<TEXT>', date: '<DATE>' },
  })
  assert.is(first?.text, 'Warm bread.', 'headings in brackets are none of its elements')
})

test('abbreviations that a document defines for itself stay as they are, with a note', async () => {
  const document = (type: string) =>
    `${DECLARATION}${type}<reviews>${review(1, '<title>&co; and caf&eacute;</title>')}</reviews>`
  const notes = async (type: string) => (await prepare(document(type))).warnings.map(({ message }) => message).join()
  const own = '<!DOCTYPE reviews [<!ENTITY co "Oak"><!ENTITY eacute "&#233;"><!ENTITY none "x">]>'
  assert.match(await notes(own), /defines abbreviations of its own, such as &co;, which stay as they are/)
  assert.not.match(await notes(own.replace('<!ENTITY co "Oak">', '')), /abbreviations/)
  assert.not.match(await notes(''), /abbreviations/)
})

test.run()

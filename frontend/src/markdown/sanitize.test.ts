/*
 * What a hostile model could write. None of it may run, load, send or look like
 * a part of the page (SPEC SEC-04). It has to be tested in jsdom or in an engine:
 * other pretended DOMs let handlers through.
 */
import { expect, test } from 'vitest'

import { BlockStream } from './stream'

const away = 'https://away.example'

const payloads: Record<string, string> = {
  'image in Markdown': `![x](${away}/a.png)`,
  'image by reference': `![x][r]\n\n[r]: ${away}/a.png`,
  'image in a table': `| a |\n|---|\n| ![x](${away}/a.png) |`,
  'image in a link': `[![x](${away}/a.png)](${away}/)`,
  'image in HTML': `<img src="${away}/a.png" srcset="${away}/b.png 2x">`,
  'image handler': `<img src=x onerror="alert(1)">`,
  'image handler in a line': `text <img src=x onerror=alert(1)> text`,
  'javascript link': `[x](javascript:alert(1))`,
  'javascript link with case and space': `[x](JaVaScRiPt:alert(1)) <a href=" java&#10;script:alert(1)">y</a>`,
  'data link': `[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)`,
  'vbscript link': `[x](vbscript:msgbox(1))`,
  'file link': `[x](file:///etc/passwd)`,
  'own scheme link': `[x](wails://wails/) [y](wails.localhost)`,
  'blob link': `[x](blob:${away}/1)`,
  autolink: `<javascript:alert(1)>`,
  script: `<script>alert(1)</script><script src="${away}/a.js"></script>`,
  'script in a line': `text <script>alert(1)</script> text`,
  'svg onload': `<svg onload="alert(1)"><image href="${away}/a.png"/><script>alert(1)</script></svg>`,
  math: `<math><mi xlink:href="javascript:alert(1)">x</mi></math>`,
  iframe: `<iframe src="${away}/"></iframe><iframe srcdoc="<script>alert(1)</script>"></iframe>`,
  'object and embed': `<object data="${away}/"></object><embed src="${away}/">`,
  'style sheet': `<style>body{background:url(${away}/a.png)} @import "${away}/a.css";</style>`,
  'inline style': `<p style="background:url(${away}/a.png);position:fixed;inset:0">x</p>`,
  'form with autofocus': `<form action="${away}/"><input autofocus onfocus=alert(1) name=a><button formaction="javascript:alert(1)">x</button></form>`,
  'textarea and select': `<textarea autofocus onfocus=alert(1)></textarea><select onfocus=alert(1) autofocus>`,
  'video and audio': `<video poster="${away}/a.png" src="${away}/a.mp4" autoplay></video><audio src="${away}/a.mp3" autoplay onerror=alert(1)>`,
  'link element': `<link rel="stylesheet" href="${away}/a.css"><link rel="prefetch" href="${away}/">`,
  'meta refresh': `<meta http-equiv="refresh" content="0;url=${away}/">`,
  base: `<base href="${away}/">`,
  'details handler': `<details open ontoggle=alert(1)>x</details>`,
  'body handler': `<body onload=alert(1) background="${away}/a.png">`,
  'table background': `<table background="${away}/a.png"><tr><td background="${away}/b.png">x</td></tr></table>`,
  'link that opens a window': `<a href="${away}/" target="_blank" ping="${away}/ping" onclick="alert(1)">x</a>`,
  'names for scripts': `<a id="app" name="parentNode" class="button" href="${away}/">x</a>`,
  'marks for readers': `<p role="alert" aria-label="Approve" data-testid="approve" hidden>x</p>`,
  'template and noscript': `<template><img src=x onerror=alert(1)></template><noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>`,
  'broken nesting': `<table><td><svg><style><!--</style><img src=x onerror=alert(1)>--></style></table>`,
  comment: `<!--><img src=x onerror=alert(1)>-->`,
  'code language': '```" onmouseover="alert(1)\nx\n```',
  'code with HTML': '```html\n<img src=x onerror=alert(1)>\n```',
  'code of no language': '```\n<img src=x onerror=alert(1)>\n```',
  'title that closes its quote': `[x](${away}/ '" onmouseover="alert(1)')`,
  'address that closes its quote': `[x](<${away}/"onmouseover="alert(1)>)`,
  'image text that closes its tag': `![</a><img src=x onerror=alert(1)>](${away}/a.png)`,
}

const allowed = new Set(
  'P BR HR H1 H2 H3 H4 H5 H6 UL OL LI BLOCKQUOTE PRE CODE EM STRONG DEL TABLE THEAD TBODY TR TH TD A SPAN'.split(
    ' ',
  ),
)
const attributes = new Set(['title', 'start', 'align', 'colspan', 'rowspan'])

function show(markdown: string): HTMLElement {
  const page = document.createElement('div')
  page.innerHTML = new BlockStream()
    .end(markdown)
    .map((block) => block.html)
    .join('')
  return page
}

/** What of a page could run, load or send something. */
function offences(page: HTMLElement): string[] {
  const found: string[] = []
  for (const element of page.querySelectorAll('*')) {
    if (!allowed.has(element.tagName)) found.push(element.tagName)
    for (const { name, value } of element.attributes) {
      if (!harmless(element, name, value)) found.push(`${element.tagName} ${name}=${value}`)
    }
  }
  return found
}

function harmless(element: Element, name: string, value: string): boolean {
  // Made by the highlighter, from text that it escaped.
  if (element.tagName === 'SPAN') return name === 'class' && /^hljs-[\w-]+( \w+_)*$/.test(value)
  return name === 'href' ? /^(https?|mailto):/.test(value) : attributes.has(name)
}

test.each(Object.entries(payloads))('SEC-04: %s', (_, markdown) => {
  expect(offences(show(markdown))).toEqual([])
})

test('SEC-04: the same while it is being written', () => {
  for (const markdown of Object.values(payloads).slice(0, 12)) {
    const stream = new BlockStream()
    for (let cut = 8; cut <= markdown.length; cut += 9) {
      const page = document.createElement('div')
      page.innerHTML = stream
        .update(markdown.slice(0, cut))
        .map((block) => block.html)
        .join('')
      expect(offences(page)).toEqual([])
    }
  }
})

test('an image is a link that says where it is', () => {
  const link = show(`Look: ![A cat](${away}/cat.png?size=1)`).querySelector('a')
  expect(link?.textContent).toBe('▢ image: away.example/cat.png')
  expect(link?.getAttribute('href')).toBe(`${away}/cat.png?size=1`)
})

test('an image that is no web address is a text', () => {
  expect(show('![A cat](data:image/png;base64,AAAA)').innerHTML).toBe('<p>▢ image: A cat</p>\n')
  expect(show('![A cat](docs/cat.png)').innerHTML).toBe('<p>▢ image: docs/cat.png</p>\n')
})

test('an image in a link is the text of the link', () => {
  const page = show(`[![A cat](${away}/cat.png)](https://other.example/)`)
  expect(page.querySelectorAll('a')).toHaveLength(1)
  expect(page.textContent.trim()).toBe('▢ image: away.example/cat.png')
})

test('tasks are shown as boxes, not as inputs', () => {
  expect(show('- [ ] open\n- [x] done').textContent).toMatch(/☐ open\s+☑ done/)
})

test('what is allowed is kept', () => {
  const html = show(
    '# a\n\n3. *b*\n4. ~~c~~ **d** `e`\n\n> [f](mailto:a@b.example "g")\n\n| h |\n|--:|\n| i |\n',
  ).innerHTML
  for (const part of [
    '<h1>a</h1>',
    '<ol start="3">',
    '<em>b</em>',
    '<del>c</del>',
    '<strong>d</strong>',
    '<code>e</code>',
    '<blockquote>',
    '<a href="mailto:a@b.example" title="g">f</a>',
    '<th align="right">h</th>',
  ]) {
    expect(html).toContain(part)
  }
})

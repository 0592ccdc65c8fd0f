import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { shownHtml } from './shown-html.ts';

const CONNECTS = [
  '<iframe src=http://evil.test></iframe>',
  '<IFRAME SRC="//evil.test">text',
  '<frameset><frame src=http://evil.test></frameset>',
  '<object data=http://evil.test></object>',
  '<embed src=http://evil.test>',
  '<applet codebase=http://evil.test></applet>',
  '<link rel=preconnect href=http://evil.test>',
  '<link rel=dns-prefetch href=//evil.test>',
  '<base href=http://evil.test/>',
  '<meta http-equiv=refresh content="0;url=http://evil.test">',
  '<img src=http://evil.test/x.png>',
  '<img srcset="http://evil.test/x.png 2x">',
  '<body background=http://evil.test>',
  '<a href=http://evil.test ping=http://evil.test>x</a>',
  '<svg><use href=http://evil.test#x></svg>',
  '<svg><image xlink:href=http://evil.test></svg>',
  '<video poster=http://evil.test><source src=http://evil.test></video>',
  '<form action=http://evil.test><button formaction=http://evil.test>x</button></form>',
  '<script src=http://evil.test></script>',
  '<img src=x onerror="fetch(\'http://evil.test\')">',
  '<p><iframe src=http://evil.test></p>',
  '<table><iframe src=http://evil.test></table>',
  '<svg><foreignObject><iframe src=http://evil.test></iframe></foreignObject></svg>',
  '<math><annotation-xml encoding="text/html"><iframe src=http://evil.test></annotation-xml></math>',
  '<img src="http://evil.test/?data:image/png;base64,AAAA">',
  '<img src="data:image/svg+xml;utf8,%3Csvg%3E%3Cimage href=http://evil.test%3E">',
  '<img src="data:text/html;charset=utf-8,%3Ciframe src=http://evil.test%3E">',
  '<noscript><iframe src=http://evil.test></noscript>',
  '<template><iframe src=http://evil.test></iframe></template>',
  '<!--[if IE]><iframe src=http://evil.test><![endif]-->',
  '<scr<script>ipt src=http://evil.test></script>',
];

test.each(CONNECTS)('%s opens no connection when it is shown', (html) => {
  const shown = shownHtml(`<html><body><h1>Dekont</h1>${html}<p>₺123,40</p></body></html>`)!;
  expect(shown.replace(/>[^<]*</g, '><'), 'whatever is left of it is text').not.toContain(
    'evil.test',
  );
  expect(shown).toContain('Dekont');
});

test('what a receipt is made of stays: text, tables, styles and pictures of its own', () => {
  const shown = shownHtml(
    '<html><head><style>td { color: red }</style></head><body><table><tbody>' +
      '<tr><td class="a" style="color: blue">Şafak Güvenlik A.Ş.</td></tr></tbody></table>' +
      '<img src="data:image/png;base64,AAAA" alt="mühür"></body></html>',
  )!;
  for (const part of [
    'td { color: red }',
    '<td class="a" style="color: blue">Şafak Güvenlik A.Ş.</td>',
    '<img src="data:image/png;base64,AAAA" alt="mühür">',
  ])
    expect(shown).toContain(part);
});

test('a document made to keep this process busy, or to break it, is not shown, and is refused at once', () => {
  const nested = `<p>${Array.from({ length: 800 }, (_, n) => `<font a${n}>`).join('')}${'<p>x</p>'.repeat(800)}`;
  const begun = performance.now();
  for (const html of [nested, '<div>'.repeat(4_000), '<b>'.repeat(100_000), '<p>x'.repeat(30_000)])
    expect(shownHtml(html)).toBeNull();
  expect(performance.now() - begun).toBeLessThan(5_000);
  expect(shownHtml('<p>x</p>'.repeat(5_000))).not.toBeNull();
});

/**
 * Tags and attributes by which a browser connects or runs code. The content of a style or a title
 * is only text.
 */
const CONNECTING =
  /<(?:iframe|frame|frameset|object|embed|applet|link|base|meta|script|svg|math|video|audio|form|use)\b|<[^>]*\s(?:href|srcset|ping|background|poster|action|on\w+)="|<[^>]*\ssrc="(?!data:)/i;

test('whatever is nested in whatever, read again as a browser reads it nothing is left that connects', () => {
  const part = fc.constantFrom(
    ...CONNECTS,
    '<p>',
    '</p>',
    '<table>',
    '<svg>',
    '</svg>',
    '<math>',
    '<style>',
    '</style>',
    '<textarea>',
    '<title>',
    '<select>',
    '"',
    '>',
    '<!--',
    '-->',
    '<plaintext>',
    'text',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const shown = shownHtml(parts.join(''))!;
      for (const document of [shown, shownHtml(shown)!])
        expect(document.replace(/<(style|title)\b[^>]*>.*?<\/\1>/gs, '')).not.toMatch(CONNECTING);
    }),
    { numRuns: 1_500 },
  );
});

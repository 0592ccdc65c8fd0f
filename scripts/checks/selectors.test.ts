import { describe, expect, it } from 'vitest';
import { findWideSelectors, selectorsOf } from './selectors.ts';

const found = (css: string): string[] => findWideSelectors(css, []);

describe('selectors of a sheet', () => {
  it('are read through layers, nested rules, strings and escaped characters', () => {
    expect(
      selectorsOf(
        '@layer a{.b,.c\\:d\\{e{color:red;&:hover{x:"}"}> f{x:y}}}@keyframes k{0%,50%{x:y}to{x:y}}/* .z{} */',
      ),
    ).toEqual(['.b', '.c\\:d\\{e', '.b:hover', '.c\\:d\\{e:hover', '.b > f', '.c\\:d\\{e > f']);
  });
});

describe('a selector that looks at the whole tree', () => {
  it.each([
    ['.frame:has([data-bare]) main{x:y}', '.frame'],
    ['body:has(dialog[open]){x:y}', 'body'],
    ['main{:has(.skeleton){x:y}}', 'main '],
    ['.a:is(:where(.group\\/page):has(.skeleton) .b){x:y}', '.a:is(:where(.group\\/page)'],
    ['@media print{section:has(.list){x:y}}', 'section'],
  ])('is found by its :has(): %s', (css, anchor) => {
    expect(found(css)).toHaveLength(1);
    expect(found(css)[0]).toContain(`:has() anchored at "${anchor}"`);
  });
  it.each([
    '*{x:y}',
    'main *{x:y}',
    '.list :not(td){x:y}',
    ':where(.a) ::before{x:y}',
    ':hover{x:y}',
    '*>*{x:y}',
    ':is(.a, .b *){x:y}',
  ])('is found by a subject without a name: %s', (css) => {
    expect(found(css)).toHaveLength(1);
  });
  it.each([
    '.row > td > *{x:y}',
    '.frame[data-bare] > :not(.page){x:y}',
    ':is(:where(.group):hover .a){x:y}',
    ':root[data-theme="dark"]{x:y}',
    '[hidden]:where(:not([hidden=until-found])){x:y}',
    '::placeholder{x:y}',
    'a:not(:has-slotted){x:y}',
    '.a::before{x:y}',
    '.\\[\\&\\>\\*\\]\\:x>*{x:y}',
  ])('is not: %s', (css) => {
    expect(found(css)).toEqual([]);
  });
  it('may stay for a reason, which goes with it', () => {
    const allowed = [{ is: /^\.label:has\(:checked\)$/, because: 'it holds one box' }];
    expect(findWideSelectors('.label:has(:checked){x:y}', allowed)).toEqual([]);
    expect(findWideSelectors('.other{x:y}', allowed)).toEqual([
      'allowed, but not in the sheets: /^\\.label:has\\(:checked\\)$/',
    ]);
  });
});

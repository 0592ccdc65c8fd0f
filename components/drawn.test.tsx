import type { ReactElement } from 'react';
import { expect, test } from 'vitest';
import { jsxDEV } from './drawn-dev.ts';
import { jsx, jsxs } from './drawn.ts';

/** Stored text is escaped when it is rendered, old rows included, so no table needs rewriting. */

/** Returns the properties of an element and its descendants, as they are passed to React. */
const handedOn = (element: ReactElement): string => JSON.stringify(element.props);
const NAME = 'Ali \u202egnp.exe';

test('text that was stored with hidden marks of direction is drawn with them written out, wherever it stands', () => {
  const evidence = JSON.stringify({ [NAME]: NAME });
  const properties = handedOn(
    <section title={NAME} aria-label={NAME}>
      <bdi>{NAME}</bdi>
      <p>
        Gönderen: {NAME}, {['\u2067a', <b key="b">{NAME}</b>]}
      </p>
      <pre>{evidence}</pre>
      <input placeholder={NAME} />
    </section>,
  );
  expect(properties).not.toMatch(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
  expect(properties.split('Ali [U+202E]gnp.exe')).toHaveLength(9);
});

test('what a form holds is not changed by being drawn, and other text and properties are as they were', () => {
  expect((<input defaultValue={NAME} name={NAME} />).props).toEqual({
    defaultValue: NAME,
    name: NAME,
  });
  const children = ['İş', <b key="b">Bankası</b>, 1, null];
  const { props } = (
    <a href="/x" title="شركة">
      {children}
    </a>
  ) as ReactElement<{ children: unknown }>;
  expect(props).toMatchObject({ href: '/x', title: 'شركة' });
  expect(props.children).toBe(children);
});

test.each([
  ['one child', jsx],
  ['several children', jsxs],
  ['the development server', jsxDEV],
] as const)(
  'each property that is read as text is written out, and the key stays (%s)',
  (_what, make) => {
    for (const name of [
      'children',
      'title',
      'alt',
      'placeholder',
      'aria-label',
      'aria-description',
    ]) {
      const element = (make as typeof jsx)('p', { [name]: NAME }, 'the key') as ReactElement;
      expect(element.props, name).toEqual({ [name]: 'Ali [U+202E]gnp.exe' });
      expect(element.key).toBe('the key');
    }
  },
);

import { Fragment, jsx as element, jsxs as elements } from 'react/jsx-runtime';
import type { JSX } from 'react';
import { visibleText } from '#lib/values/foreign-text.ts';

/**
 * The JSX runtime of this product (`jsxImportSource` in tsconfig.json). It draws characters that
 * change the direction of text as visible escapes, in new and in stored text; the values of form
 * fields stay unchanged.
 */

export { Fragment };
export type { JSX };

/** Writes out hidden marks in page titles, which Next.js draws without this runtime. */
export const drawnText = visibleText;

type Make = typeof element;
/** The properties that a browser shows or reads aloud as text. */
const TEXTS = ['children', 'title', 'alt', 'placeholder', 'aria-label', 'aria-description'];

export const jsx: Make = (type, properties, key) => element(type, drawn(properties), key);
export const jsxs: Make = (type, properties, key) => elements(type, drawn(properties), key);

export function drawn(properties: unknown): unknown {
  const given = properties as Record<string, unknown>;
  let shown: Record<string, unknown> | undefined;
  for (const name of TEXTS) {
    const value = given[name];
    const visible = visibleNode(value);
    if (visible !== value) (shown ??= { ...given })[name] = visible;
  }
  return shown ?? given;
}

/**
 * An array is copied only when an element in it changes: React recognises the others by identity.
 */
function visibleNode(node: unknown): unknown {
  if (typeof node === 'string') return visibleText(node);
  if (!Array.isArray(node)) return node;
  const visible = node.map(visibleNode);
  return visible.some((one, index) => one !== node[index]) ? visible : node;
}

import { Fragment, jsx as element, jsxs as elements } from 'react/jsx-runtime';
import type { JSX } from 'react';
import { visibleText } from '#lib/values/foreign-text.ts';

/**
 * What every JSX expression of ours is compiled to (`jsxImportSource` in tsconfig.json). Text is
 * drawn with the characters that would change its direction written out, whoever wrote it and
 * however long ago it was stored; the values of form fields stay as they are.
 */

export { Fragment };
export type { JSX };

/** For what the framework draws by itself: the titles of pages. */
export const drawnText = visibleText;

type Make = typeof element;
/** Properties that a browser shows or reads aloud as text. */
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
 * A list is copied only when something in it changes: the framework knows the others by their
 * identity.
 */
function visibleNode(node: unknown): unknown {
  if (typeof node === 'string') return visibleText(node);
  if (!Array.isArray(node)) return node;
  const visible = node.map(visibleNode);
  return visible.some((one, index) => one !== node[index]) ? visible : node;
}

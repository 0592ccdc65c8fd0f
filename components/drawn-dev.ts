import { Fragment, jsxDEV as element } from 'react/jsx-dev-runtime';
import type { JSX } from 'react';
import { drawn } from './drawn.ts';

/** The JSX runtime of the development server, where JSX calls `jsxDEV` instead of `jsx`. */

export { Fragment };
export type { JSX };

export const jsxDEV: typeof element = (type, properties, ...rest) =>
  element(type, drawn(properties), ...rest);

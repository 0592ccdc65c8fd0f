import { expect, it } from 'vitest';
import { markRedraw, REDRAW_HEADER } from './redraw.ts';

/** Which requests of the framework's client are redraws of an open page. */

const CHILD = { children: ['payouts', { children: ['__PAGE__', {}] }] };
const NEW_CHILD = { children: ['payouts', { children: ['__PAGE__', {}, null, 'refetch'] }] };

function isMarked(tree: unknown, more: { method?: string; raw?: string; header?: string } = {}) {
  const headers: Record<string, string> = {
    'next-router-state-tree': more.raw ?? encodeURIComponent(JSON.stringify(tree)),
    ...(more.header === undefined ? {} : { [REDRAW_HEADER]: more.header }),
  };
  markRedraw({ method: more.method ?? 'GET', headers });
  return REDRAW_HEADER in headers;
}

it('a page that is asked for again from its root on is a redraw', () => {
  expect(isMarked(['', CHILD, null, 'refetch', 16])).toBe(true);
});

it('a move to another page, an action and a document are none', () => {
  expect(isMarked(['', NEW_CHILD, null, null, 16])).toBe(false);
  expect(isMarked(['', NEW_CHILD])).toBe(false);
  expect(isMarked(['', CHILD, null, 'refetch'], { method: 'POST' })).toBe(false);
  const headers = {};
  markRedraw({ method: 'GET', headers });
  expect(headers).toEqual({});
});

it('an unreadable tree is none, and a client cannot set the mark', () => {
  for (const raw of ['%', 'null', '"refetch"', '{"3":"refetch"}'])
    expect(isMarked(null, { raw }), raw).toBe(false);
  expect(isMarked(['', NEW_CHILD], { header: '1' })).toBe(false);
});

import { expect, it } from 'vitest';
import { addressOf } from '#lib/values/keyset.ts';
import { notificationParams, readNotificationQuery } from './filter.ts';

const EDGE = '2026-03-05T21:30:00.000Z_7f0e3a52-0000-4000-8000-00000000aaaa';

it('the filter of the notifications is read from its address and written there again', () => {
  expect(readNotificationQuery({})).toEqual({ view: 'all', place: null });
  expect(readNotificationQuery({ view: 'unread', after: EDGE })).toEqual({
    view: 'unread',
    place: { side: 'after', edge: EDGE },
  });
  expect(addressOf(notificationParams('unread'))).toBe('?view=unread');
  expect(addressOf(notificationParams('all'))).toBe('');
});

it('what is no view and no place is ignored', () => {
  for (const edge of ['x', EDGE.replace('-03-05', '-02-30'), `${EDGE}x`, EDGE.replace('_', '')])
    expect(readNotificationQuery({ view: 'theirs', before: edge })).toEqual({
      view: 'all',
      place: null,
    });
});

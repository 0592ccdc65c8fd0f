import { expect, test } from 'vitest';
import { RecentChanges } from './recent-changes.ts';

/** Which announced changes a page does not show. */

const changes = (recent: RecentChanges<{ tx?: string }>, snapshot: string) =>
  recent.unseenBy(snapshot)?.map(({ tx }) => tx) ?? null;

function recentOf(max: number, from: string, ...txs: string[]) {
  const recent = new RecentChanges<{ tx?: string }>(max);
  recent.completeFrom(from);
  for (const tx of txs) recent.add({ tx });
  return recent;
}

test('a page is given what was committed after its drawing, in order, and nothing else', () => {
  const recent = recentOf(10, '5:5:', '6', '5', '8', '7');
  expect(changes(recent, '5:5:')).toEqual(['6', '5', '8', '7']);
  expect(changes(recent, '5:8:5,7')).toEqual(['5', '8', '7']);
  expect(changes(recent, '9:9:')).toEqual([]);
});

test('a page that was drawn before the listening began may have missed something', () => {
  expect(changes(recentOf(10, '5:7:5', '8'), '5:6:5')).toBeNull();
  expect(changes(recentOf(10, '5:7:5,6', '8'), '5:6:5')).toEqual(['8']);
});

test('dropped changes count as missed only by a page that may not have seen them', () => {
  const recent = recentOf(2, '5:5:', '5', '6', '7', '8');
  expect(changes(recent, '7:9:7')).toBeNull();
  expect(changes(recent, '8:8:')).toEqual(['8']);
});

test('after a lost connection nothing is certain until the listening begins again', () => {
  const recent = recentOf(2, '5:5:', '5', '6', '7');
  recent.clear();
  expect(changes(recent, '9:9:')).toBeNull();
  recent.completeFrom('9:9:');
  expect(changes(recent, '9:9:')).toEqual([]);
  expect(changes(recent, '8:8:')).toBeNull();
});

import { beforeEach, expect, test, vi } from 'vitest';
import type * as LiveStream from './live-stream.ts';

/** What the listeners of a page learn of changes around the opening of the tab's stream. */

class FakeSource {
  static readonly opened: FakeSource[] = [];
  readonly url: string;
  onopen = (): void => undefined;
  onerror = (): void => undefined;
  onmessage: (message: { data: string }) => void = () => undefined;
  readonly #named = new Map<string, (message: { data: string }) => void>();
  constructor(url: string) {
    this.url = url;
    FakeSource.opened.push(this);
  }
  addEventListener(name: string, hear: (message: { data: string }) => void): void {
    this.#named.set(name, hear);
  }
  isClosed = false;
  close(): void {
    this.isClosed = true;
  }
  open(from: string): void {
    this.onopen();
    this.#named.get('from')!({ data: from });
  }
  change(tx: string, id = 'a payout'): void {
    this.onmessage({ data: JSON.stringify({ kind: 'movement', id, tx }) });
  }
}

const documentElement = { dataset: { snapshot: '5:5:' } as Record<string, string> };
let live: typeof LiveStream;

beforeEach(async () => {
  vi.resetModules();
  FakeSource.opened.length = 0;
  const page = { addEventListener: () => undefined, removeEventListener: () => undefined };
  vi.stubGlobal('EventSource', FakeSource);
  vi.stubGlobal('document', { ...page, hidden: false, documentElement });
  vi.stubGlobal('window', page);
  vi.useFakeTimers();
  live = await import('./live-stream.ts');
});

function listener(since: string | null) {
  const received: string[] = [];
  const hear = (message: LiveStream.LiveMessage): void =>
    void received.push('tx' in message ? String(message.tx) : message.kind);
  const leave = live.listenLive(hear, since);
  return { received, leave };
}
const stream = () => FakeSource.opened.at(-1)!;

test('the first opening asks for the changes since the drawing, and each is received once', () => {
  const { received } = listener('5:5:');
  expect(stream().url).toBe('/api/events?since=5:5:');
  stream().open('5:5:');
  stream().change('6');
  expect(received).toEqual(['6']);
});

test('a load without a change in between announces nothing', () => {
  const { received } = listener('5:5:');
  stream().open('5:5:');
  const late = listener('5:5:');
  expect([received, late.received]).toEqual([[], []]);
});

test('a part of the page that loads after the stream has opened learns what it missed', () => {
  listener(null);
  stream().open('5:5:');
  stream().change('6');
  stream().change('7');
  expect(listener('5:7:5').received, 'drawn between the two').toEqual(['7']);
  expect(listener('8:8:').received, 'drawn after both').toEqual([]);
  expect(listener(null).received).toEqual([]);
});

test('a change that the drawing shows already is not received', () => {
  listener(null);
  stream().open('5:5:');
  const { received } = listener('7:7:');
  stream().change('6');
  stream().change('7');
  expect(received).toEqual(['7']);
});

test('where the server cannot know what came before, each page that may have missed it reads again once', () => {
  const early = listener('5:5:');
  const fresh = listener('9:9:');
  stream().open('8:8:');
  expect([early.received, fresh.received]).toEqual([['resumed'], []]);
  expect(listener('6:6:').received).toEqual(['resumed']);
});

test('a lost stream that opens again makes every listener read once, and a page drawn since not', () => {
  const { received } = listener('5:5:');
  stream().open('5:5:');
  stream().onerror();
  vi.runOnlyPendingTimers();
  expect(stream().url).toBe('/api/events');
  stream().open('9:9:');
  expect(received).toEqual(['resumed']);
  expect(listener('9:9:').received).toEqual([]);
  expect(listener('6:6:').received).toEqual(['resumed']);
});

test('a new sign-in replaces the stream of the session that has ended', () => {
  const { received } = listener('5:5:');
  const before = stream();
  before.open('5:5:');
  live.reopenLive();
  expect(before.isClosed, 'its end would end the page').toBe(true);
  stream().open('9:9:');
  expect(stream()).not.toBe(before);
  expect([live.liveStatus(), received]).toEqual(['on', ['resumed']]);
});

test('a page without a snapshot opens the stream without one', () => {
  documentElement.dataset = {};
  listener(null);
  expect(stream().url).toBe('/api/events');
  documentElement.dataset = { snapshot: '5:5:' };
});

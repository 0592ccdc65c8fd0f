import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, it, vi } from 'vitest';

/** What a press of a notification opens, in the worker that the browser runs. */

const SOURCE = readFileSync(join(import.meta.dirname, '../public/service-worker.js'), 'utf8');
const ORIGIN = 'https://desk.test';
const FORM = `${ORIGIN}/payouts/new`;
const PATH = '/payouts/7f0e3a52-0000-4000-8000-00000000bbbb';

type Pressed = {
  notification: { close: () => void; data: { path: unknown } };
  waitUntil: (work: Promise<void>) => void;
};

/** Presses a notification while these windows are open; returns what happened to them. */
async function press(path: unknown, urls: readonly string[]) {
  const windows = urls.map((url) => ({
    url,
    focus: vi.fn<() => Promise<void>>(async () => undefined),
    navigate: vi.fn<(to: string) => Promise<object>>(async () => ({})),
  }));
  const opened: string[] = [];
  const listeners = new Map<string, (event: Pressed) => void>();
  const self = {
    addEventListener: (name: string, listener: (event: Pressed) => void) =>
      listeners.set(name, listener),
    clients: {
      matchAll: async () => windows,
      openWindow: async (address: string) => void opened.push(address),
    },
  };
  runInNewContext(SOURCE, { self, location: new URL(ORIGIN), URL });
  let done = Promise.resolve();
  listeners.get('notificationclick')!({
    notification: { close: () => undefined, data: { path } },
    waitUntil: (work) => (done = work),
  });
  await done;
  const called = (name: 'focus' | 'navigate') =>
    windows.flatMap((one) => (one[name].mock.calls.length > 0 ? [one.url] : []));
  return { opened, focused: called('focus'), led: called('navigate') };
}

it('a pressed notification leads no window away in which somebody may be typing', async () => {
  expect(await press(PATH, [FORM])).toEqual({ opened: [ORIGIN + PATH], focused: [], led: [] });
});

it('the window that shows its page already comes to the front', async () => {
  const shown = `${ORIGIN}${PATH}#timeline`;
  expect(await press(PATH, [FORM, shown])).toEqual({ opened: [], focused: [shown], led: [] });
});

it.each(['//evil.test', 'https://evil.test', '', undefined])(
  'the path %s, which is none of this site, opens the list of notifications',
  async (path) => {
    expect((await press(path, [])).opened).toEqual([`${ORIGIN}/notifications`]);
  },
);

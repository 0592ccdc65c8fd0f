import { beforeEach, expect, it, vi } from 'vitest';

/** When the work that a press leads to is done. */

const page = new EventTarget();
const frames: (() => void)[] = [];
vi.stubGlobal('window', page);
vi.stubGlobal('requestAnimationFrame', (draw: () => void) => frames.push(draw));
const { afterPaint } = await import('./after-paint.ts');

const done: string[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  frames.length = 0;
  done.length = 0;
});

it('the work waits for the frame that follows the press', () => {
  afterPaint(() => done.push('address'));
  frames.pop()!();
  expect(done, 'before the frame is painted').toEqual([]);
  vi.runAllTimers();
  expect(done).toEqual(['address']);
});

it('the next press finds the work done, once', () => {
  page.addEventListener('pointerdown', () => done.push('press'));
  afterPaint(() => done.push('address'));
  page.dispatchEvent(new Event('pointerdown'));
  frames.pop()!();
  vi.runAllTimers();
  expect(done).toEqual(['address', 'press']);
});

it('two works keep their order', () => {
  afterPaint(() => done.push('first'));
  afterPaint(() => done.push('second'));
  for (const draw of frames) draw();
  vi.runAllTimers();
  expect(done).toEqual(['first', 'second']);
});

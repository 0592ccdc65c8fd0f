import { describe, expect, test } from 'vitest';
import { createFaultLog } from './fault-log.ts';
import type { LogFields } from './log.ts';

const refused = () => Object.assign(new Error('somebody’s name'), { code: 'ECONNREFUSED' });

function faultLog() {
  const lines: [string, LogFields][] = [];
  const clock = { ms: 0 };
  return {
    lines,
    clock,
    say: createFaultLog(
      (message, fields) => lines.push([message, fields]),
      () => clock.ms,
    ),
  };
}

describe('faults that come again and again', () => {
  test('nine lanes that fail every second for a minute are three lines, and none is left uncounted', () => {
    const { lines, clock, say } = faultLog();
    for (; clock.ms <= 60_000; clock.ms += 1_000)
      for (let lane = 0; lane < 9; lane += 1) say('a step failed', refused());
    expect(lines.map(([, { count }]) => count)).toEqual([undefined, 9 * 30, 9 * 30]);
  });

  test('a fault of another kind is said at once', () => {
    const { lines, say } = faultLog();
    say('a step failed', refused());
    say('a step failed', new TypeError('x'), { worker: 'w' });
    say('a chore failed', refused());
    expect(lines).toEqual([
      ['a step failed', { errorName: 'Error', errorCode: 'ECONNREFUSED' }],
      ['a step failed', { errorName: 'TypeError', worker: 'w' }],
      ['a chore failed', { errorName: 'Error', errorCode: 'ECONNREFUSED' }],
    ]);
  });
});

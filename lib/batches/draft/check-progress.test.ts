import { describe, expect, it } from 'vitest';
import { checkProgress, SHOWN_FROM } from './check-progress.ts';

/** Which parts of a check a page has seen, after all that is due has run. */
async function seen(parts: ReturnType<typeof checkProgress>['parts']): Promise<number[]> {
  const done: number[] = [];
  for (const part of parts) void part.reached.then(() => done.push(part.done));
  await new Promise(setImmediate);
  return done;
}

describe('the progress of a check', () => {
  it('shows a part once that many rows are checked, and none that is not', async () => {
    const { parts, tell } = checkProgress(10_000);
    expect(await seen(parts)).toEqual([]);
    tell(0);
    expect(await seen(parts)).toEqual([0]);
    tell(4_999);
    expect(await seen(parts)).toEqual([0, 2_500]);
    tell(5_000);
    expect(await seen(parts)).toEqual([0, 2_500, 5_000]);
  });

  it('ends for everybody who waits, whatever was checked', async () => {
    const { parts, end } = checkProgress(SHOWN_FROM);
    end();
    expect(await seen(parts)).toEqual([0, 250, 500, 750]);
  });

  it('has no parts for a small draft', () => {
    expect(checkProgress(SHOWN_FROM - 1).parts).toEqual([]);
  });
});

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const ROUNDS = 20;
const RIVALS = 2;
const BETWEEN_MS = 150;
const HEAD_START_MS = 1_500;

/**
 * A program that takes one lock after the other, each at the moment at which all rivals were told
 * to; it keeps the locks that it gets and prints which it got.
 */
const RIVAL = `
  const [module, folder, from] = process.argv.slice(1);
  const { takeLock } = await import(module);
  const held = [];
  const got = [];
  for (let round = 0; round < ${ROUNDS}; round += 1) {
    while (Date.now() < Number(from) + round * ${BETWEEN_MS});
    const lock = takeLock(folder, 'round-' + round);
    if (lock === undefined) continue;
    held.push(lock);
    got.push(round);
  }
  process.send(got, () => process.stdin.resume());
  process.stdin.on('end', () => process.exit());
`;

test('of two processes that want the lock at the same moment exactly one has it, and never none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lock-'));
  const from = String(Date.now() + HEAD_START_MS);
  const rivals = Array.from({ length: RIVALS }, () =>
    spawn(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        RIVAL,
        new URL('./lock.ts', import.meta.url).href,
        folder,
        from,
      ],
      { stdio: ['pipe', 'ignore', 'inherit', 'ipc'] },
    ),
  );
  onTestFinished(async () => {
    await Promise.all(
      rivals.map(
        (rival) =>
          new Promise((resolve) =>
            rival.exitCode === null ? rival.once('close', resolve).kill('SIGKILL') : resolve(null),
          ),
      ),
    );
    rmSync(folder, { recursive: true });
  });
  const got = await Promise.all(
    rivals.map(
      (rival) =>
        new Promise<number[]>((resolve, reject) =>
          rival
            .once('message', (rounds) => resolve(rounds as number[]))
            .once('exit', () => reject(new Error('a rival ended'))),
        ),
    ),
  );
  expect(got.flat().toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: ROUNDS }, (_, round) => round),
  );
}, 60_000);

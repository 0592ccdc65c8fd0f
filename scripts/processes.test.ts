import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { supervise, type Supervised } from './processes.ts';

/** Runs a program whose text is given; it is stopped at the end of the test. */
function program(text: string): { running: Supervised; output(): string } {
  const folder = mkdtempSync(join(tmpdir(), 'supervised-'));
  const logFile = join(folder, 'program.log');
  const args = ['--input-type=module', '-e', text];
  const running = supervise(
    { name: 'program', command: process.execPath, args, env: process.env, logFile },
    () => undefined,
  );
  onTestFinished(async () => {
    await running.stop();
    rmSync(folder, { recursive: true });
  });
  return { running, output: () => readFileSync(logFile, 'utf8') };
}

test('a program is ready when it says so, and whoever asks later is answered at once', async () => {
  const { running } = program(`process.send({ ready: true }); setInterval(() => {}, 1000);`);
  expect(await running.announced(20_000)).toBe(true);
  expect(await running.announced(0)).toBe(true);
});

test('a program that says nothing is not ready, and goes on', async () => {
  const { running } = program(`process.on('message', () => {});`);
  expect(await running.announced(50)).toBe(false);
  expect(running.pid).toBeDefined();
});

test('a program that ends before it is ready is refused with the end of its log', async () => {
  const { running } = program(`console.log('the reason'); process.exit(3);`);
  await expect(running.announced(20_000)).rejects.toThrow(
    /ended while starting \(exit code 3\)[\s\S]*the reason/,
  );
});

test('what a program is told it is told again when it is started anew', async () => {
  const { running, output } = program(`
    process.on('message', (message) => {
      console.log('told ' + message.begin);
      process.send({ ready: true });
    });`);
  running.tell({ begin: 'now' });
  expect(await running.announced(20_000)).toBe(true);
  const first = running.pid!;
  process.kill(first, 'SIGKILL');
  await vi.waitFor(() => expect(output().match(/told now/g)).toHaveLength(2), { timeout: 20_000 });
  expect(running.pid).not.toBe(first);
});

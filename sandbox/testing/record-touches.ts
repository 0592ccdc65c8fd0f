/**
 * Set-up file of the unit tests: records which rows of the coverage each test of the sandbox meets
 * while it runs. One file for each test file, one line for each test and row; nothing is written
 * unless `SANDBOX_TOUCHES` names a folder.
 */
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Touch } from './touches.ts';

/* oxlint-disable vitest/no-standalone-expect -- it asks the runner which test runs, and asserts nothing */

const folder = process.env['SANDBOX_TOUCHES'] ?? '';
const testFile = expect.getState().testPath?.split('/sandbox/').at(-1);
if (folder !== '' && expect.getState().testPath?.includes('/sandbox/') === true) {
  const { listenForTouches } = await import('./sandbox.ts');
  const record = join(folder, `${randomUUID()}.ndjson`);
  const written = new Set<string>();
  const write = (line: string): void => {
    if (!written.has(line)) appendFileSync(record, `${line}\n`);
    written.add(line);
  };
  listenForTouches((touches: Touch[]) => {
    const test = expect.getState().currentTestName ?? '';
    for (const { operation, kind, item } of touches)
      write(JSON.stringify([`sandbox/${testFile}`, test, operation, kind, item]));
  });
}

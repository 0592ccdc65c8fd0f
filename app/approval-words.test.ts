import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** An approval is needed by no payment yet (`APPROVALS_NEEDED` in lib/movements/submit.ts). */

const read = (path: string): string => readFileSync(join(import.meta.dirname, '..', path), 'utf8');

it.each(['tr', 'en'])('no form and no setting promises an approval of a payment (%s)', (locale) => {
  const { going } = JSON.parse(read(`messages/${locale}/sending.json`)) as { going: string };
  const forms = ['new-payout', 'new-transfer'].map((name) =>
    read(`messages/${locale}/${name}.json`),
  );
  for (const text of [going, ...forms]) expect(text).not.toMatch(/\bonay|approv/i);
});

it.each(['scripts/up.ts', 'README.md'])('nobody of the demo approves payments (%s)', (path) => {
  const lines = read(path)
    .split('\n')
    .filter((line) => line.includes('@demo.test'));
  expect(lines).toHaveLength(5);
  for (const line of lines) expect(line.replace(/\bapprover\b/g, '')).not.toMatch(/approv/i);
});

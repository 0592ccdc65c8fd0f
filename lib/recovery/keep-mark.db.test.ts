import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as Keeper from './keep-mark.ts';
import { readMarks } from './mark-file.ts';

let merchant: TestMerchant;
let worker: Process;
let keeper: typeof Keeper;
const folder = mkdtempSync(join(tmpdir(), 'marks-'));

beforeAll(async () => {
  merchant = await testMerchant();
  worker = await openProcess('dashboard_worker');
  keeper = await import('./keep-mark.ts');
});
afterAll(async () => {
  await worker.db.disconnect();
  await merchant.close();
  rmSync(folder, { recursive: true, force: true });
});

it('many sends at once each get a mark that includes their own claim, and none is held back', async () => {
  const marks = keeper.keepMark({ merchantId: merchant.merchantId, worker: 'one', folder, quietMs: 1_000 });
  await marks.look();
  const send = async (n: number): Promise<void> => {
    for (let turn = 0; turn < 25; turn++) {
      const { rows } = await merchant.owner.query<{ seq: string }>(`SELECT set_config('app.merchant_id', $1, true), audit_append($1::uuid, 'test', 'test', $2, '{}', '{}') AS seq`, [merchant.merchantId, `test:${n}`]);
      expect(await marks.written()).toBe(true);
      const [mark] = (await readMarks(folder)).marks;
      expect(BigInt(mark!.seq)).toBeGreaterThanOrEqual(BigInt(rows[0]!.seq));
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_one, n) => send(n)));
});

it('writings follow each other, however closely they are asked for', async () => {
  const marks = keeper.keepMark({ merchantId: merchant.merchantId, worker: 'two', folder, quietMs: 1_000 });
  await marks.look();
  const lane = async (): Promise<void> => {
    for (let turn = 0; turn < 50; turn++) expect(await marks.written()).toBe(true);
  };
  await Promise.all(Array.from({ length: 8 }, lane));
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

it('a worker that ended before its first mark was on disk, and workers that begin together, find no recovery', async () => {
  const other = await testMerchant();
  const own = mkdtempSync(join(tmpdir(), 'marks-'));
  const file = join(own, 'no-folder');
  writeFileSync(file, '');
  await expect(keeper.keepMark({ merchantId: other.merchantId, worker: 'ended', folder: file, quietMs: 1_000 }).look()).rejects.toThrow();
  const all = Array.from({ length: 6 }, (_one, n) => keeper.keepMark({ merchantId: other.merchantId, worker: `w${n}`, folder: own, quietMs: 1_000 }));
  await Promise.all(all.map((one) => one.look()));
  const { rows } = await other.owner.query('SELECT 1 FROM recoveries WHERE merchant_id = $1', [other.merchantId]);
  expect(rows).toEqual([]);
  // And from now on a missing mark is noticed.
  await keeper.keepMark({ merchantId: other.merchantId, worker: 'late', folder: mkdtempSync(join(own, 'lost-')), quietMs: 1_000 }).look();
  expect((await other.owner.query('SELECT why FROM recoveries WHERE merchant_id = $1', [other.merchantId])).rows).toEqual([{ why: 'no_mark' }]);
  await other.close();
  rmSync(own, { recursive: true });
});

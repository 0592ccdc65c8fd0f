import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as Keep from './keep.ts';
import type * as List from './list.ts';
import { LIST_NEEDS } from './lists.ts';
import type { ViewList } from './lists.ts';

/** Saved views belong to one person, who saves, renames, removes and restores them. */

let merchant: TestMerchant;
let web: Process;
let keep: typeof Keep;
let list: typeof List;

beforeAll(async () => {
  merchant = await testMerchant();
  web = await openProcess('dashboard_web');
  [keep, list] = [await import('./keep.ts'), await import('./list.ts')];
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close()]);
});

const names = async (role: 'clerk' | 'auditor' = 'clerk', of: ViewList = 'transactions') =>
  (await list.listViews(merchant.person(role), of)).map(({ name }) => name);
const save = (name: string, address = 'type=top_up', role: 'clerk' | 'auditor' = 'clerk') =>
  keep.saveView(merchant.person(role), { list: 'transactions', name, address });

describe('a saved view', () => {
  it('is of one person and one list, whoever else looks', async () => {
    const id = await save('  Giren   para ');
    expect([await names(), await names('auditor'), await names('clerk', 'withdrawals')]).toEqual([
      ['Giren para'],
      [],
      [],
    ]);
    for (const verb of [
      () => keep.removeView(merchant.person('auditor'), id),
      () => keep.renameView(merchant.person('auditor'), id, 'x'),
      () => keep.restoreView(merchant.person('auditor'), id),
    ])
      await expect(verb()).rejects.toThrow();
    expect(await names()).toEqual(['Giren para']);
  });

  it('with a name that is there means the new address', async () => {
    await save('İadeler', 'type=return');
    await save('İadeler', 'type=return&wallet=4410270001');
    expect(await list.listViews(merchant.person('clerk'), 'transactions')).toMatchObject([
      { name: 'Giren para' },
      { name: 'İadeler', address: 'type=return&wallet=4410270001' },
    ]);
  });

  it('is renamed, but not to nothing, to too much or to the name of another', async () => {
    const [first] = await list.listViews(merchant.person('clerk'), 'transactions');
    await keep.renameView(merchant.person('clerk'), first!.id, 'Yüklemeler');
    for (const name of ['', ' ', 'x'.repeat(41), 'İadeler'])
      await expect(
        keep.renameView(merchant.person('clerk'), first!.id, name),
      ).rejects.toMatchObject({ code: 'view_name' });
    expect(await names()).toEqual(['Yüklemeler', 'İadeler']);
  });

  it('that was removed comes back where it was, unless its name was given again', async () => {
    const [first] = await list.listViews(merchant.person('clerk'), 'transactions');
    await keep.removeView(merchant.person('clerk'), first!.id);
    expect(await names()).toEqual(['İadeler']);
    await keep.restoreView(merchant.person('clerk'), first!.id);
    expect(await names()).toEqual(['Yüklemeler', 'İadeler']);
    await keep.removeView(merchant.person('clerk'), first!.id);
    await save('Yüklemeler');
    await expect(keep.restoreView(merchant.person('clerk'), first!.id)).rejects.toMatchObject({
      code: 'not_found',
    });
    for (const id of ['', 'x', first!.id])
      await expect(keep.removeView(merchant.person('clerk'), id)).rejects.toMatchObject({
        code: 'not_found',
      });
  });

  it('is kept for every list with a filter, by who may see that list', async () => {
    const address = 'from=2026-03-01&to=2026-03-06';
    const owner = merchant.person('owner');
    for (const of of Object.keys(LIST_NEEDS) as ViewList[]) {
      await keep.saveView(owner, { list: of, name: 'Mart', address });
      expect(await list.listViews(owner, of)).toMatchObject([{ name: 'Mart', address }]);
    }
    await expect(
      keep.saveView(merchant.person('clerk'), { list: 'audit', name: 'Mart', address }),
    ).rejects.toMatchObject({ code: 'not_allowed' });
  });

  it('opens all of its rows or is refused: no part of a long address is kept', async () => {
    const auditor = merchant.person('auditor');
    const saveRows = (rows: number) => {
      const pick = Array.from({ length: rows }, () => randomUUID()).join('.');
      return keep.saveView(auditor, { list: 'payouts', name: 'Seçilen', address: `pick=${pick}` });
    };
    await saveRows(20);
    const [kept] = await list.listViews(auditor, 'payouts');
    expect(kept!.address.split('.')).toHaveLength(20);
    await expect(saveRows(50)).rejects.toMatchObject({ code: 'view_too_long' });
    expect(await list.listViews(auditor, 'payouts')).toEqual([kept]);
  });

  it('is one of twenty at most, also when many are saved at once', async () => {
    const answers = await Promise.allSettled(
      Array.from({ length: 25 }, (_, n) => save(`Görünüm ${n}`, '', 'auditor')),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    expect(await names('auditor')).toHaveLength(20);
  });
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as Choose from './choose.ts';
import type * as Hidden from './hidden.ts';

let merchant: TestMerchant;
let web: Process;
let choose: typeof Choose.chooseListColumns;
let hidden: typeof Hidden.hiddenColumns;

beforeAll(async () => {
  merchant = await testMerchant();
  web = await openProcess('dashboard_web');
  ({ chooseListColumns: choose } = await import('./choose.ts'));
  ({ hiddenColumns: hidden } = await import('./hidden.ts'));
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close()]);
});

it('a list shows all columns until a person chose, and the choice is of that person and list', async () => {
  const [clerk, auditor] = [merchant.person('clerk'), merchant.person('auditor')];
  expect(await hidden(clerk, 'payouts')).toEqual([]);
  await choose(clerk, { list: 'payouts', shown: ['wallet'] });
  expect(await hidden(clerk, 'payouts')).toEqual(['iban']);
  expect(await hidden(auditor, 'payouts'), 'a colleague').toEqual([]);
  expect(await hidden(clerk, 'withdrawals'), 'another list').toEqual([]);
  await choose(clerk, { list: 'payouts', shown: [] });
  expect(await hidden(clerk, 'payouts'), 'the last choice counts').toEqual(['iban', 'wallet']);
  await choose(clerk, { list: 'payouts', shown: ['iban', 'wallet'] });
  expect(await hidden(clerk, 'payouts')).toEqual([]);
});

it('only optional columns can be hidden, whatever is asked or stored', async () => {
  const owner = merchant.person('owner');
  await choose(owner, { list: 'card_payments', shown: ['amount', 'verified', 'x', '__proto__'] });
  expect(await hidden(owner, 'card_payments')).toEqual(['card']);
  for (const list of ['', 'people', 'constructor', '__proto__'])
    await expect(choose(owner, { list, shown: [] }), list).rejects.toMatchObject({
      code: 'not_found',
    });
  await merchant.owner.query(
    `UPDATE list_columns SET hidden = '{amount,card,verified}' WHERE person_id = $1`,
    [owner.personId],
  );
  expect(await hidden(owner, 'card_payments')).toEqual(['card', 'verified']);
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as List from './list.ts';

let merchant: TestMerchant;
let web: Process;
let list: typeof List;

beforeAll(async () => {
  merchant = await testMerchant();
  web = await openProcess('dashboard_web');
  list = await import('./list.ts');
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close()]);
});

it('who works here is shown to owner, approver and auditor, to each only of their own merchant', async () => {
  for (const role of ['owner', 'approver', 'auditor'] as const) {
    const people = await list.listPeople(merchant.person(role));
    expect(people.map((person) => [person.name, person.role, person.self])).toEqual(
      ['approver', 'auditor', 'clerk', 'owner', 'support'].map((name) => [
        `${name}@test`,
        name,
        name === role,
      ]),
    );
  }
  for (const role of ['clerk', 'support'] as const)
    await expect(list.listPeople(merchant.person(role))).rejects.toMatchObject({
      code: 'not_allowed',
    });
  for (const role of ['clerk', 'support'] as const)
    await expect(list.listPeopleNames(merchant.person(role))).rejects.toMatchObject({
      code: 'not_allowed',
    });
});

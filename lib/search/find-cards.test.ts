import { expect, test, vi } from 'vitest';
import type { Person, Permission } from '#lib/access/actor.ts';
import { cardColumns } from './find-cards.ts';

const denied = vi.hoisted(() => new Set<Permission>());
vi.mock('#lib/access/actor.ts', () => ({
  may: (_role: string, permission: Permission) => !denied.has(permission),
}));

test('who may not see card payments searches no table of them', () => {
  const asked = (): string =>
    cardColumns({ role: 'clerk' } as Person, [{ kind: 'iban_end', end: '4509' }]).sql;
  for (const table of ['card_payments p', 'recurring_plans p', 'card_customers'])
    expect(asked()).toContain(`FROM ${table}`);
  denied.add('card.read');
  expect(asked()).not.toMatch(/FROM|search_/);
});

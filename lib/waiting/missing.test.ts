import { expect, it } from 'vitest';
import type { Role } from '#lib/access/actor.ts';
import type { Word } from '#lib/second-person/standing.ts';
import { missingFrom } from './missing.ts';

const person = (id: string, role: Role) => ({ id, name: id, role });
const PEOPLE = [person('c', 'clerk'), person('a', 'approver'), person('b', 'approver')];
const OWNER = person('o', 'owner');
const word = (id: string, role: Role): Word => ({
  personId: id,
  name: id,
  role,
  claim: 'done',
  reason: 'seen',
  reference: null,
  at: 0,
});
const WAITING = { kind: 'waiting', claim: 'done', missing: 'second_person' } as const;
const namesOf = ({ who }: ReturnType<typeof missingFrom>) => who.map(({ id }) => id);

it('after a clerk only a senior person may confirm; after a senior one every other speaker', () => {
  const facts = { speakers: [...PEOPLE, OWNER], makerId: 'b', needs: 'approver' } as const;
  const afterClerk = missingFrom(WAITING, { ...facts, counting: [word('c', 'clerk')] });
  expect([afterClerk.missing, namesOf(afterClerk)]).toEqual(['senior', ['a', 'o']]);
  const afterSenior = missingFrom(WAITING, { ...facts, counting: [word('a', 'approver')] });
  expect([afterSenior.missing, namesOf(afterSenior)]).toEqual(['second_person', ['c', 'o']]);
});

it('where an owner is needed, an approver’s statement waits for an owner', () => {
  const facts = { speakers: [...PEOPLE, OWNER], makerId: null, needs: 'owner' } as const;
  const found = missingFrom(WAITING, { ...facts, counting: [word('a', 'approver')] });
  expect([found.missing, namesOf(found)]).toEqual(['owner', ['o']]);
});

it('two people who contradict each other are confirmed by nobody', () => {
  const found = missingFrom(
    { kind: 'contradicted', claims: ['done', 'not_done'] },
    { counting: [], speakers: PEOPLE, makerId: null, needs: 'approver' },
  );
  expect(found).toEqual({ missing: 'contradicted', who: [] });
});

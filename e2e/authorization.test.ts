import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Role } from '#lib/access/actor.ts';
import { authorizationPage, mayPass } from './authorization-page.ts';
import { readDoors } from './authorization-doors.ts';

const ROOT = dirname(import.meta.dirname);
const doors = readDoors(ROOT);

test('docs/authorization-matrix.md says what the code says; `node e2e/authorization.ts` writes it', () => {
  expect(readFileSync(join(ROOT, 'docs/authorization-matrix.md'), 'utf8')).toBe(
    authorizationPage(ROOT),
  );
});

test('every action has a probe and every route a right, and no row is left over', () => {
  expect(doors.actions.length).toBeGreaterThan(80);
  expect(doors.pages.length).toBeGreaterThan(50);
  expect(doors.routes.length).toBeGreaterThan(15);
  expect(doors.problems).toEqual([]);
});

test('a role that only looks passes no action that moves money or gives rights', () => {
  const passed = (role: Role) =>
    doors.actions.filter(({ access }) => mayPass(access, role)).map(({ name }) => name);
  for (const role of ['support', 'auditor'] as const)
    for (const name of ['sendPayout', 'approveWaiting', 'invitePersonNow', 'proposeRules'])
      expect(passed(role), `${role} ${name}`).not.toContain(name);
  expect(passed('owner')).toEqual(doors.actions.map(({ name }) => name));
});

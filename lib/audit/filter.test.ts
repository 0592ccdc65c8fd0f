import { expect, it } from 'vitest';
import { STOPPABLE_KINDS } from '#lib/send-control/stops.ts';
import { auditParams, readAuditQuery } from './filter.ts';

/** The filter of the audit log. One that is not understood would show, and export, everything. */

const ID = '7f0e3a52-0000-4000-8000-00000000aaaa';

it.each([
  `movement:${ID}`,
  `api_key:${ID}`,
  'api_endpoint:programs',
  'session:none',
  'day:2026-03-06',
  ...STOPPABLE_KINDS.map((kind) => `sending:${kind}`),
])('the subject %s of an entry is one that can be filtered by', (subject) => {
  const { filter } = readAuditQuery({ subject });
  expect(filter.subject).toBe(subject);
  expect(auditParams(filter)['subject']).toBe(subject);
});

it.each(['movement', ':1', `movement:${ID} OR 1`, "movement:'", `${'m'.repeat(21)}:1`])(
  '%j is no subject',
  (subject) => expect(readAuditQuery({ subject }).filter.subject).toBeNull(),
);

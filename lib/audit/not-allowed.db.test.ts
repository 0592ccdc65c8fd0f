import { beforeAll, expect, it, vi } from 'vitest';
import { openProduct } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { windowLasts } from '#lib/testing/limit-window.ts';
import type * as Note from './note-not-allowed.ts';

/**
 * Attempts at actions that a role does not permit are audited, but cannot flood the audit log.
 */

let merchant: TestMerchant;
let web: Process;
let note: typeof Note;

beforeAll(async () => {
  await windowLasts(3_600, 20_000);
  const product = await openProduct(0);
  ({ merchant, web } = product);
  note = await import('./note-not-allowed.ts');
  return product.close;
});

async function entries(person: string): Promise<{ subject: string; permission: string }[]> {
  const { rows } = await merchant.owner.query(
    `SELECT subject, body::jsonb #>> '{detail,permission}' AS permission FROM audit_entries
      WHERE merchant_id = $1 AND action = 'session.not_allowed' AND actor = $2 ORDER BY seq`,
    [merchant.merchantId, `person:${person}`],
  );
  return rows;
}

it('is written with who asked, in which session, for which right', async () => {
  const auditor = merchant.person('auditor');
  await note.noteNotAllowed(auditor, 'sending.control');
  expect(await entries(auditor.personId)).toEqual([
    { subject: `session:${auditor.sessionId}`, permission: 'sending.control' },
  ]);
});

it('fifty times in an hour leaves three entries for each right, and none of a colleague less', async () => {
  const clerk = merchant.person('clerk');
  const support = merchant.person('support');
  for (let n = 0; n < 5; n++)
    await Promise.all(Array.from({ length: 10 }, () => note.noteNotAllowed(clerk, 'audit.read')));
  await note.noteNotAllowed(clerk, 'audit.export');
  await note.noteNotAllowed(support, 'audit.read');
  expect((await entries(clerk.personId)).map((entry) => entry.permission)).toEqual([
    'audit.read',
    'audit.read',
    'audit.read',
    'audit.export',
  ]);
  expect(await entries(support.personId)).toHaveLength(1);
});

it('that cannot be written is no fault of the answer: the refusal stands', async () => {
  const broken = vi.spyOn(web.db, 'inTransaction').mockRejectedValue(new Error('away'));
  try {
    await expect(
      note.noteNotAllowed({ ...merchant.person('clerk'), merchantId: 'no merchant' }, 'audit.read'),
    ).resolves.toBeUndefined();
  } finally {
    broken.mockRestore();
  }
});

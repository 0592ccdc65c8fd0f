import { expect, test } from './story.ts';
import { rows } from './database.ts';
import { expectState, send, wanted } from './payout.ts';

/** Does `work` on the trail as somebody who owns the database could, with its own guard off. */
async function behindItsBack(...statements: string[]): Promise<void> {
  await rows(`DO $$ BEGIN ALTER TABLE audit_entries DISABLE TRIGGER USER; ${statements.join('; ')}; ALTER TABLE audit_entries ENABLE TRIGGER USER; END $$`);
}

test('a payout leaves its rows in the trail, with who and what, and the chain holds', async ({ sitDown }) => {
  const desk = await sitDown('ayse');
  const want = wanted();
  const id = await send(desk, want);
  await expectState(desk, 'COMPLETED');
  const { page, say } = await sitDown('deniz');
  await page.goto(`/audit?subject=movement:${id}`);
  const table = page.getByRole('table', { name: say('audit', 'caption') });
  const texts = await table.getByRole('row').allInnerTexts();
  const order = ['movement.drafted', 'movement.submitted', 'movement.approved', 'movement.claimed', 'movement.answer', 'movement.read'].map((action) => say('audit', `actions.${action}`));
  const places = order.map((words) => texts.findLastIndex((text) => text.includes(words)));
  expect(places, order.join(' < ')).not.toContain(-1);
  // Newest first.
  expect([...places].sort((a, b) => b - a)).toEqual(places);
  for (const words of order.slice(0, 3)) await expect(table.getByRole('row').filter({ hasText: words }).first()).toContainText('Ayşe Toprak');
  await expect(table.getByRole('row').filter({ hasText: order[3]! })).toContainText(say('audit', 'who.worker'));
  await expect(table.getByRole('row').filter({ hasText: order[5]! }).first()).toContainText(`${say('states', 'PENDING')} → ${say('states', 'COMPLETED')}`);
  await page.goto('/audit');
  await expect(page.getByText(/^Zincir/).first()).toBeVisible();
  await expect(page.getByText(say('audit', 'check.okText'))).toBeVisible();
});

test('a row that was changed behind the product’s back is named', async ({ sitDown }) => {
  const { page, say } = await sitDown('deniz');
  const [row] = await rows<{ seq: string; body: string }>('SELECT e.seq::text, e.body FROM audit_entries e ORDER BY e.seq DESC LIMIT 1');
  await page.goto('/audit');
  await expect(page.getByText(say('audit', 'check.okText'))).toBeVisible();
  try {
    await behindItsBack(`UPDATE audit_entries SET body = replace(body, '"action"', '"Action"') WHERE seq = ${row!.seq}`);
    await page.reload();
    await expect(page.getByText(say('audit', 'check.broken', { seq: row!.seq }))).toBeVisible();
  } finally {
    await behindItsBack(`UPDATE audit_entries SET body = replace(body, '"Action"', '"action"') WHERE seq = ${row!.seq}`);
  }
  await page.reload();
  await expect(page.getByText(say('audit', 'check.okText'))).toBeVisible();
});

test('nobody the product connects as can change or remove a row of the trail', async () => {
  const before = await rows('SELECT 1 FROM audit_entries');
  expect(before.length).toBeGreaterThan(0);
  const attempts = [`UPDATE audit_entries SET body = ''`, 'DELETE FROM audit_entries', 'TRUNCATE audit_entries', 'ALTER TABLE audit_entries DISABLE TRIGGER USER'];
  for (const role of ['dashboard_web', 'dashboard_worker']) {
    for (const attempt of attempts) {
      const asThem = `DO $$ BEGIN PERFORM set_config('app.merchant_id', (SELECT merchant_id::text FROM audit_heads LIMIT 1), true); SET LOCAL ROLE ${role}; ${attempt}; END $$`;
      await expect(rows(asThem), `${role}: ${attempt}`).rejects.toThrow(/permission denied|must be owner|append-only/);
    }
  }
  expect((await rows('SELECT 1 FROM audit_entries')).length).toBeGreaterThanOrEqual(before.length);
});

test('being refused is written down too', async ({ openDesk }) => {
  const refusals = () => rows(`SELECT 1 FROM audit_entries WHERE action = 'session.refused'`);
  const before = (await refusals()).length;
  const { page, say } = await openDesk();
  await page.goto('/login');
  await page.getByLabel(say('login', 'email')).fill('ayse@demo.test');
  await page.getByLabel(say('login', 'password')).fill('not the password');
  await page.getByRole('button', { name: say('login', 'continue') }).click();
  await expect(page.getByRole('alert').filter({ hasText: say('login', 'errors.wrong_credentials') })).toBeVisible();
  expect((await refusals()).length).toBe(before + 1);
});

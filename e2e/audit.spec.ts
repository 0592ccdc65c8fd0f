import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './story.ts';
import { rows } from './database.ts';
import { expectState, send, wanted } from './payout.ts';
import { processes } from './processes.ts';

/** Runs SQL as the owner of the database could, with the triggers of `audit_entries` disabled. */
async function behindItsBack(...statements: string[]): Promise<void> {
  await rows(
    `DO $$ BEGIN ALTER TABLE audit_entries DISABLE TRIGGER USER; ${statements.join('; ')}; ALTER
      TABLE audit_entries ENABLE TRIGGER USER; END $$`,
  );
}

test('a payout leaves its rows in the trail, with who and what, and the chain holds', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const want = wanted();
  const id = await send(desk, want);
  await expectState(desk, 'COMPLETED');
  const { page, say } = await sitDown('deniz');
  const table = page.getByRole('table', { name: say('audit', 'caption') });
  const order = [
    'movement.drafted',
    'movement.submitted',
    'movement.approved',
    'movement.claimed',
    'movement.answer',
    'movement.read',
  ].map((action) => say('audit', `actions.${action}`));
  // The worker links its last entries into the chain after the commit that the page has shown.
  await expect(async () => {
    await page.goto(`/audit?subject=movement:${id}`);
    // The rows stream in after the rest of the page, all at once.
    await expect(table.getByRole('row').filter({ hasText: order[0]! })).not.toHaveCount(0);
    const texts = await table.getByRole('row').allInnerTexts();
    const places = order.map((words) => texts.findLastIndex((text) => text.includes(words)));
    expect(places, order.join(' < ')).not.toContain(-1);
    // The newest row comes first.
    expect([...places].sort((a, b) => b - a)).toEqual(places);
  }).toPass({ timeout: 60_000 });
  for (const words of order.slice(0, 3))
    await expect(table.getByRole('row').filter({ hasText: words }).first()).toContainText(
      'Ayşe Toprak',
    );
  await expect(table.getByRole('row').filter({ hasText: order[3]! })).toContainText(
    say('audit', 'who.worker'),
  );
  await expect(table.getByRole('row').filter({ hasText: order[5]! }).first()).toContainText(
    `${say('states', 'PENDING')} → ${say('states', 'COMPLETED')}`,
  );
  await page.goto('/audit');
  await expect(page.getByText(/^Zincir/).first()).toBeVisible();
  await expect(page.getByText(say('audit', 'check.okText'))).toBeVisible();
});

test('a row that was changed behind the product’s back is named', async ({ sitDown }) => {
  const { page, say } = await sitDown('deniz');
  const [row] = await rows<{ seq: string; body: string }>(
    'SELECT e.seq::text, e.body FROM audit_entries e ORDER BY e.seq DESC LIMIT 1',
  );
  // The worker's own check would also find the changed row, and would report it for up to a minute
  // after the row is restored.
  await processes.stop('worker');
  try {
    await page.goto('/audit');
    await expect(page.getByText(say('audit', 'check.okText'))).toBeVisible();
    await behindItsBack(
      `UPDATE audit_entries SET body = replace(body, '"action"', '"Action"') WHERE seq = ${row!.seq}`,
    );
    await page.reload();
    await expect(page.getByText(say('audit', 'check.broken', { seq: row!.seq }))).toBeVisible();
  } finally {
    await behindItsBack(
      `UPDATE audit_entries SET body = replace(body, '"Action"', '"action"') WHERE seq = ${row!.seq}`,
    );
    await processes.start('worker');
  }
  await page.reload();
  await expect(page.getByText(say('audit', 'check.okText'))).toBeVisible();
});

test('nobody the product connects as can change or remove a row of the trail', async () => {
  const before = await rows('SELECT 1 FROM audit_entries');
  expect(before.length).toBeGreaterThan(0);
  const attempts = [
    `UPDATE audit_entries SET body = ''`,
    'DELETE FROM audit_entries',
    'TRUNCATE audit_entries',
    'ALTER TABLE audit_entries DISABLE TRIGGER USER',
  ];
  for (const role of ['dashboard_web', 'dashboard_worker']) {
    for (const attempt of attempts) {
      const asThem = `DO $$ BEGIN PERFORM set_config('app.merchant_id',
        (SELECT merchant_id::text FROM audit_heads LIMIT 1), true);
        SET LOCAL ROLE ${role}; ${attempt}; END $$`;
      await expect(rows(asThem), `${role}: ${attempt}`).rejects.toThrow(
        /permission denied|must be owner|append-only/,
      );
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
  await expect(
    page.getByRole('alert').filter({ hasText: say('login', 'errors.wrong_credentials') }),
  ).toBeVisible();
  await expect.poll(async () => (await refusals()).length).toBe(before + 1);
});

/** Presses the button that starts a download; returns the path of the file. */
async function download(page: Page, button: Locator): Promise<string> {
  const downloading = page.waitForEvent('download');
  await button.click();
  return (await downloading).path();
}

/** Runs the stand-alone verifier, which knows nothing but the file. */
function verify(...args: string[]): string {
  try {
    return execFileSync(
      process.execPath,
      [join(import.meta.dirname, '../scripts/verify-audit.mjs'), ...args],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], env: { NODE_ENV: 'test' } },
    );
  } catch (error) {
    return (error as { stderr: string }).stderr;
  }
}

test('an auditor exports the whole chain and proves it without the database; a changed file is found', async ({
  sitDown,
}) => {
  const { page, say } = await sitDown('deniz', { language: 'en' });
  // The worker signs the chain's head soon after its first entry. The file has to have every entry
  // that was signed.
  await expect
    .poll(async () => (await rows('SELECT 1 FROM audit_checkpoints')).length, { timeout: 75_000 })
    .toBeGreaterThan(0);
  await page.goto('/audit?action=session');
  await page.getByRole('radio', { name: say('audit', 'export.scopeAll') }).check();
  const file = await download(
    page,
    page.getByRole('button', { name: say('audit', 'export.ndjson') }),
  );
  const [head] = await rows<{ seq: string; hash: string }>(
    `SELECT e.seq::text, encode(e.hash, 'hex') AS hash FROM audit_entries e
      WHERE e.action = 'audit.exported' ORDER BY e.seq DESC LIMIT 1`,
  );
  expect(verify(file)).toMatch(
    new RegExp(
      `^OK: ${head!.seq} entries, the chain is whole from 1 to ${head!.seq}, head ${head!.hash}\\.`,
    ),
  );
  const text = readFileSync(file, 'utf8');
  expect(text).not.toContain('Deniz');
  const changed = `${file}.changed`;
  writeFileSync(changed, text.replace('session.opened', 'session.closed'));
  expect(verify(changed)).toMatch(/^BAD: entry \d+: its content does not fit its hash/);
  const kept = await download(page, page.getByRole('link', { name: /checkpoints \(last/ }));
  // A run over midnight has one of either day.
  expect(verify(file, '--checkpoints', kept)).toMatch(/^OK: .* [1-9]\d* checkpoints? met/);
  await page.getByRole('radio', { name: say('audit', 'export.scopeFilter') }).check();
  const part = await download(
    page,
    page.getByRole('button', { name: say('audit', 'export.ndjson') }),
  );
  expect(verify(part)).toMatch(/^OK: \d+ selected entries/);
  const sheet = readFileSync(
    await download(page, page.getByRole('button', { name: say('audit', 'export.csv') })),
    'utf8',
  );
  expect(sheet).toMatch(/^\u{FEFF}"seq";/u);
});

test('the owner erases a person’s data, the chain stays valid, and the older file proves the newer', async ({
  sitDown,
}) => {
  await sitDown('can');
  const { page, say } = await sitDown('selin');
  const [person] = await rows<{ id: string; name: string }>(
    `SELECT id, name FROM people WHERE email = 'can@demo.test'`,
  );
  await page.goto('/audit');
  const before = await download(
    page,
    page.getByRole('button', { name: say('audit', 'export.ndjson') }),
  );
  await page.goto(`/audit?who=person:${person!.id}`);
  const table = page.getByRole('table', { name: say('audit', 'caption') });
  await expect(table).toContainText(person!.name);
  await page
    .getByRole('button', { name: say('audit', 'erase.open', { name: person!.name }) })
    .click();
  const dialog = page.getByRole('dialog', {
    name: say('audit', 'erase.title', { name: person!.name }),
  });
  await dialog.getByLabel(say('audit', 'erase.reason')).fill('kısa');
  await dialog.getByRole('button', { name: /değeri sil$/ }).click();
  await expect(
    dialog.getByText('Neden en az 10 karakter olmalı. Hiçbir şey silinmedi.'),
  ).toBeVisible();
  await dialog.getByLabel(say('audit', 'erase.reason')).fill('KVKK başvurusu 2026/14');
  await dialog.getByRole('button', { name: /değeri sil$/ }).click();
  await expect(page.getByText(/değer silindi; zincir olduğu gibi duruyor/)).toBeVisible();
  await expect(table).not.toContainText(person!.name);
  await expect(table.getByText(say('audit', 'erased')).first()).toBeVisible();
  await expect(page.getByText(say('audit', 'check.okText'))).toBeVisible();
  expect(
    await rows(
      `SELECT 1 FROM audit_personal p JOIN audit_entries e USING (merchant_id, seq) WHERE e.actor = $1`,
      [`person:${person!.id}`],
    ),
  ).toEqual([]);
  await page.goto('/audit?action=audit.erased');
  await expect(table.getByRole('row').nth(1)).toContainText(say('audit', 'actions.audit.erased'));
  await page.goto('/audit');
  await page.getByLabel(say('audit', 'export.personal')).check();
  const after = await download(
    page,
    page.getByRole('button', { name: say('audit', 'export.ndjson') }),
  );
  expect(verify(after, '--checkpoints', before)).toMatch(
    /^OK: .* [1-9]\d* erased; 1 checkpoint met/,
  );
  expect(readFileSync(after, 'utf8')).not.toContain(person!.name);
});

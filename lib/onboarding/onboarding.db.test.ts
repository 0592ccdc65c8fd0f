import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { storedMovement } from '#lib/movements/testing/stored.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as Dismiss from './dismiss.ts';
import type * as View from './view.ts';

/**
 * The first steps of a merchant: which are done by the database, who sees them, and who hides them.
 */

let merchant: TestMerchant;
let web: Process;
let view: typeof View;
let dismiss: typeof Dismiss;

beforeEach(async () => {
  merchant = await testMerchant();
  web = await openProcess('dashboard_web');
  view = await import('./view.ts');
  dismiss = await import('./dismiss.ts');
});
afterEach(async () => {
  await Promise.all([web.db.disconnect(), merchant.close()]);
});

type Role = Parameters<TestMerchant['person']>[0];
const seen = (role: Role = 'owner') => view.viewOnboarding(merchant.person(role));
const steps = async (): Promise<string[] | null> =>
  (await seen())?.open.map(({ step }) => step) ?? null;
const query = (text: string, ...values: unknown[]) =>
  merchant.owner.query(text, [merchant.merchantId, ...values]);
const webhook = (channel: string, effect: string) =>
  query(
    `INSERT INTO notices (merchant_id, channel, body_hash, body, effect)
      VALUES ($1, $2, sha256(gen_random_uuid()::text::bytea), '{}', $3)`,
    channel,
    effect,
  );
const signsIn = (email: string, login = email) =>
  query(
    `UPDATE people SET provider_user_id = $3 WHERE merchant_id = $1 AND email = $2`,
    email,
    login,
  );
const actions = async () =>
  (
    await query(
      `SELECT action FROM audit_entries WHERE merchant_id = $1 AND action LIKE 'onboarding.%'
        ORDER BY seq`,
    )
  ).rows.map(({ action }) => action);

describe('the first steps', () => {
  it('leave the list one by one as their facts appear, and the last one takes it away', async () => {
    expect(await seen()).toMatchObject({ done: 0, all: 5, mayDismiss: true });
    for (const channel of ['wallet', 'card']) await webhook(channel, 'not_understood');
    expect((await seen())!.open[0], 'none was understood').toMatchObject({
      missing: ['wallet', 'card'],
    });
    await webhook('wallet', 'no_such_payout');
    expect((await seen())!.open[0]).toEqual({
      step: 'webhooks',
      href: '/webhooks',
      missing: ['card'],
    });
    await webhook('card', 'asked_provider');
    expect(await steps()).toEqual(['wallet', 'second_person', 'recipients', 'payout']);
    await query(
      `INSERT INTO wallet_snapshots (merchant_id, number, record, fetched_at)
        VALUES ($1, '4410270001', '{}', now())`,
    );
    await signsIn('owner@test');
    expect(await steps(), 'one person has signed in').toEqual([
      'second_person',
      'recipients',
      'payout',
    ]);
    await signsIn('approver@test');
    await query(`INSERT INTO recipients (merchant_id, name) VALUES ($1, 'Işıl Öğütçü')`);
    expect(await steps()).toEqual(['payout']);
    await storedMovement(merchant, 'REJECTED');
    await storedMovement(merchant, 'COMPLETED', {}, { kind: 'transfer_own' });
    expect(await steps(), 'a rejected payout is none, nor is a transfer').toEqual(['payout']);
    await storedMovement(merchant, 'COMPLETED');
    expect(await steps()).toBeNull();
  });

  it('ask for a second person until another login that can be one of two has signed in', async () => {
    const isOpen = async () => (await steps())!.includes('second_person');
    await signsIn('owner@test');
    for (const role of ['support', 'clerk', 'auditor']) await signsIn(`${role}@test`);
    expect(await isOpen(), 'whose role confirms nothing').toBe(true);
    await signsIn('approver@test', 'owner@test');
    expect(await isOpen(), 'another account of the owner').toBe(true);
    await signsIn('approver@test');
    expect(await isOpen()).toBe(false);
    await query(
      `UPDATE people SET disabled_at = now() WHERE merchant_id = $1 AND role = 'approver'`,
    );
    expect(await isOpen(), 'who is disabled').toBe(true);
    await query(
      `UPDATE people SET provider_user_id = 'one login',
          disabled_at = CASE WHEN role = 'support' THEN now() END
        WHERE merchant_id = $1 AND role IN ('approver', 'support')`,
    );
    expect(await isOpen(), 'who is disabled in another account').toBe(true);
  });

  it('are seen by owner and approver, and each step leads where that role may go', async () => {
    for (const role of ['clerk', 'support', 'auditor'] as const)
      expect(await seen(role), role).toBeNull();
    const approver = (await seen('approver'))!;
    expect([approver.mayDismiss, approver.open.length]).toEqual([false, 5]);
    for (const { open } of [approver, (await seen())!])
      expect(open.filter(({ href }) => href === null)).toEqual([]);
  });

  it('are counted from the rows of this merchant alone', async () => {
    const other = await testMerchant();
    await query(`INSERT INTO recipients (merchant_id, name) VALUES ($1, 'Deniz')`);
    const theirs = await view.viewOnboarding(other.person('owner'));
    expect(theirs!.open.map(({ step }) => step)).toContain('recipients');
    await dismiss.dismissOnboarding(other.person('owner'));
    expect(await view.viewOnboarding(other.person('owner'))).toBeNull();
    expect(await seen(), 'not put away here').not.toBeNull();
    await other.close();
  });
});

describe('putting the list away', () => {
  it('is for the owner, holds for everybody, and is taken back; twice pressed is once', async () => {
    for (const role of ['clerk', 'approver', 'support', 'auditor'] as const)
      for (const verb of [dismiss.dismissOnboarding, dismiss.restoreOnboarding])
        await expect(verb(merchant.person(role)), role).rejects.toThrow('not_allowed');
    const owner = merchant.person('owner');
    expect(await view.viewDismissedOnboarding(owner)).toBeNull();
    await Promise.all([dismiss.dismissOnboarding(owner), dismiss.dismissOnboarding(owner)]);
    expect([await seen(), await seen('approver')]).toEqual([null, null]);
    expect(await view.viewDismissedOnboarding(owner)).toMatchObject({ by: 'owner@test', open: 5 });
    expect(await view.viewDismissedOnboarding(merchant.person('approver'))).toBeNull();
    await dismiss.restoreOnboarding(owner);
    await dismiss.restoreOnboarding(owner);
    expect((await seen('approver'))!.open).toHaveLength(5);
    expect(await actions()).toEqual(['onboarding.dismissed', 'onboarding.restored']);
  });
});

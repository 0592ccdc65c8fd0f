import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Person } from '#lib/access/actor.ts';
import { adopt, aRule, openDesk, prepare, unguarded } from '#lib/approvals/testing/desk.ts';
import type { Desk } from '#lib/approvals/testing/desk.ts';
import { rowOf } from '#lib/movements/testing/stored.ts';
import { Authenticator } from '#lib/step-up/testing/authenticator.ts';
import type { AskedStepUp } from './ask.ts';

/** A key that is removed while it is used, and keys of another address of the installation. */

const ORIGIN = 'http://pay.localhost';
const SIGNED_FROM = { from: [{ currency: 'TRY', fromMinor: 4_000_000n }], signInAllowed: false };
const CALLER = { ip: null, userAgent: null, locale: 'tr' as const, device: null };

let desk: Desk;
let who: Person;
/** The key that stays, and the one that a test removes. */
let kept: Authenticator;
let removed: Authenticator;

beforeAll(async () => {
  process.env.APP_ORIGIN = ORIGIN;
  vi.doMock('#lib/login/challenge.ts', () => ({ confirmByCode: async () => 'confirmed' }));
  desk = await openDesk();
  who = desk.merchant.person('approver');
  await adopt(desk, [aRule()], SIGNED_FROM);
  kept = await enrol(byCode);
});
afterAll(async () => {
  await desk.close();
  delete process.env.APP_ORIGIN;
});

const byCode = ({ challengeId }: AskedStepUp): Promise<string> =>
  desk.passkeys.answerWithCode(
    who,
    { challengeId, secret: 's', code: '123456' },
    CALLER,
  ) as Promise<string>;
const signedBy =
  (key: Authenticator) =>
  ({ challengeId, passkey }: AskedStepUp): Promise<string> =>
    desk.passkeys.answerWithPasskey(who, challengeId, key.sign({ challenge: passkey!.challenge }));

async function enrol(answer: (asked: AskedStepUp) => Promise<string>): Promise<Authenticator> {
  const stepUpId = await answer(await desk.passkeys.askToAddKey(who));
  const { challenge } = await desk.passkeys.newKeyOptions(who, stepUpId);
  const key = new Authenticator(ORIGIN);
  await desk.passkeys.addKey(who, { stepUpId, label: 'test', response: key.register(challenge) });
  return key;
}

async function seen(id: string): Promise<{ id: string; seenHash: string }> {
  return { id, seenHash: (await rowOf(desk.merchant, id)).content_hash as string };
}

async function askToSign(id: string): Promise<AskedStepUp> {
  const signing = await desk.askStepUp.askStepUp(who, [await seen(id)], 'approve');
  if (signing.asked !== 'step_up') throw new Error('no signature was asked for');
  return signing;
}

async function idOf(key: Authenticator): Promise<string> {
  const { rows } = await desk.merchant.owner.query<{ id: string }>(
    'SELECT id FROM passkeys WHERE credential_id = $1',
    [key.id],
  );
  return rows[0]!.id;
}

const outcome = (done: Promise<unknown>): Promise<string> =>
  done.then(
    () => 'done',
    (error: { code?: string }) => error.code ?? String(error),
  );

/** Resolves once so many sessions of this database wait for a lock. */
const waiting = (count: number): Promise<void> =>
  expect
    .poll(
      async () => {
        const { rows } = await desk.merchant.owner.query<{ n: number }>(
          `SELECT count(*)::int AS n FROM pg_stat_activity
            WHERE wait_event_type = 'Lock' AND datname = current_database()`,
        );
        return rows[0]!.n;
      },
      { interval: 5 },
    )
    .toBeGreaterThanOrEqual(count);

/**
 * Runs `during` while a transaction holds what `statement` locks or changes; it is committed, or rolled
 * back, when `during` resolves.
 */
async function beside(
  { statement, values, ends }: { statement: string; values: unknown[]; ends: string },
  during: () => Promise<unknown>,
): Promise<void> {
  const holder = await desk.merchant.owner.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(statement, values);
    await during();
    await holder.query(ends);
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
}

describe('a key that is removed while it is used', () => {
  it('answers nothing any more, and the refusal says so', async () => {
    removed = await enrol(signedBy(kept));
    const [forPayment, forKey] = [
      await askToSign(await prepare(desk)),
      await desk.passkeys.askToAddKey(who),
    ];
    let answers: Promise<string>[] = [];
    const removal = {
      statement: `UPDATE passkeys SET removed_at = clock_timestamp() WHERE id = $1`,
      values: [await idOf(removed)],
      ends: 'COMMIT',
    };
    await beside(removal, async () => {
      answers = [forPayment, forKey].map((asked) => outcome(signedBy(removed)(asked)));
      await waiting(2);
    });
    expect(await Promise.all(answers)).toEqual(['step_up_refused', 'step_up_refused']);
  });

  it('allows no further key, and the refusal says so', async () => {
    removed = await enrol(signedBy(kept));
    const stepUpId = await signedBy(removed)(await desk.passkeys.askToAddKey(who));
    const { challenge } = await desk.passkeys.newKeyOptions(who, stepUpId);
    const response = new Authenticator(ORIGIN).register(challenge);
    const removal = {
      statement: `UPDATE passkeys SET removed_at = clock_timestamp() WHERE id = $1`,
      values: [await idOf(removed)],
      ends: 'COMMIT',
    };
    let added = Promise.resolve('');
    await beside(removal, async () => {
      added = outcome(desk.passkeys.addKey(who, { stepUpId, label: 'test', response }));
      await waiting(1);
    });
    expect(await added).toBe('step_up_expired');
  });

  it('is removed after the approval that it has signed, for an outsider with the trail, too', async () => {
    removed = await enrol(signedBy(kept));
    const id = await prepare(desk);
    const stepUpId = await signedBy(removed)(await askToSign(id));
    const giving = { overrideReason: null, stepUpId };
    let both: Promise<string>[] = [];
    // The approval has read its signature, and waits to be stored.
    const held = {
      statement: 'SELECT FROM step_ups WHERE id = $1 FOR UPDATE',
      values: [stepUpId],
      ends: 'ROLLBACK',
    };
    const toApprove = await seen(id);
    const toRemove = await idOf(removed);
    await beside(held, async () => {
      const approval = outcome(desk.approve.approveMovement(who, toApprove, giving));
      await waiting(1);
      const removal = outcome(desk.passkeys.removeKey(who, toRemove));
      both = [approval, removal];
      await Promise.race([waiting(2), removal]);
    });
    expect(await Promise.all(both)).toEqual(['done', 'done']);
    const { rows } = await desk.merchant.owner.query<{ action: string }>(
      `SELECT action FROM audit_entries WHERE merchant_id = $1 AND (subject = $2
        OR action = 'person.passkey_removed') ORDER BY seq DESC LIMIT 2`,
      [desk.merchant.merchantId, `movement:${id}`],
    );
    expect(rows[0]?.action).toBe('person.passkey_removed');
  });
});

describe('keys of another address of the installation', () => {
  it('cannot allow a key at this one, and the refusal names where they work', async () => {
    const named = (host: string): Promise<void> =>
      unguarded(desk, `UPDATE passkeys SET rp_id = '${host}' WHERE person_id = '${who.personId}'`);
    await enrol(signedBy(kept));
    await named('old.localhost');
    await expect(desk.passkeys.askToAddKey(who)).rejects.toMatchObject({
      code: 'passkey_elsewhere',
      params: { address: 'old.localhost' },
    });
    await unguarded(
      desk,
      `UPDATE passkeys SET rp_id = 'pay.localhost' WHERE id = '${await idOf(kept)}'`,
    );
    expect((await desk.passkeys.askToAddKey(who)).passkey, 'one works here').not.toBeNull();
    await named('pay.localhost');
    expect((await desk.passkeys.askToAddKey(who)).passkey).not.toBeNull();
  });
});

import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Person, Role } from '#lib/access/actor.ts';
import {
  addPerson,
  adopt,
  anIban,
  aRule,
  openDesk,
  unguarded,
} from '#lib/approvals/testing/desk.ts';
import type { Desk } from '#lib/approvals/testing/desk.ts';
import { fakePorts, fakeProvider } from '#lib/movements/testing/fake-provider.ts';
import { LONGEST_DUE } from '#lib/movements/testing/stored.ts';
import type { AskedStepUp } from '#lib/passkeys/ask.ts';
import type { SubmittedRow } from '../run/submit.ts';
import type * as Pending from '#lib/approvals/pending.ts';
import type * as Approve from './approve.ts';
import type * as AskToSign from './ask-step-up.ts';
import type * as List from './list.ts';
import type * as SendBack from './send-back.ts';
import type * as View from './view.ts';
import { gzipSync } from 'node:zlib';
import { aRow, csv } from '../draft/testing/drafts.ts';
import { openFile } from '../file/open.ts';
import { Authenticator } from '#lib/step-up/testing/authenticator.ts';

/** One approval of all rows of a batch: what it is bound to, and that no row leaves without it. */

const ORIGIN = 'http://pay.localhost';
const SIGNED_FROM = { from: [{ currency: 'TRY', fromMinor: 50_000_000n }], signInAllowed: false };
const RULES = [
  aRule(),
  aRule({ fromMinor: 25_000_000n, approvals: 2 }),
  aRule({ when: 'first_payment', fromMinor: 2_000_000n }),
];

let desk: Desk;
let second: Person;
let verbs: typeof Approve &
  typeof SendBack &
  typeof AskToSign &
  typeof View &
  typeof List &
  typeof Pending;
const keys = new Map<string, Authenticator>();

beforeAll(async () => {
  process.env.APP_ORIGIN = ORIGIN;
  vi.doMock('#lib/login/challenge.ts', () => ({ confirmByCode: async () => 'confirmed' }));
  desk = await openDesk(async () => {
    verbs = {
      ...(await import('./approve.ts')),
      ...(await import('./send-back.ts')),
      ...(await import('./ask-step-up.ts')),
      ...(await import('./view.ts')),
      ...(await import('./list.ts')),
      ...(await import('#lib/approvals/pending.ts')),
    };
  });
  desk.wallet.availableMinor = 100_000_000_000n;
  second = await addPerson(desk, 'approver');
  await adopt(desk, RULES, SIGNED_FROM);
  for (const who of [person('approver'), person('owner')]) keys.set(who.personId, await enrol(who));
});
afterAll(async () => {
  await desk.close();
  delete process.env.APP_ORIGIN;
});
beforeEach(async () => {
  await desk.merchant.owner.query(
    `UPDATE batch_runs SET stopped_at = clock_timestamp()
      WHERE merchant_id = $1 AND stopped_at IS NULL`,
    [desk.merchant.merchantId],
  );
  await desk.merchant.owner.query(`UPDATE movements SET next_at = NULL WHERE merchant_id = $1`, [
    desk.merchant.merchantId,
  ]);
});

const person = (role: Role) => desk.merchant.person(role);
const caller = { ip: null, userAgent: null, locale: 'tr' as const, device: null };
const refused = (done: Promise<unknown>) =>
  done.then(
    (value) => (typeof value === 'string' ? value : 'done'),
    (error: { code?: string }) => error.code ?? String(error),
  );

async function enrol(who: Person): Promise<Authenticator> {
  const { challengeId } = await desk.passkeys.askToAddKey(who);
  const given = { challengeId, secret: 's', code: '123456' };
  const stepUpId = (await desk.passkeys.answerWithCode(who, given, caller)) as string;
  const { challenge } = await desk.passkeys.newKeyOptions(who, stepUpId);
  const key = new Authenticator(ORIGIN);
  await desk.passkeys.addKey(who, { stepUpId, label: 'test', response: key.register(challenge) });
  return key;
}

/** A file of any content: the rows of these tests are submitted as they are. */
const SOURCE = gzipSync(JSON.stringify(openFile(csv([aRow()]), 'maas.csv')));

let serial = 0;
function row(amountMinor: bigint, given: Partial<SubmittedRow> = {}): SubmittedRow {
  serial += 1;
  return {
    number: serial,
    original: ['Kaya Ltd.'],
    iban: anIban(),
    name: `Firma ${'abcdefghijklmnop'[serial % 16]}${serial}`,
    taxNumber: '10000000146',
    amountMinor: amountMinor + BigInt(serial),
    paymentType: '1',
    description: `fatura ${serial}`,
    overrides: ['payee_other_iban', 'duplicate_other_iban', 'near_duplicate', 'name_other_iban'],
    overrideReason: 'separate_invoice',
    retryOf: null,
    ...given,
  };
}
const rows = (count: number, amountMinor: bigint) =>
  Array.from({ length: count }, () => row(amountMinor));

async function draft(source = SOURCE): Promise<string> {
  const id = randomUUID();
  await desk.merchant.owner.query(
    `INSERT INTO batches (id, merchant_id, maker_id, wallet, currency, name, format, shape,
      file_hash, source)
     VALUES ($1, $2, $3, '1000000001', 'TRY', 'maas.csv', 'text', 's', $4, $5)`,
    [
      id,
      desk.merchant.merchantId,
      person('clerk').personId,
      createHash('sha256').update(id).digest('hex'),
      source,
    ],
  );
  return id;
}
async function submitted(
  all: SubmittedRow[],
  source = SOURCE,
): Promise<{ id: string; seenHash: string }> {
  const id = await draft(source);
  await desk.web.batches.submitRows(person('clerk'), { id, version: 1 }, all);
  const { rows: found } = await desk.merchant.owner.query(
    'SELECT content_hash FROM batches WHERE id = $1',
    [id],
  );
  return { id, seenHash: found[0].content_hash };
}
async function runOf(id: string) {
  const { rows: found } = await desk.merchant.owner.query(
    'SELECT approvals_needed, step_up, approved_at FROM batch_runs WHERE batch_id = $1',
    [id],
  );
  return found[0]!;
}
const feed = async () => {
  while (await desk.web.batches.feedOneBatch(desk.merchant.merchantId));
};
async function states(id: string): Promise<(string | null)[]> {
  const { rows: found } = await desk.merchant.owner.query(
    `SELECT m.state FROM batch_rows w LEFT JOIN movements m ON m.id = w.movement_id
      WHERE w.batch_id = $1 ORDER BY w.n`,
    [id],
  );
  return found.map((one) => one.state);
}
type Waiting = { id: string; seenHash: string };
/** The movements of a batch, as their approvers see them. */
async function waitingOf(id: string): Promise<Waiting[]> {
  const { rows: found } = await desk.merchant.owner.query<Waiting>(
    `SELECT m.id, m.content_hash AS "seenHash" FROM movements m
      JOIN batch_rows w ON w.movement_id = m.id WHERE w.batch_id = $1 ORDER BY w.n`,
    [id],
  );
  return found;
}
async function disabled({ personId }: Person): Promise<void> {
  await desk.merchant.owner.query('ALTER TABLE people DISABLE TRIGGER USER');
  await desk.merchant.owner.query('UPDATE people SET disabled_at = now() WHERE id = $1', [
    personId,
  ]);
  await desk.merchant.owner.query('ALTER TABLE people ENABLE TRIGGER USER');
}
/** Sends what is due of this batch; the movements whose request left. */
async function work(id: string): Promise<number> {
  await unguarded(
    desk,
    `UPDATE movements SET next_at = '${LONGEST_DUE.toISOString()}' WHERE state = 'APPROVED'
      AND id IN (SELECT movement_id FROM batch_rows WHERE batch_id = '${id}')`,
  );
  const provider = fakeProvider();
  const ports = fakePorts(desk.merchant.merchantId, provider);
  for (;;) {
    const advanced = await desk.worker.advance.advanceOne(ports);
    if (advanced.kind === 'at_rest') break;
  }
  return provider.asked.filter(({ kind }) => kind === 'send').length;
}
const approve = (
  who: Person,
  seen: { id: string; seenHash: string },
  stepUpId: string | null = null,
) => verbs.approveBatch(who, seen, { overrideReason: null, stepUpId });

async function sign(who: Person, seen: { id: string; seenHash: string }): Promise<string> {
  const signing = await verbs.askToSignBatch(who, seen, 'approve');
  if (signing.asked !== 'step_up') throw new Error('no signature was asked for');
  return answer(who, signing, keys.get(who.personId)!);
}
function answer(who: Person, signing: AskedStepUp, key: Authenticator): Promise<string> {
  const response = key.sign({ challenge: signing.passkey!.challenge });
  return desk.passkeys.answerWithPasskey(who, signing.challengeId, response) as Promise<string>;
}

describe('a batch below every limit', () => {
  it('runs without an approval', async () => {
    const { id } = await submitted(rows(3, 100_000n));
    expect(await runOf(id)).toMatchObject({ approvals_needed: 0 });
    await feed();
    expect(await states(id)).toEqual(['APPROVED', 'APPROVED', 'APPROVED']);
  });
});

describe('a batch that needs an approval', () => {
  it('is judged by its sum: small rows do not go around a limit', async () => {
    const one = await submitted(rows(3, 900_000n));
    expect(await runOf(one.id)).toMatchObject({ approvals_needed: 1, approved_at: null });
    const two = await submitted(rows(30, 900_000n));
    expect(await runOf(two.id)).toMatchObject({ approvals_needed: 2, approved_at: null });
  });

  it('makes no movement before, and sends each row after it', async () => {
    const seen = await submitted(rows(3, 900_000n));
    await feed();
    expect(await states(seen.id)).toEqual([null, null, null]);
    expect(await approve(person('approver'), seen)).toBe('approved');
    await feed();
    expect(await states(seen.id)).toEqual(['APPROVED', 'APPROVED', 'APPROVED']);
    expect(await work(seen.id)).toBe(3);
  });

  it('takes its approvals to each movement, and names the batch', async () => {
    const seen = await submitted(rows(2, 1_500_000n));
    await approve(person('approver'), seen);
    await feed();
    const { rows: given } = await desk.merchant.owner.query(
      `SELECT a.person_id, a.role, b.batch_id FROM approvals a
        JOIN batch_approvals b ON b.id = a.batch_approval_id
        JOIN batch_rows w ON w.movement_id = a.movement_id WHERE w.batch_id = $1`,
      [seen.id],
    );
    const own = { person_id: person('approver').personId, role: 'approver', batch_id: seen.id };
    expect(given).toEqual([own, own]);
  });

  it('needs two different people where the sum asks for two', async () => {
    const seen = await submitted(rows(30, 900_000n));
    expect(await approve(person('approver'), seen)).toBe('given');
    expect(await refused(approve(person('approver'), seen))).toBe('approved_before');
    await feed();
    expect((await states(seen.id)).every((state) => state === null)).toBe(true);
    expect(await approve(second, seen)).toBe('approved');
    await feed();
    expect((await states(seen.id)).filter((state) => state === 'APPROVED')).toHaveLength(16);
  });

  it('is not approved by its maker, by who may not, nor in other content', async () => {
    const seen = await submitted(rows(3, 900_000n));
    expect(await refused(approve(person('clerk'), seen))).toBe('not_allowed');
    expect(await refused(approve(person('auditor'), seen))).toBe('not_allowed');
    const other = { ...seen, seenHash: 'a'.repeat(64) };
    expect(await refused(approve(person('approver'), other))).toBe('content_changed');
    expect(await refused(approve(person('approver'), { ...seen, id: randomUUID() }))).toBe(
      'not_found',
    );
    await feed();
    expect(await states(seen.id)).toEqual([null, null, null]);
  });

  it('is not approved by who made the batch that it was made from', async () => {
    const seen = await submitted(rows(3, 900_000n));
    await desk.merchant.owner.query(`ALTER TABLE batches DISABLE TRIGGER USER`);
    const parent = randomUUID();
    await desk.merchant.owner.query(
      `INSERT INTO batches (id, merchant_id, maker_id, wallet, currency, name, format, shape,
        file_hash, source) VALUES ($1, $2, $3, '1000000001', 'TRY', '', 'paste', 's', 'f', '\\x00')`,
      [parent, desk.merchant.merchantId, person('approver').personId],
    );
    await desk.merchant.owner.query('UPDATE batches SET parent_id = $2 WHERE id = $1', [
      seen.id,
      parent,
    ]);
    await desk.merchant.owner.query(`ALTER TABLE batches ENABLE TRIGGER USER`);
    expect(await refused(approve(person('approver'), seen))).toBe('own_movement');
    expect(await approve(second, seen)).toBe('approved');
  });

  it('refuses rows that were changed after the submission, in any field', async () => {
    for (const change of [
      'amount_minor = amount_minor + 1',
      `iban = '${anIban()}'`,
      `name = 'Başka'`,
      `description = 'x'`,
      `ext_id = 'AAAAAAAAAAAAAAAAAAAA'`,
    ]) {
      const seen = await submitted(rows(3, 900_000n));
      const tampered = `UPDATE batch_rows SET ${change} WHERE batch_id = '${seen.id}' AND n =
        (SELECT min(n) FROM batch_rows WHERE batch_id = '${seen.id}')`;
      await desk.merchant.owner.query('ALTER TABLE batch_rows DISABLE TRIGGER USER');
      await desk.merchant.owner.query(tampered);
      await desk.merchant.owner.query('ALTER TABLE batch_rows ENABLE TRIGGER USER');
      expect(await refused(approve(person('approver'), seen)), change).toBe('content_changed');
    }
  });

  it('runs out after a day', async () => {
    const seen = await submitted(rows(3, 900_000n));
    await desk.merchant.owner.query('ALTER TABLE batch_runs DISABLE TRIGGER USER');
    await desk.merchant.owner.query(
      `UPDATE batch_runs SET began_at = began_at - interval '24 hours' WHERE batch_id = $1`,
      [seen.id],
    );
    await desk.merchant.owner.query('ALTER TABLE batch_runs ENABLE TRIGGER USER');
    expect(await refused(approve(person('approver'), seen))).toBe('not_waiting');
  });

  it('is released by an owner alone with a reason', async () => {
    const seen = await submitted(rows(30, 900_000n));
    const release = (who: Person) =>
      verbs.approveBatch(who, seen, { overrideReason: 'salaries of today', stepUpId: null });
    expect(await refused(release(person('approver')))).toBe('not_allowed');
    expect(await release(person('owner'))).toBe('approved');
    await feed();
    expect(await work(seen.id)).toBe(16);
  });
});

describe('a row of an approved batch', () => {
  it('waits by itself where a stricter policy asks for more when it becomes a movement', async () => {
    const seen = await submitted(rows(2, 1_500_000n));
    await approve(person('approver'), seen);
    await adopt(desk, [aRule({ fromMinor: 1_000_000n, approvals: 2 })], SIGNED_FROM);
    await feed();
    expect(await states(seen.id)).toEqual(['AWAITING_APPROVAL', 'AWAITING_APPROVAL']);
    expect(await work(seen.id)).toBe(0);
    await adopt(desk, RULES, SIGNED_FROM);
  });

  it('waits by itself where who approved the batch was disabled meanwhile', async () => {
    const gone = await addPerson(desk, 'approver');
    const seen = await submitted(rows(2, 1_500_000n));
    await approve(gone, seen);
    await disabled(gone);
    await feed();
    expect(await states(seen.id)).toEqual(['AWAITING_APPROVAL', 'AWAITING_APPROVAL']);
  });

  it('waits for owners who sign, as its batch did, where who approved the batch was disabled', async () => {
    // The sum asks for an owner and a signature, a row alone for one approver without one.
    await adopt(desk, [aRule(), aRule({ fromMinor: 50_000_000n, who: 'owner' })], SIGNED_FROM);
    const gone = await addPerson(desk, 'owner');
    keys.set(gone.personId, await enrol(gone));
    const seen = await submitted(rows(4, 15_000_000n));
    expect(await approve(gone, seen, await sign(gone, seen))).toBe('approved');
    await disabled(gone);
    await feed();
    expect(await states(seen.id)).toEqual(Array(4).fill('AWAITING_APPROVAL'));
    const [{ id, seenHash }] = (await waitingOf(seen.id)) as [Waiting];
    const approveRow = (who: Person, stepUpId: string | null) =>
      refused(
        desk.approve.approveMovement(who, { id, seenHash }, { overrideReason: null, stepUpId }),
      );
    expect(await approveRow(second, null)).toBe('approver_role');
    expect(await approveRow(person('owner'), null)).toBe('step_up_needed');
    expect(await states(seen.id)).toEqual(Array(4).fill('AWAITING_APPROVAL'));
    await adopt(desk, RULES, SIGNED_FROM);
  });

  it('is no duplicate of its siblings where it has to be approved by itself', async () => {
    const iban = anIban();
    const twice = { iban, amountMinor: 1_500_000n };
    const [first, other] = rows(2, 1_500_000n);
    const seen = await submitted([
      { ...first!, ...twice },
      { ...other!, ...twice },
    ]);
    await approve(person('approver'), seen);
    await adopt(desk, [aRule({ fromMinor: 1_000_000n, approvals: 2 })], SIGNED_FROM);
    await feed();
    expect(await states(seen.id)).toEqual(['AWAITING_APPROVAL', 'AWAITING_APPROVAL']);
    for (const waiting of await waitingOf(seen.id))
      expect(await refused(desk.approve.approveMovement(second, waiting))).toBe('approved');
    expect(await states(seen.id)).toEqual(['APPROVED', 'APPROVED']);
    await adopt(desk, RULES, SIGNED_FROM);
  });

  it('waits by itself where its row was changed in the database after the approval', async () => {
    const seen = await submitted(rows(2, 1_500_000n));
    expect(await approve(person('approver'), seen)).toBe('approved');
    await desk.merchant.owner.query('ALTER TABLE batch_rows DISABLE TRIGGER USER');
    await desk.merchant.owner.query(
      `UPDATE batch_rows SET amount_minor = amount_minor + 1 WHERE batch_id = $1 AND n =
        (SELECT min(n) FROM batch_rows WHERE batch_id = $1)`,
      [seen.id],
    );
    await desk.merchant.owner.query('ALTER TABLE batch_rows ENABLE TRIGGER USER');
    await feed();
    expect(await states(seen.id)).toEqual(['AWAITING_APPROVAL', 'APPROVED']);
  });
});

describe('a signed approval of a batch', () => {
  const signedRows = () => rows(4, 15_000_000n);

  it('is asked for from the sum on, counts for each row, and the rows leave', async () => {
    const seen = await submitted(signedRows());
    expect(await runOf(seen.id)).toMatchObject({ approvals_needed: 2, step_up: 'passkey' });
    expect(await refused(approve(person('approver'), seen))).toBe('step_up_needed');
    expect(await approve(person('approver'), seen, await sign(person('approver'), seen))).toBe(
      'given',
    );
    expect(await approve(person('owner'), seen, await sign(person('owner'), seen))).toBe(
      'approved',
    );
    await feed();
    expect(await states(seen.id)).toEqual(Array(4).fill('APPROVED'));
    expect(await work(seen.id)).toBe(4);
  });

  it('of another batch, or by the key of another person, is refused', async () => {
    const [seen, other] = [await submitted(signedRows()), await submitted(signedRows())];
    const ofOther = await sign(person('approver'), other);
    expect(await refused(approve(person('approver'), seen, ofOther))).toBe('step_up_refused');
    const signing = await verbs.askToSignBatch(person('approver'), seen, 'approve');
    if (signing.asked !== 'step_up') throw new Error('no signature was asked for');
    const foreign = answer(person('approver'), signing, keys.get(person('owner').personId)!);
    expect(await refused(foreign)).not.toBe('done');
  });

  it('proves nothing about a movement whose steps to the batch were changed', async () => {
    // Each row asks for a signature by itself as well.
    const seen = await submitted(rows(2, 60_000_000n));
    await approve(person('approver'), seen, await sign(person('approver'), seen));
    await approve(person('owner'), seen, await sign(person('owner'), seen));
    await feed();
    expect(await states(seen.id)).toEqual(['APPROVED', 'APPROVED']);
    const steps = JSON.stringify([{ left: 'b'.repeat(64) }]);
    await desk.merchant.owner.query('ALTER TABLE batch_rows DISABLE TRIGGER USER');
    await desk.merchant.owner.query(
      `UPDATE batch_rows SET tree = $2::jsonb WHERE batch_id = $1 AND n =
        (SELECT min(n) FROM batch_rows WHERE batch_id = $1)`,
      [seen.id, steps],
    );
    await desk.merchant.owner.query('ALTER TABLE batch_rows ENABLE TRIGGER USER');
    expect(await work(seen.id)).toBe(1);
  });
});

describe('a batch that is sent back', () => {
  it('ends, nothing of it leaves, and its new draft leaves out what the approver asked', async () => {
    const all = rows(3, 900_000n);
    const seen = await submitted(all);
    const asked = { reason: 'wrong account', without: [all[1]!.number] };
    expect(await refused(verbs.sendBackBatch(person('clerk'), seen, asked))).toBe('not_allowed');
    const foreign = { ...asked, without: [999_999] };
    expect(await refused(verbs.sendBackBatch(person('approver'), seen, foreign))).toBe(
      'batch_changed',
    );
    await verbs.sendBackBatch(person('approver'), seen, asked);
    expect(await refused(approve(second, seen))).toBe('not_waiting');
    await feed();
    expect(await states(seen.id)).toEqual([null, null, null]);
  });
});

describe('the queue of approvals', () => {
  it('counts a batch for exactly those who may approve it, as the list says', async () => {
    const seen = await submitted(rows(30, 900_000n));
    const mine = async (who: Person) =>
      (await verbs.waitingBatches(who)).find(({ id }) => id === seen.id)?.isMine;
    expect([await mine(person('approver')), await verbs.countBatchesWaitingFor(second)]).toEqual([
      true,
      1,
    ]);
    await approve(person('approver'), seen);
    expect(await mine(person('approver'))).toBe(false);
    expect(await verbs.countBatchesWaitingFor(person('approver'))).toBe(0);
    expect(await mine(second)).toBe(true);
    await approve(second, seen);
    expect(await mine(second)).toBeUndefined();
  });

  it('shows as repaired what was typed otherwise, and what the register filled', async () => {
    const lines = [
      aRow(),
      aRow({ tax: '1000000014-6' }),
      aRow({ iban: '', name: '', tax: '', saved: 'Kaya' }),
      aRow({ iban: '', saved: 'Kaya' }),
      aRow({ saved: 'Kaya' }),
    ];
    const source = gzipSync(JSON.stringify(openFile(csv(lines), 'maas.csv')));
    const all = lines.map((_line, n) => row(900_000n, { number: n + 2 }));
    const seen = await submitted(all, source);
    const view = (await verbs.viewBatchApproval(person('approver'), seen.id))!;
    expect(view.flags.repaired).toEqual([3, 4, 5]);
  });

  it('shows who may approve, who has, and which rows to look at', async () => {
    const all = [...rows(7, 900_000n), row(1_900_000n, { overrideReason: null, overrides: [] })];
    const seen = await submitted(all);
    const view = (await verbs.viewBatchApproval(person('approver'), seen.id))!;
    expect(view).toMatchObject({ needed: 1, counting: 0, barred: null, waits: true });
    expect(view.flags.largest[0]).toBe(all.at(-1)!.number);
    expect(view.flags.largest).toHaveLength(5);
    expect(view.flags.first).toHaveLength(8);
    expect(view.flags.ticked).toHaveLength(7);
    expect((await verbs.viewBatchApproval(person('clerk'), seen.id))!.barred).toBe('own');
    await approve(second, seen);
    const after = (await verbs.viewBatchApproval(person('approver'), seen.id))!;
    expect(after).toMatchObject({ waits: false, counting: 1 });
    expect(after.given.map(({ by }) => by)).toEqual([second.name]);
  });
});

type Entry = { action: string; subject: string; detail: Record<string, unknown> };

describe('an outsider with the audit log alone', () => {
  it('follows each row to the approval of its batch, and sees one that was changed', async () => {
    const { SignedApprovals } = (await import(
      new URL('../../../scripts/verify-approvals.mjs', import.meta.url).href
    )) as { SignedApprovals: new (whole: boolean) => { take(entry: Entry): string | null } };
    const { rows: found } = await desk.merchant.owner.query<{ body: string }>(
      'SELECT body FROM audit_entries WHERE merchant_id = $1 ORDER BY seq',
      [desk.merchant.merchantId],
    );
    const entries = found.map(({ body }) => JSON.parse(body) as Entry);
    const wrongIn = (all: Entry[]) => {
      const trail = new SignedApprovals(true);
      return all.map((entry) => trail.take(entry)).filter((wrong) => wrong !== null);
    };
    expect(wrongIn(entries)).toEqual([]);
    const inBatch = (entry: Entry) => entry.action === 'movement.approved_in_batch';
    expect(entries.filter(inBatch).length).toBeGreaterThan(10);
    const changed = entries.map((entry) =>
      inBatch(entry) ? { ...entry, detail: { ...entry.detail, steps: [] } } : entry,
    );
    expect(wrongIn(changed)).toContain('it is no row of its batch');
    const unapproved = entries.filter(({ action }) => action !== 'batch.approval_given');
    expect(wrongIn(unapproved)).toContain('its batch was not approved by this person');
    const other = entries.map((entry) =>
      entry.action === 'movement.drafted'
        ? { ...entry, detail: { ...entry.detail, contentHash: 'f'.repeat(64) } }
        : entry,
    );
    expect(wrongIn(other)).toContain('it is no row of its batch');
  });
});

it('counts in the balance after all that waits, as rows and as movements, until it is stopped', async () => {
  const pending = async (): Promise<bigint> =>
    (await verbs.readPending(person('approver'))).get('1000000001') ?? 0n;
  const before = await pending();
  const all = rows(2, 2_600_000n);
  const sum = all.reduce((total, { amountMinor }) => total + amountMinor, 0n);
  const seen = await submitted(all);
  expect((await pending()) - before, 'waiting for approval').toBe(sum);
  await approve(person('approver'), seen);
  expect((await pending()) - before, 'approved').toBe(sum);
  await feed();
  expect(await states(seen.id)).toEqual(['APPROVED', 'APPROVED']);
  expect((await pending()) - before, 'ready to be sent').toBe(sum);
  const other = await submitted(rows(2, 2_600_000n));
  await desk.merchant.owner.query(
    'UPDATE batch_runs SET stopped_at = clock_timestamp() WHERE batch_id = $1',
    [other.id],
  );
  expect((await pending()) - before, 'another one that was stopped').toBe(sum);
});

describe('the database', () => {
  const sqlState = (statement: string, ...values: unknown[]) =>
    desk.merchant.owner.query(statement, values).then(
      () => 'done',
      (error: { code?: string }) => error.code,
    );

  it('lets no batch run without its approvals, and no approval be changed', async () => {
    const seen = await submitted(rows(3, 900_000n));
    expect(
      await sqlState('UPDATE batch_runs SET approved_at = now() WHERE batch_id = $1', seen.id),
    ).toBe('MV011');
    expect(
      await sqlState('UPDATE batch_runs SET approvals_needed = 0 WHERE batch_id = $1', seen.id),
    ).toBe('MV076');
    await approve(person('approver'), seen);
    expect(
      await sqlState(`UPDATE batch_approvals SET content_hash = 'x' WHERE batch_id = $1`, seen.id),
    ).not.toBe('done');
  });

  it('takes no approval of a row that is none of its batch', async () => {
    const [seen, other] = [
      await submitted(rows(1, 2_600_000n)),
      await submitted(rows(1, 2_600_000n)),
    ];
    await approve(person('approver'), other);
    const forged = `INSERT INTO approvals (merchant_id, movement_id, person_id, content_hash,
        batch_approval_id) SELECT a.merchant_id, w.movement_id, a.person_id, 'x', a.id
      FROM batch_approvals a CROSS JOIN batch_rows w WHERE a.batch_id = $1 AND w.batch_id = $2`;
    expect(await sqlState(forged, other.id, seen.id)).toBe('MV076');
  });
});

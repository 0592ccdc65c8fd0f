import { may } from '#lib/access/actor.ts';
import type { Signed } from './approvals.ts';
import { approveBatch, batchSignatureAsked, isWaiting, sendBackBatch } from './batch-approving.ts';
import { asMovement } from './batch-content.ts';
import type { Batch, BatchRow } from './batches.ts';
import { PEOPLE } from './governance.ts';
import type { PersonName } from './governance.ts';
import type { Mark } from './lives.ts';
import type { PolicyApprovers } from './policy-approvers.ts';
import type { Random } from './random.ts';
import type { Asked, Scene } from './scene.ts';
import type { SignedAnswer } from './store.ts';
import { DAY, HOUR, MINUTE } from './time.ts';
import type { World } from './world.ts';

/**
 * The approvers of a whole file, in a world with a policy: they read its rows, sign the hash of all
 * and press, or send it back without some of its rows, while policy, people and rows change.
 */

const ROUNDS = 3;
const METHODS = ['sign_in', 'passkey'] as const;
const SIGN_MAX_MS = 3 * MINUTE;

type Press = { read: Batch; person: PersonName; releases: boolean };
type SignedPress = { answer: SignedAnswer | null; proves: Signed };

export class BatchApprovers {
  private readonly world: World;
  private readonly scene: Scene;
  private readonly random: Random;
  private readonly ofRows: PolicyApprovers;
  private readonly attempt: Asked['attempt'];

  constructor(world: World, ofRows: PolicyApprovers, attempt: Asked['attempt']) {
    this.world = world;
    this.scene = world.scene;
    this.random = world.random('approvers of a file');
    this.ofRows = ofRows;
    this.attempt = attempt;
  }

  private batch(id: string): Batch | undefined {
    return this.scene.tables.batches.get(id);
  }

  private isWaiting(id: string): boolean {
    const batch = this.batch(id);
    return batch !== undefined && isWaiting(batch, this.scene.now());
  }

  private meets(rows: readonly BatchRow[], mark: Mark): void {
    for (const { extId } of rows) this.scene.meets(extId, mark);
  }

  private later(ms: number, run: () => void): void {
    this.scene.laterUnlessRestored(ms, run);
  }

  private mayApprove(person: PersonName): boolean {
    return may(this.scene.tables.governance!.people[person].role, 'movement.approve');
  }

  ask(id: string): void {
    const { scene, random } = this;
    if (scene.tables.governance === null || !this.isWaiting(id)) return;
    const { maker } = this.batch(id)!;
    this.disturb(id, maker as PersonName);
    const together = scene.fault('twoAtOnce', random) ? random.spread(2_000, 3 * HOUR) : null;
    for (const person of PEOPLE) {
      const strange = scene.fault('strangeApproval', random);
      const isBarred = person === maker || !this.mayApprove(person);
      if ((isBarred && !strange) || random.chance(0.1)) continue;
      for (let n = 0; n < (strange ? 2 : 1); n++) {
        const isLate = scene.fault('lateApproval', random);
        const at = isLate ? DAY + random.spread(1_000, HOUR) : random.spread(2_000, 3 * HOUR);
        this.later(together ?? at, () =>
          this.read(id, person, { pressesAfter: together === null ? null : MINUTE, round: 1 }),
        );
      }
    }
    if (this.world.fault('fileSentBack', random))
      this.later(random.spread(2_000, 3 * HOUR), () => this.sendBack(id));
  }

  /** What changes around a file while it waits. */
  private disturb(id: string, maker: PersonName): void {
    const { scene, world, random } = this;
    const soon = (): number => random.spread(1_000, 3 * HOUR);
    if (scene.fault('policyStricter', random))
      this.later(soon(), () => this.ofRows.changePolicy('policy stricter while it waited'));
    if (scene.fault('policyLooser', random))
      this.later(soon(), () => this.ofRows.changePolicy('policy looser while it waited'));
    if (scene.fault('makerDisabled', random))
      this.later(soon(), () =>
        this.ofRows.disableForAWhile(maker, [], 'maker disabled while it waited'),
      );
    if (world.fault('fileTampered', random)) this.later(soon(), () => this.tamper(id));
  }

  /** A person reads the rows, signs their hash where that is asked for, and presses. */
  private read(
    id: string,
    person: PersonName,
    { pressesAfter, round }: { pressesAfter: number | null; round: number },
  ): void {
    const { scene, world, random } = this;
    const read = this.batch(id);
    // Who looks after a day finds a page that nobody has closed.
    if (read === undefined || read.approval.at !== null || read.stopped) return;
    if (scene.tables.governance!.people[person].disabled) return;
    const after = pressesAfter ?? random.spread(2_000, 10 * MINUTE);
    const { role } = scene.tables.governance!.people[person];
    const releases = scene.fault('override', random) && (role === 'owner' || random.chance(0.5));
    const press = { read, person, releases };
    if (scene.fault('policyStricter', random))
      this.later(random.between(0, after), () =>
        this.ofRows.changePolicy('policy stricter while it waited'),
      );
    if (world.fault('fileTampered', random))
      this.later(random.between(0, after), () => this.tamper(id));
    const signing = Math.min(after, random.spread(500, SIGN_MAX_MS));
    this.later(after - signing, () => {
      const signed = this.sign(press);
      this.later(signing, () => this.press(press, signed, round));
    });
  }

  private sign({ read, person, releases }: Press): SignedPress {
    const { scene, random } = this;
    const found: { is: ReturnType<typeof batchSignatureAsked> | null } = { is: null };
    this.attempt(`${person} asks what to sign`, (tx) => {
      found.is = batchSignatureAsked(tx, read.id);
    });
    const { asked, policyVersion } = found.is ?? { asked: 'none', policyVersion: 0 };
    if (asked === 'none') return { answer: null, proves: 'none' };
    const isWeak = scene.fault('weakSignature', random);
    const method = isWeak
      ? random.pick(asked === 'passkey' ? ([null, 'sign_in'] as const) : ([null] as const))
      : random.pick(asked === 'passkey' ? (['passkey'] as const) : METHODS);
    if (method === null) return { answer: null, proves: 'none' };
    const answer: SignedAnswer = {
      ...{ personId: person, method, purpose: releases ? 'override' : 'approve' },
      ...{ policyVersion, items: [read.approval.contentHash], holds: true },
    };
    if (!scene.fault('strangeSignature', random)) return { answer, proves: method };
    return { answer: { ...answer, ...this.strange(answer, read) }, proves: 'none' };
  }

  /** What makes an answer one about another file, or nobody's. */
  private strange({ purpose, personId, method }: SignedAnswer, read: Batch): Partial<SignedAnswer> {
    const { random } = this;
    const strange: Partial<SignedAnswer>[] = [
      { items: [`${read.approval.contentHash} of another file`] },
      { items: [read.approval.leaves[0] ?? ''] },
      { personId: random.pick(PEOPLE.filter((one) => one !== personId)) },
      { purpose: purpose === 'approve' ? 'override' : 'approve' },
    ];
    return random.pick(method === 'passkey' ? [...strange, { holds: false }] : strange);
  }

  private press({ read, person, releases }: Press, signed: SignedPress, round: number): void {
    const { scene, world, random } = this;
    const { id, rows, maker } = read;
    const shown = new Map(
      rows.map((row) => [row.id, scene.shown(asMovement(row, maker, scene.now()))] as const),
    );
    const pressed = { releases, signed: signed.proves };
    world.watch.batches.approvals.presses(id, { person, shown, ...pressed });
    for (const [row, text] of shown) scene.approvals.signs(row, person, text, pressed);
    if (scene.now() - read.beganAt > DAY) this.meets(rows, 'its file approved a day later');
    const seenHash = read.approval.contentHash;
    const press = { personId: person, seenHash, releases, answer: signed.answer };
    const isDone = this.attempt(`${person} approves a file`, (tx) =>
      approveBatch(tx, id, press, scene.unguarded),
    );
    if (!isDone && round < ROUNDS && this.isWaiting(id))
      this.later(random.spread(2_000, HOUR), () =>
        this.read(id, person, { pressesAfter: null, round: round + 1 }),
      );
    if (isDone) this.afterwards(id, person);
  }

  /** What happens between the approval of a file and the sends of its rows. */
  private afterwards(id: string, person: PersonName): void {
    const { scene, world, random } = this;
    if (world.fault('fileTampered', random))
      this.later(random.spread(10, HOUR), () => this.tamper(id));
    if (!scene.fault('approverDisabled', random)) return;
    this.later(random.spread(10, HOUR), () => {
      const left = this.batch(id)?.rows.filter(({ made }) => !made) ?? [];
      this.meets(left, 'approver of its file disabled');
      this.ofRows.disableForAWhile(person, [], 'approver disabled before it left');
      this.later(random.spread(MINUTE, 8 * HOUR), () => this.ask(id));
    });
  }

  /** Somebody who can write into the database changes a row that waits, past the triggers. */
  private tamper(id: string): void {
    const { random } = this;
    const batch = this.batch(id);
    if (batch === undefined || batch.stopped || batch.approval.asked.needed === 0) return;
    const left = batch.rows.filter(({ made, refused }) => !made && refused === null);
    if (left.length === 0) return;
    const { n, content } = random.pick(left);
    const { amountMinor, toWallet } = content;
    const changed =
      toWallet === null || random.chance(0.5)
        ? { amountMinor: amountMinor + 100n }
        : { toWallet: `9${toWallet.slice(1)}` };
    this.attempt('somebody changes a row of a file', (tx) => {
      const now = tx.batch(id)!;
      const rows = now.rows.map((row) =>
        row.n === n && !row.made ? { ...row, content: { ...row.content, ...changed } } : row,
      );
      tx.setBatch({ ...now, rows });
    });
    this.meets(
      left.filter((row) => row.n === n),
      'changed in its file past the triggers',
    );
  }

  private sendBack(id: string): void {
    const { scene, world, random } = this;
    if (!this.isWaiting(id)) return;
    const read = this.batch(id)!;
    const able = PEOPLE.filter((one) => !scene.tables.governance!.people[one].disabled);
    const person = random.pick(able.filter((one) => this.mayApprove(one)));
    if (person === undefined) return;
    const out = read.rows.filter(() => world.fault('rowTakenOut', random));
    const press = { personId: person, seenHash: read.approval.contentHash };
    const without = out.map(({ n }) => n);
    this.attempt(`${person} sends a file back`, (tx) => sendBackBatch(tx, id, press, without));
    if (this.batch(id)?.approval.sentBack != null) this.meets(out, 'taken out of its file');
  }
}

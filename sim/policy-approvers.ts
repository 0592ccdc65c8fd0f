import { may } from '#lib/access/actor.ts';
import type { StepUpAsked } from '#lib/step-up/method.ts';
import { signedText } from '#lib/step-up/proof.ts';
import type { Signed } from './approvals.ts';
import { meetsApproving } from './approvers.ts';
import {
  adoptPolicy,
  approveByPolicy,
  disable,
  makersOf,
  sendBack,
  signatureAsked,
} from './approving.ts';
import { cancel, No } from './desk.ts';
import { looser, PEOPLE, stricter } from './governance.ts';
import type { Governance, PersonName } from './governance.ts';
import type { Mark } from './lives.ts';
import type { Random } from './random.ts';
import type { Asked, Scene } from './scene.ts';
import type { Row, SignedAnswer } from './store.ts';
import { DAY, HOUR, MINUTE } from './time.ts';

/**
 * The approvers in a world with a policy: they read, sign and press, while the policy, the people
 * and the stored rows change around them.
 */

const ROUNDS = 3;
const BEFORE_THE_SEND: readonly string[] = ['AWAITING_APPROVAL', 'APPROVED', 'SUBMITTING'];
const METHODS = ['sign_in', 'passkey'] as const;
/** A challenge lives that long. */
const SIGN_MAX_MS = 3 * MINUTE;
/** A row that is ready is claimed within moments. */
const AT_ONCE_MS = 300;

type Press = { read: Row; person: PersonName; releases: boolean };
type SignedPress = { answer: SignedAnswer | null; proves: Signed };

export class PolicyApprovers {
  private readonly around: Asked;
  private readonly scene: Scene;
  private readonly random: Random;

  constructor(around: Asked) {
    this.around = around;
    this.scene = around.scene;
    this.random = around.random;
  }

  private get governance(): Governance {
    return this.scene.tables.governance!;
  }

  private row(id: string): Row {
    return this.scene.tables.rows.get(id)!;
  }

  private later(ms: number, run: () => void): void {
    this.scene.laterUnlessRestored(ms, run);
  }

  ask(id: string): void {
    const { scene, random } = this;
    const row = this.row(id);
    if (row.state !== 'AWAITING_APPROVAL') return;
    scene.meets(row.extId, 'waited for approval');
    this.disturb(row);
    const together = scene.fault('twoAtOnce', random) ? random.spread(2_000, 3 * HOUR) : null;
    if (together !== null) scene.meets(row.extId, 'two approve at once');
    for (const person of PEOPLE) {
      const strange = scene.fault('strangeApproval', random);
      const isBarred = person === row.makerId || !this.mayApprove(person);
      const times = strange ? 2 : 1;
      if ((isBarred && !strange) || random.chance(0.15)) continue;
      for (let n = 0; n < times; n++) {
        const isLate = scene.fault('lateApproval', random);
        const at = isLate ? DAY + random.spread(1_000, HOUR) : random.spread(2_000, 3 * HOUR);
        this.later(together ?? at, () =>
          this.read(id, person, { pressesAfter: together === null ? null : MINUTE, round: 1 }),
        );
      }
    }
    if (scene.fault('sendBack', random))
      this.later(random.spread(2_000, 3 * HOUR), () => this.sendBack(id));
  }

  private mayApprove(person: PersonName): boolean {
    return may(this.governance.people[person].role, 'movement.approve');
  }

  /** What changes around a row while it waits. */
  private disturb({ id, makerId }: Row): void {
    const { scene, random } = this;
    const soon = (): number => random.spread(1_000, 3 * HOUR);
    if (scene.fault('policyStricter', random))
      this.later(soon(), () => this.changePolicy('policy stricter while it waited'));
    if (scene.fault('policyLooser', random))
      this.later(soon(), () => this.changePolicy('policy looser while it waited'));
    if (scene.fault('makerDisabled', random))
      this.later(soon(), () =>
        this.disableForAWhile(
          makerId as PersonName,
          [this.row(id)],
          'maker disabled while it waited',
        ),
      );
  }

  changePolicy(mark: Mark): void {
    const { scene, random } = this;
    const change = mark === 'policy stricter while it waited' ? stricter : looser;
    const isDone = this.around.attempt('a policy is adopted', (tx) =>
      adoptPolicy(tx, (before) => change(before, random)),
    );
    scene.note('policy', () => `${mark}: ${written(this.governance.policy)}`);
    for (const row of isDone ? [...scene.tables.rows.values()] : [])
      if (row.state === 'AWAITING_APPROVAL') scene.meets(row.extId, mark);
  }

  disableForAWhile(person: PersonName, waiting: readonly Row[], mark: Mark): void {
    const { scene, random, around } = this;
    const isDone = around.attempt(`${person} is disabled`, (tx) => disable(tx, person, true));
    for (const { extId, state } of isDone ? waiting : [])
      if (state === 'AWAITING_APPROVAL' || state === 'APPROVED') scene.meets(extId, mark);
    const enable = (): void => {
      const isBack = around.attempt(`${person} is enabled`, (tx) => disable(tx, person, false));
      if (!isBack) scene.agenda.after(MINUTE, enable);
    };
    if (!isDone) return;
    scene.agenda.after(random.spread(MINUTE, 6 * HOUR), enable);
    for (const { id } of waiting)
      this.later(random.spread(MINUTE, 8 * HOUR), () => this.askOthers(id));
  }

  /** Whoever may approve is told again of what an approval is missing from by now. */
  private askOthers(id: string): void {
    if (this.row(id).state !== 'AWAITING_APPROVAL') return;
    for (const person of PEOPLE)
      if (this.mayApprove(person) && person !== this.row(id).makerId)
        this.later(this.random.spread(2_000, HOUR), () =>
          this.read(id, person, { pressesAfter: null, round: ROUNDS }),
        );
  }

  /** A person reads a row, signs it where that is asked for, and presses. */
  private read(
    id: string,
    person: PersonName,
    { pressesAfter, round }: { pressesAfter: number | null; round: number },
  ): void {
    const { scene, random } = this;
    const read = this.row(id);
    if (read.state !== 'AWAITING_APPROVAL' || this.governance.people[person].disabled) return;
    const releases = this.releases(person);
    const after = pressesAfter ?? random.spread(2_000, 10 * MINUTE);
    if (scene.fault('policyStricter', random))
      this.later(random.between(0, after), () =>
        this.changePolicy('policy stricter while it waited'),
      );
    const press = { read, person, releases };
    const signing = Math.min(after, random.spread(500, SIGN_MAX_MS));
    this.later(after - signing, () => {
      const signed = this.sign(press);
      this.later(signing, () => this.press(press, signed, round));
    });
  }

  /** Who may press "release" alone: an owner, and now and then somebody else tries it. */
  private releases(person: PersonName): boolean {
    const { scene, random } = this;
    const { role } = this.governance.people[person];
    return scene.fault('override', random) && (role === 'owner' || random.chance(0.5));
  }

  private sign({ read, person, releases }: Press): SignedPress {
    const { scene, random } = this;
    let asked: { asked: StepUpAsked; policyVersion: number } | null = null;
    this.around.attempt(`${person} asks what to sign`, (tx) => {
      asked = signatureAsked(tx, read.id);
    });
    const { asked: strength, policyVersion } = (asked ?? {
      asked: 'none',
      policyVersion: 0,
    }) as { asked: StepUpAsked; policyVersion: number };
    if (strength === 'none') return { answer: null, proves: 'none' };
    const methods = strength === 'passkey' ? (['passkey'] as const) : METHODS;
    const isWeak = scene.fault('weakSignature', random);
    if (isWeak) scene.meets(read.extId, 'signed too weakly');
    const method = isWeak
      ? random.pick(strength === 'passkey' ? ([null, 'sign_in'] as const) : ([null] as const))
      : random.pick(methods);
    if (method === null) return { answer: null, proves: 'none' };
    const answer: SignedAnswer = {
      personId: person,
      method,
      purpose: releases ? 'override' : 'approve',
      policyVersion,
      items: [signedText(read)],
      holds: true,
    };
    if (!scene.fault('strangeSignature', random)) return { answer, proves: method };
    scene.meets(read.extId, 'signed something else');
    return { answer: { ...answer, ...this.strange(answer, read) }, proves: 'none' };
  }

  /** What makes an answer one about something else, or nobody's. */
  private strange({ purpose, personId, method }: SignedAnswer, read: Row): Partial<SignedAnswer> {
    const { random } = this;
    const strange: Partial<SignedAnswer>[] = [
      { items: [signedText({ ...read, amountMinor: read.amountMinor + 1n })] },
      { items: [signedText({ ...read, contentHash: `${read.contentHash} of another payee` })] },
      { items: [signedText({ ...read, extId: 'INTENT00000000000000' })] },
      { personId: random.pick(PEOPLE.filter((one) => one !== personId)) },
      { purpose: purpose === 'approve' ? 'override' : 'approve' },
    ];
    return random.pick(method === 'passkey' ? [...strange, { holds: false }] : strange);
  }

  private press({ read, person, releases }: Press, signed: SignedPress, round: number): void {
    const { scene, random } = this;
    const { id, extId } = read;
    meetsApproving(scene, read, person);
    const { state, stateSince } = this.row(id);
    if (state === 'AWAITING_APPROVAL' && scene.now() - stateSince > DAY)
      scene.meets(extId, 'approved a day later');
    const { rows } = scene.tables;
    const makers = makersOf({ row: (one) => rows.get(one) ?? null }, this.row(id));
    if (makers.includes(person) && person !== this.row(id).makerId)
      scene.meets(extId, 'approved by an earlier maker');
    const { role } = this.governance.people[person];
    if (releases && role !== 'owner') scene.meets(extId, 'released by no owner');
    const { answer, proves } = signed;
    scene.approvals.signs(id, person, scene.shown(read), { releases, signed: proves });
    const press = { personId: person, seenHash: read.contentHash, releases, answer };
    let refusal: string | null = null;
    const isDone = this.around.attempt(`${person} ${releases ? 'releases' : 'approves'}`, (tx) => {
      try {
        approveByPolicy(tx, id, press, scene);
      } catch (error) {
        if (error instanceof No) refusal = error.message;
        throw error;
      }
    });
    if (refusal === 'approver_role') scene.meets(extId, 'approver where owners are asked');
    if (!isDone && round < ROUNDS && this.row(id).state === 'AWAITING_APPROVAL')
      this.later(random.spread(2_000, HOUR), () =>
        this.read(id, person, { pressesAfter: null, round: round + 1 }),
      );
    if (isDone) this.afterwards(id, person, proves);
    this.around.pressed(id);
  }

  /** What happens between an approval and the send. */
  private afterwards(id: string, person: PersonName, proves: Signed): void {
    const { scene, random } = this;
    const isLeft = (): boolean => ['AWAITING_APPROVAL', 'APPROVED'].includes(this.row(id).state);
    if (scene.fault('approverDisabled', random))
      this.later(random.spread(10, HOUR), () => {
        if (isLeft())
          this.disableForAWhile(person, [this.row(id)], 'approver disabled before it left');
      });
    if (proves === 'passkey' && scene.fault('spoiledSignature', random))
      this.later(random.between(0, AT_ONCE_MS), () => {
        if (!isLeft()) return;
        this.around.attempt('somebody spoils a signature', (tx) => tx.spoil(id, person));
        // A commit whose confirmation is lost is done all the same.
        const stored = scene.tables.approvals.get(id)?.find((one) => one.personId === person);
        if (stored?.stepUp?.holds !== false) return;
        scene.approvals.spoiled(id, person);
        scene.meets(this.row(id).extId, 'signature spoiled');
        this.cancelLater(id);
      });
    if (scene.fault('rowTampered', random))
      this.later(random.between(0, AT_ONCE_MS), () => this.tamper(id));
  }

  private tamper(id: string): void {
    const { scene } = this;
    const { state, sends, leaseUntil, extId, amountMinor } = this.row(id);
    const isJudged = scene.tables.requirements.has(id);
    if (!isJudged || sends > 0 || leaseUntil !== null) return;
    if (state !== 'AWAITING_APPROVAL' && state !== 'APPROVED') return;
    this.around.attempt('somebody changes a row', (tx) =>
      tx.tamper(id, { amountMinor: amountMinor + 100n }),
    );
    if (this.row(id).amountMinor === amountMinor) return;
    scene.meets(extId, 'row changed past the triggers');
    this.cancelLater(id);
  }

  /**
   * Whoever sees the alert of missing approvals cancels it within a day of it. A restored database
   * may lack the row, or have lost the cancellation.
   */
  private cancelLater(id: string): void {
    const { scene, random, around } = this;
    const until = scene.now() + 2 * DAY;
    const look = (): void => {
      const row = scene.tables.rows.get(id);
      if (row === undefined || !BEFORE_THE_SEND.includes(row.state)) {
        if (scene.now() < until) scene.agenda.after(HOUR, look);
        return;
      }
      if (row.alert !== 'approvals_missing') return scene.agenda.after(HOUR, look);
      const isDone = !scene.isRestoring && around.attempt('cancel', (tx) => cancel(tx, id));
      scene.agenda.after(isDone ? HOUR : MINUTE, look);
    };
    scene.agenda.after(random.spread(HOUR, DAY), look);
  }

  private sendBack(id: string): void {
    const { scene, random } = this;
    const read = this.row(id);
    const able = PEOPLE.filter((one) => !this.governance.people[one].disabled);
    const person = random.pick(able.filter((one) => this.mayApprove(one)));
    if (read.state !== 'AWAITING_APPROVAL' || person === undefined) return;
    const isDone = this.around.attempt(`${person} sends back`, (tx) =>
      sendBack(tx, id, person, read.contentHash),
    );
    if (isDone) scene.meets(read.extId, 'sent back');
  }
}

function written(policy: Governance['policy']): string {
  return JSON.stringify(policy, (_key, one: unknown) =>
    typeof one === 'bigint' ? String(one) : one,
  );
}

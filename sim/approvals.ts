import { askedNow, NOTHING } from './asked.ts';
import type { Asked, Strength } from './asked.ts';
import type { PersonName } from './governance.ts';
import type { Scene } from './scene.ts';
import type { Change, Row } from './store.ts';
import { DAY, MINUTE } from './time.ts';
import { Violation } from './violation.ts';

/**
 * Stores who approved what, and what the policy of that moment asked, apart from the product, and
 * compares both with each request that is sent.
 */

/** The database's clock may be wrong by so much at the submit and at the approval. */
export const CLOCK_MS = 5 * MINUTE;

/** How a person signed what the page showed; `none`: not at all, or in a way that proves nothing. */
export type Signed = 'none' | 'sign_in' | 'passkey';
type Pressed = { person: string; shown: string; releases: boolean; signed: Signed };
/** `at`: in the time of the world. `asOwner`: as the database knew the person then. */
type Given = Pressed & { at: number; mayApprove: boolean; asOwner: boolean } & Spoiled;
/** In the order of events, and in the time of the world; infinite while the signature holds. */
type Spoiled = { spoiledAt: number; spoiledWhen: number };

export class Approvals {
  /** What people have pressed, and no transaction has stored yet. */
  private readonly pressed = new Map<string, Pressed>();
  private given: { id: string; given: Given }[] = [];
  private asked: { id: string; asked: Asked; at: number }[] = [];
  /** When each row began to wait for approval. */
  private waiting: { id: string; at: number }[] = [];
  private readonly claimedAt = new Map<string, number>();
  /** Who was disabled when a row was claimed: what these people approved did not count. */
  private readonly disabledAt = new Map<string, ReadonlySet<string>>();
  private readonly scene: () => Scene;
  /** The order of events, which is finer than the time. */
  private order = 0;

  constructor(scene: () => Scene) {
    this.scene = scene;
  }

  /** A person approves the content that the page showed. */
  signs(
    id: string,
    person: string,
    shown: string,
    { releases = false, signed = 'none' }: Partial<Pick<Pressed, 'releases' | 'signed'>> = {},
  ): void {
    this.pressed.set(`${id} ${person}`, { person, shown, releases, signed });
  }

  /** A signature that was stored holds no longer. */
  spoiled(id: string, person: string): void {
    for (const one of this.given) {
      if (one.id !== id || one.given.person !== person) continue;
      one.given.spoiledAt = ++this.order;
      one.given.spoiledWhen = this.scene().agenda.now;
    }
  }

  /** A row of a file asks for at least what its file asked for. */
  least(id: string, asked: Asked): void {
    this.asked.push({ id, asked, at: this.scene().agenda.now });
  }

  committed(change: Change): void {
    const { governance } = this.scene().tables;
    const { now } = this.scene().agenda;
    for (const { id, personId } of change.given) {
      const pressed = this.pressed.get(`${id} ${personId}`);
      if (pressed === undefined) continue;
      const member = governance?.people[personId as PersonName];
      const mayApprove =
        member === undefined || (!member.disabled && ['approver', 'owner'].includes(member.role));
      const asOwner = member?.role === 'owner';
      this.given.push({
        id,
        given: {
          ...pressed,
          at: now,
          mayApprove,
          asOwner,
          spoiledAt: Infinity,
          spoiledWhen: Infinity,
        },
      });
    }
    for (const { before, after } of change.rows) {
      if (after.state === 'SUBMITTING' && before?.state !== 'SUBMITTING') {
        this.claimedAt.set(after.id, ++this.order);
        this.disabledAt.set(after.id, disabledOf(governance));
      }
      if (after.state === 'AWAITING_APPROVAL' && before?.state !== 'AWAITING_APPROVAL')
        this.waiting.push({ id: after.id, at: now });
      if (before?.state === 'APPROVED' && after.state === 'AWAITING_APPROVAL')
        this.scene().meets(after.extId, 'waits again for an approval');
      if (governance === null) continue;
      const isSubmitted = before === null;
      const isApproved = before?.state === 'AWAITING_APPROVAL' && after.state === 'APPROVED';
      if (!isSubmitted && !isApproved) continue;
      if (isApproved) this.inTime(after, now);
      const rows = isSubmitted ? this.rowsUpTo(after.id, change) : this.allRows();
      const asked = askedNow(after, governance, rows, change.at);
      this.asked.push({ id: after.id, asked, at: now });
    }
  }

  private allRows(): Row[] {
    return [...this.scene().tables.rows.values()];
  }

  /** Without what the same transaction stored afterwards, as it does with rows of one file. */
  private rowsUpTo(id: string, { rows }: Change): Row[] {
    const at = rows.findIndex(({ after }) => after.id === id);
    const later = rows.slice(at + 1).filter(({ before }) => before === null);
    const left = new Set(later.map(({ after }) => after.id));
    return this.allRows().filter((row) => !left.has(row.id));
  }

  /** What waited for a day has run out, also where no worker has said so yet. */
  private inTime({ id, extId }: Row, now: number): void {
    const waits = this.waiting.findLast((one) => one.id === id);
    if (waits !== undefined && now - waits.at > DAY + CLOCK_MS)
      throw new Violation('I3', `${extId} is approved after it has waited for more than a day`);
  }

  /** The rows became those of a copy that was made at `madeAt`: what was later is to be done again. */
  restored(madeAt: number): void {
    this.given = this.given.filter((one) => one.given.at <= madeAt);
    for (const { given } of this.given)
      if (given.spoiledWhen > madeAt) [given.spoiledAt, given.spoiledWhen] = [Infinity, Infinity];
    this.asked = this.asked.filter((one) => one.at <= madeAt);
    this.waiting = this.waiting.filter((one) => one.at <= madeAt);
  }

  /**
   * Called when the first byte of a request leaves. Enough people, of the role that was asked for
   * and with signatures of that strength, must have approved the request's content, and none of them
   * was disabled at the claim. The strictest counts of what the policy asked at the submit and at the
   * last approval.
   */
  covers(row: Row, shown: string): void {
    const { people, ownersOnly, signed } = this.askedOf(row);
    if (people === 0) return;
    const makers = this.makersOf(row);
    const claimedAt = this.claimedAt.get(row.id) ?? Infinity;
    const disabled = this.disabledAt.get(row.id);
    const counted = this.given
      .filter((one) => one.id === row.id)
      .map((one) => one.given)
      .filter(
        (one) =>
          one.shown === shown &&
          one.mayApprove &&
          disabled?.has(one.person) !== true &&
          !makers.includes(one.person) &&
          isStrong(one.spoiledAt < claimedAt ? 'none' : one.signed, signed),
      );
    if (counted.some((one) => one.releases && one.asOwner)) {
      this.scene().meets(row.extId, 'left on the word of an owner');
      return;
    }
    const given = new Set(
      counted.filter((one) => one.asOwner || !ownersOnly).map((one) => one.person),
    );
    if (given.size < people)
      throw new Violation(
        'I3',
        `${row.extId} is on the wire with ${given.size} of ${people} approvals` +
          `${ownersOnly ? ' of owners' : ''}${signed === 'none' ? '' : `, signed: ${signed}`}`,
      );
    this.scene().meets(row.extId, 'left with its approvals');
  }

  private askedOf(row: Row): Asked {
    if (this.scene().tables.governance === null) return { ...NOTHING, people: row.approvalsNeeded };
    const all = this.asked.filter((one) => one.id === row.id).map((one) => one.asked);
    const strengths = all.map((one) => one.signed);
    return {
      people: Math.max(0, ...all.map((one) => one.people)),
      ownersOnly: all.some((one) => one.ownersOnly),
      signed: STRENGTHS.findLast((one) => strengths.includes(one)) ?? 'none',
    };
  }

  /** Its maker, and whoever made a version of it that was taken back before anything left. */
  private makersOf(row: Row): string[] {
    const { rows } = this.scene().tables;
    const makers = [row.makerId];
    for (let id = row.retryOf; id !== null;) {
      const earlier = rows.get(id);
      if (earlier === undefined || earlier.sends > 0) break;
      makers.push(earlier.makerId);
      id = earlier.retryOf;
    }
    return makers;
  }
}

function disabledOf(governance: Scene['tables']['governance']): ReadonlySet<string> {
  const people = Object.entries(governance?.people ?? {});
  return new Set(people.filter(([, member]) => member.disabled).map(([name]) => name));
}

export const STRENGTHS: readonly Strength[] = ['none', 'any', 'passkey'];

export function isStrong(signed: Signed, asked: Strength): boolean {
  if (asked === 'none') return true;
  return signed === 'passkey' || (asked === 'any' && signed === 'sign_in');
}

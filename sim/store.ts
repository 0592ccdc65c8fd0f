import { checkedApprovals } from '#lib/movements/checked-approvals.ts';
import type { StoredApproval } from '#lib/movements/checked-approvals.ts';
import type { Approval, Requirement } from '#lib/movements/approvals-cover.ts';
import type { Look } from '#lib/movements/closable.ts';
import type { MovementRow } from '#lib/movements/row.ts';
import type { Word } from '#lib/second-person/standing.ts';
import { methodOf, signedText } from '#lib/step-up/proof.ts';
import type { Answer } from '#lib/step-up/proof.ts';
import type { Batch } from './batches.ts';
import type { Governance } from './governance.ts';
import { checkInsert, checkUpdate } from './guard.ts';
import { NO_RECOVERY } from './recovery-table.ts';
import type { Recovery } from './recovery-table.ts';

/**
 * The database of a world: rows in memory, one transaction at a time, each applied whole or not at
 * all. It refuses what a trigger or a unique index of the real database refuses (guard.ts).
 */

export type BoundWord = Word & { boundTo: string };
/** `overrides`: codes of the findings that the maker ticked. */
export type Row = MovementRow & {
  need: number;
  retryOf: string | null;
  overrides?: readonly string[];
};
/** `holds`: whether the key that the person has added has signed it. */
/** `tree`: the texts of all rows of the file that was signed, for an approval that a row took along. */
export type SignedAnswer = Answer & { holds: boolean; tree?: readonly string[] };
export type Given = Omit<StoredApproval<SignedAnswer>, 'lapsed'>;

/** Each table holds frozen values; a transaction replaces them and can put the old ones back. */
export type Tables = {
  rows: Map<string, Row>;
  approvals: Map<string, Given[]>;
  /** What policies asked of a row. */
  requirements: Map<string, readonly Requirement[]>;
  attempts: Map<string, string[]>;
  gates: Map<string, number>;
  notices: Set<string>;
  /** The latest response that the worker received to its query for a row's record. */
  looks: Map<string, Look>;
  /** People's claims about a row, each with the send and the state that it is about. */
  words: Map<string, readonly BoundWord[]>;
  batches: Map<string, Batch>;
  switchedOff: boolean;
  recovery: Recovery;
  /** Null in a world without a policy, whose rows say themselves how many approvals they need. */
  governance: Governance | null;
};

/** What one committed transaction changed, for the checkers. */
export type Change = {
  name: string;
  at: number;
  rows: { before: Row | null; after: Row }[];
  audited: Set<string>;
  token: string | null;
  played: readonly Played[];
  words: readonly { id: string; personId: string }[];
  /** Approvals that were stored. */
  given: readonly { id: string; personId: string }[];
};
/** Evidence of a person, and the product's verb that recorded it. */
export type Played = { extId: string; verb: string | null; kind: string };

export class Tx {
  readonly name: string;
  /** The claim under which a worker records a response. */
  readonly token: string | null;
  /** The database's clock, which stands still during this transaction. */
  readonly now: number;
  readonly audited = new Set<string>();
  readonly played: Played[] = [];
  private readonly spoken: { id: string; personId: string }[] = [];
  private readonly given: { id: string; personId: string }[] = [];
  readonly touched = new Map<string, Row | null>();
  private readonly tables: Tables;
  private readonly undo: (() => void)[] = [];

  constructor(name: string, token: string | null, now: number, tables: Tables) {
    this.name = name;
    this.token = token;
    this.now = now;
    this.tables = tables;
  }

  row(id: string): Row | null {
    return this.tables.rows.get(id) ?? null;
  }

  rows(): Row[] {
    return [...this.tables.rows.values()];
  }

  insert(row: Row): void {
    checkInsert(row, this.rows());
    this.put(this.tables.rows, row.id, row);
    this.touched.set(row.id, null);
  }

  update(id: string, changes: Partial<Row>): Row {
    const before = this.tables.rows.get(id);
    if (before === undefined) throw new Error('a row that is not there cannot be changed');
    const after = { ...before, ...changes };
    checkUpdate(before, after, this.approvals(id), this.now, this.rows());
    this.put(this.tables.rows, id, after);
    if (!this.touched.has(id)) this.touched.set(id, before);
    return after;
  }

  approvals(id: string): readonly Approval[] {
    const stored = this.tables.approvals.get(id);
    const row = this.row(id);
    if (stored === undefined || row === null) return [];
    const people: Readonly<Record<string, { disabled: boolean }>> = this.governance?.people ?? {};
    const now = stored.map((one) => ({ ...one, lapsed: people[one.personId]?.disabled ?? false }));
    return checkedApprovals(now, (answer, signer) =>
      methodOf(answer, signer, itemOf(answer, signedText(row)), (one) => one.holds),
    );
  }

  requirements(id: string): readonly Requirement[] {
    return this.tables.requirements.get(id) ?? [];
  }

  require(id: string, requirement: Requirement): void {
    this.put(this.tables.requirements, id, [...this.requirements(id), requirement]);
  }

  /**
   * Stores one approval per person and movement: a second one of the same person replaces the
   * first.
   */
  approve(id: string, approval: Given): void {
    this.given.push({ id, personId: approval.personId });
    this.putApproval(id, approval);
  }

  /** Stores with a movement an approval that was given for its file. */
  handOn(id: string, approval: Given): void {
    this.putApproval(id, approval);
  }

  /** An approval of a file is one of each of its rows: `ids` are those of the file and of its rows. */
  gave(ids: readonly string[], personId: string): void {
    for (const id of ids) this.given.push({ id, personId });
  }

  /** Somebody who can write into the database makes a stored signature worthless. */
  spoil(id: string, personId: string): void {
    const stored = this.tables.approvals.get(id)?.find((one) => one.personId === personId);
    if (stored?.stepUp)
      this.putApproval(id, { ...stored, stepUp: { ...stored.stepUp, holds: false } });
  }

  private putApproval(id: string, approval: Given): void {
    const others = (this.tables.approvals.get(id) ?? []).filter(
      (one) => one.personId !== approval.personId,
    );
    this.put(this.tables.approvals, id, [...others, approval]);
  }

  /** Somebody who can write into the database changes a row past every trigger. */
  tamper(id: string, changes: Partial<Row>): void {
    const before = this.tables.rows.get(id)!;
    this.put(this.tables.rows, id, { ...before, ...changes });
    if (!this.touched.has(id)) this.touched.set(id, before);
  }

  attempts(id: string): readonly string[] {
    return this.tables.attempts.get(id) ?? [];
  }

  attempt(id: string, n: number, body: string): void {
    const before = this.attempts(id);
    if (before.length !== n - 1) throw new Error('attempts are numbered one after the other');
    this.put(this.tables.attempts, id, [...before, body]);
  }

  gate(iban: string): number | null {
    return this.tables.gates.get(iban) ?? null;
  }

  setGate(iban: string, at: number): void {
    this.put(this.tables.gates, iban, at);
  }

  look(id: string): Look | null {
    return this.tables.looks.get(id) ?? null;
  }

  setLook(id: string, look: Look): void {
    this.put(this.tables.looks, id, look);
  }

  words(id: string): readonly BoundWord[] {
    return this.tables.words.get(id) ?? [];
  }

  say(id: string, word: BoundWord): void {
    this.spoken.push({ id, personId: word.personId });
    this.put(this.tables.words, id, [...this.words(id), word]);
  }

  /** Stores a webhook's body. Returns true when the body was not stored before. */
  keepNotice(body: string): boolean {
    const { notices } = this.tables;
    if (notices.has(body)) return false;
    notices.add(body);
    this.undo.push(() => notices.delete(body));
    return true;
  }

  batch(id: string): Batch | null {
    return this.tables.batches.get(id) ?? null;
  }

  batches(): Batch[] {
    return [...this.tables.batches.values()];
  }

  setBatch(batch: Batch): void {
    this.put(this.tables.batches, batch.id, batch);
  }

  get switchedOff(): boolean {
    return this.tables.switchedOff;
  }

  turnSwitch(off: boolean): void {
    const before = this.tables.switchedOff;
    this.tables.switchedOff = off;
    this.undo.push(() => (this.tables.switchedOff = before));
  }

  get governance(): Governance | null {
    return this.tables.governance;
  }

  govern(governance: Governance): void {
    const before = this.tables.governance;
    this.tables.governance = governance;
    this.undo.push(() => (this.tables.governance = before));
  }

  get recovery(): Recovery {
    return this.tables.recovery;
  }

  setRecovery(recovery: Recovery): void {
    const before = this.tables.recovery;
    this.tables.recovery = recovery;
    this.undo.push(() => (this.tables.recovery = before));
  }

  audit(id: string): void {
    this.audited.add(id);
  }

  rollback(): void {
    for (const step of this.undo.reverse()) step();
  }

  touchedRows(): Row[] {
    return [...this.touched.keys()].map((id) => this.tables.rows.get(id)!);
  }

  changes(): Change {
    const rows = [...this.touched].map(([id, before]) => ({
      before,
      after: this.tables.rows.get(id)!,
    }));
    return {
      name: this.name,
      at: this.now,
      rows,
      audited: this.audited,
      token: this.token,
      played: this.played,
      words: this.spoken,
      given: this.given,
    };
  }

  private put<K, V>(table: Map<K, V>, key: K, value: V): void {
    const had = table.has(key);
    const before = table.get(key) as V;
    table.set(key, value);
    this.undo.push(() => (had ? table.set(key, before) : table.delete(key)));
  }
}

/** The text that a signature has to be of: the movement's own, or that of its file. */
function itemOf(answer: SignedAnswer | null, own: string): string {
  const tree = answer?.tree;
  if (tree === undefined) return own;
  return tree.includes(own) ? rootText(tree) : `${own} of no file`;
}

/** What stands for all rows of a file, as lib/step-up/tree.ts computes a hash of them. */
export function rootText(leaves: readonly string[]): string {
  return JSON.stringify(['batch', ...leaves]);
}

export function emptyTables(): Tables {
  return {
    rows: new Map(),
    approvals: new Map(),
    requirements: new Map(),
    attempts: new Map(),
    gates: new Map(),
    notices: new Set(),
    looks: new Map(),
    words: new Map(),
    batches: new Map(),
    switchedOff: false,
    recovery: NO_RECOVERY,
    governance: null,
  };
}

/** A copy that later changes do not affect: values in the tables are replaced, never changed. */
export function copyTables(tables: Tables): Tables {
  const { rows, approvals, requirements, attempts, gates, notices, looks, words, batches } = tables;
  return {
    ...tables,
    rows: new Map(rows),
    approvals: new Map(approvals),
    requirements: new Map(requirements),
    attempts: new Map(attempts),
    gates: new Map(gates),
    notices: new Set(notices),
    looks: new Map(looks),
    words: new Map(words),
    batches: new Map(batches),
  };
}

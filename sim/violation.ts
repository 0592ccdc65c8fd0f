/** A rule that was broken: what a world exists to find. */
export class Violation extends Error {
  readonly rule: Rule;
  constructor(rule: Rule, what: string) {
    super(what);
    this.name = 'Violation';
    this.rule = rule;
  }
}

/** The invariants of money-movement 2.7 that a world can check, and what else must never happen. */
export const RULES = {
  I1: 'an obligation has at most one executed, unrefunded transfer',
  I2: 'one intent, one ext id, for ever',
  I3: 'nothing on the wire without enough approvals of exactly this content',
  I4: 'every send of an ext id has the same bytes',
  I5: 'what we say has happened has happened at the provider',
  I6: 'no way out of the first final state',
  I7: 'a refund is confirmed only when it is in the ledger',
  I8: 'when faults stop, every intent ends or carries a flag',
  I9: 'what we say was paid and what the provider paid are the same',
  I10: 'every change that shows has an audit entry',
  I11: 'a request on the wire has a stored row and attempt',
  I12: 'an acknowledged submit survives',
  I13: 'no SUBMITTING without a live lease',
  I14: 'nothing of a notice gets into a field about money',
  R: 'a resend waits, is counted, and never follows a Duplicate',
  G: 'no two sends to one IBAN within 65 s',
  L: 'a row that a worker holds is left to it',
  U: 'while an outcome is unknown the same payment is locked',
  K: 'nothing is sent while the switch is off',
  S: 'a send begins while its lease lives',
  F: 'notices cannot make us flood the provider',
  P: 'what may not be paid again is not paid again',
  D: 'the fault matrix: a fault that comes alone ends as its row says',
  W: 'the database refuses nothing that the product does',
} as const;
export type Rule = keyof typeof RULES;

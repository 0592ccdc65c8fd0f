/** A rule that a world of the simulator has broken. */
export class Violation extends Error {
  readonly rule: Rule;
  constructor(rule: Rule, what: string) {
    super(what);
    this.name = 'Violation';
    this.rule = rule;
  }
}

/** The rules of docs/money-rules.md, which the tidy check compares with this table. */
export const RULES = {
  I1: 'an obligation has at most one executed, unreturned payment',
  I2: 'one intent, one ext id, for ever',
  I3: 'nothing on the wire without enough approvals of exactly this content',
  I4: 'every send of an ext id has the same bytes',
  I5: 'what we say has happened has happened at the provider',
  I6: 'no way out of the first final state',
  I7: 'a return is confirmed only when it is in the ledger',
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
  X: 'from every state that is not final a worker or people can take a step',
  B1: 'nothing leaves between a restore and people’s decisions',
  B2: '"everything that left is known" is true when it is said after a restore',
  Q: 'what no record ends is ended by two people who did not make it, a day after it became unclear',
  E: 'what is counted of an intent has happened, and alerts are up when their rule says',
  T: 'what people are told is true when they can read it',
  V: 'people do only what a verb of the product does',
  C1: 'one request for each intent of the card gateway, carried out once',
  C2: 'what the card gateway did, and what we do not call undone, are the same',
  C3: 'what people are told of the card side is true when it is said',
  C4: 'on the card side everything has an end, or somebody who can bring it to one',
  C5: 'a request to the card gateway begins only while nothing speaks against it',
  C6: 'the register of card payments shows what the gateway’s records say',
  C7: 'after a restore everything that the card gateway did is known when sending goes on, or said not to be',
  M1: 'each row of a batch is one of not sent, refused, or one intent, and its batch ends',
  M2: 'nothing of a paused or stopped batch leaves for the first time',
  M3: 'a retry takes no row that may have been paid',
  M4: 'nothing goes on by a batch without the approvals that the policy asked of all its rows, as they are',
  M5: 'what an approver took out of a batch stays out until its maker puts it back',
  M6: 'a row of a batch pays whom its file names, as it was shown before the submit',
  W: 'the database refuses nothing that the product does',
} as const;
export type Rule = keyof typeof RULES;

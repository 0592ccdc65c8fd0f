import { may } from '#lib/access/actor.ts';
import {
  approverRefusal,
  signatureRefusal,
  waitingRefusal,
} from '#lib/approvals/approval-rules.ts';
import { approvalsCover } from '#lib/movements/approvals-cover.ts';
import { lookAfterEnd } from '#lib/movements/claim-rules.ts';
import { contentText } from '#lib/movements/content-text.ts';
import { addedRequirement } from '#lib/movements/requirement.ts';
import { strictestStepUp } from '#lib/step-up/method.ts';
import type { StepUpAsked } from '#lib/step-up/method.ts';
import { isOfPolicy, methodOf, signedText } from '#lib/step-up/proof.ts';
import { No, says } from './desk.ts';
import type { Governance, Member, PersonName, WorldRules } from './governance.ts';
import { listedSince } from './recovery-table.ts';
import type { Row, SignedAnswer, Tx } from './store.ts';
import { verdictNow } from './verdict.ts';

/**
 * The web's transactions about approvals in a world with a policy, as lib/approvals carries them
 * out in SQL, and the changes of policy and people.
 */

/**
 * `seenHash`: of the content that the page showed. `releases`: an owner releases it alone.
 * `answer`: what the person has signed.
 */
export type Press = {
  personId: PersonName;
  seenHash: string;
  releases: boolean;
  answer: SignedAnswer | null;
};

/**
 * `judgeAgain`: what speaks by now against a row, by the rules of its form. `unguarded`: every press
 * is stored that the database takes, as if the page and its verb refused none; then only what
 * counts decides.
 */
type Web = { unguarded: boolean; judgeAgain: (tx: Tx, row: Row) => string | null };

export function approveByPolicy(
  tx: Tx,
  id: string,
  press: Press,
  { unguarded, judgeAgain }: Web,
): void {
  const { personId, seenHash, releases, answer } = press;
  const governance = governed(tx);
  const { role } = actorOf(governance, personId);
  if (!may(role, 'movement.approve')) throw new No('not_allowed');
  if (releases && !may(role, 'movement.override')) throw new No('not_allowed');
  const row = tx.row(id)!;
  const makers = makersOf(tx, row);
  const intact = contentText(row.kind, row) === row.contentHash;
  const refusal = waitingRefusal(row, { makers, intact, now: tx.now }, { personId, seenHash });
  // What the database refuses by a trigger of its own is never stored.
  const isOfAncestor = makers.includes(personId) && personId !== row.makerId;
  if (refusal !== null && (!unguarded || refusal === 'not_waiting' || isOfAncestor))
    throw new No(refusal);
  const asked = [...tx.requirements(id)];
  const added = addedRequirement(verdictNow(tx, governance, row), row, asked);
  if (added !== null) {
    tx.require(id, added);
    asked.push(added);
  }
  if (approvalsCover({ movement: row, approvals: tx.approvals(id), requirements: asked }))
    return makeReady(tx, row, judgeAgain);
  const own = [personId];
  const self = { accounts: own, represents: own, role };
  const barred = approverRefusal(self, tx.approvals(id), { asked, releases });
  if (barred !== null && !unguarded) throw new No(barred);
  const signer = { personId, overrides: releases };
  const signed = methodOf(answer, signer, signedText(row), (one) => one.holds);
  const unsigned = unreadable(governance, answer, signed) ?? signatureRefusal(signed, asked);
  if (unsigned !== null && !unguarded) throw new No(unsigned);
  tx.approve(id, {
    personId,
    deputyOf: null,
    contentHash: unguarded ? seenHash : row.contentHash,
    asOwner: role === 'owner',
    releases,
    stepUp: answer,
  });
  if (approvalsCover({ movement: row, approvals: tx.approvals(id), requirements: asked }))
    makeReady(tx, row, judgeAgain);
}

function makeReady(tx: Tx, row: Row, judgeAgain: Web['judgeAgain']): void {
  const objection = judgeAgain(tx, row);
  if (objection !== null) throw new No(`approval_blocked: ${objection}`);
  says(tx, row, 'approveMovement', 'approved', { nextAt: tx.now });
}

/** Does what lib/approvals/read-step-up.ts does. */
export function unreadable(
  { policy }: Governance,
  answer: SignedAnswer | null,
  signed: string,
): 'step_up_expired' | 'step_up_refused' | null {
  if (answer === null) return null;
  if (!isOfPolicy(answer, policy)) return 'step_up_expired';
  return signed === 'none' ? 'step_up_refused' : null;
}

/** Does what lib/approvals/ask-step-up.ts does: what a person is asked to sign now. */
export function signatureAsked(tx: Tx, id: string): { asked: StepUpAsked; policyVersion: number } {
  const governance = governed(tx);
  const now = verdictNow(tx, governance, tx.row(id)!).stepUp;
  return {
    asked: strictestStepUp([now, ...tx.requirements(id).map((one) => one.stepUp)]),
    policyVersion: governance.policy?.version ?? 0,
  };
}

/** Does what lib/approvals/send-back.ts does. */
export function sendBack(tx: Tx, id: string, personId: PersonName, seenHash: string): void {
  const { role } = actorOf(governed(tx), personId);
  if (!may(role, 'movement.approve')) throw new No('not_allowed');
  const row = tx.row(id)!;
  const intact = contentText(row.kind, row) === row.contentHash;
  const refusal = waitingRefusal(
    row,
    { makers: makersOf(tx, row), intact, now: tx.now },
    { personId, seenHash },
  );
  if (refusal !== null) throw new No(refusal);
  const nextAt = lookAfterEnd(row, listedSince(tx.recovery, row) !== null, tx.now);
  says(tx, row, 'sendBackMovement', 'sent_back', { nextAt });
}

/** Two people have agreed on it: it is in force from now on. */
export function adoptPolicy(tx: Tx, change: (before: WorldRules | null) => WorldRules): void {
  const governance = governed(tx);
  const version = (governance.policy?.version ?? 0) + 1;
  tx.govern({ ...governance, policy: { ...change(governance.policy), version } });
}

export function disable(tx: Tx, name: PersonName, disabled: boolean): void {
  const governance = governed(tx);
  const member: Member = { ...governance.people[name], disabled };
  tx.govern({ ...governance, people: { ...governance.people, [name]: member } });
}

/** The session of a person who is disabled has ended. */
export function actorOf({ people }: Governance, name: PersonName): Member {
  const member = people[name];
  if (member.disabled) throw new No('not_allowed');
  return member;
}

/** Does what the database's function movement_makers does. */
export function makersOf(tx: Pick<Tx, 'row'>, row: Row): string[] {
  const makers = new Set([row.makerId]);
  let parent = row.retryOf === null ? null : tx.row(row.retryOf);
  while (parent !== null && parent.sends === 0) {
    makers.add(parent.makerId);
    parent = parent.retryOf === null ? null : tx.row(parent.retryOf);
  }
  return [...makers];
}

export function governed(tx: Tx): Governance {
  const { governance } = tx;
  if (governance === null) throw new Error('this world has no policy');
  return governance;
}

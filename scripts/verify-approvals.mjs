/**
 * The part of `verify-audit.mjs` that checks approvals: with Node alone, from what the audit log
 * itself holds. An entry says what a person approved; where it was signed, the challenge that was
 * made from it and the signature of a key that the same person added in an earlier entry; and where
 * a deputy gave it, for whom.
 */
import { createHash, createPublicKey, verify } from 'node:crypto';

const RP_HASH_BYTES = 32;
/** The person was present and was verified by the key. */
const PRESENT_AND_VERIFIED = 0b101;
const GIVEN = {
  'movement.approval_given': 'approve',
  'movement.overridden': 'override',
  'batch.approval_given': 'approve',
  'batch.overridden': 'override',
};

/** An entry is written after its approval: one of the last moment stands a little behind it. */
const ENTRY_LATE_MS = 60_000;

/**
 * For whom approvals counted: a deputy and the person represented are one, and a deputy approves only
 * while two people's word for it holds, and nothing that the person represented has prepared.
 */
class DeputyApprovals {
  constructor(whole) {
    this.whole = whole;
    this.deputyships = new Map();
    this.makers = new Map();
    this.given = new Map();
  }

  /** Returns what does not hold, or null. */
  take({ action, actor, subject, detail, at }) {
    if (action === 'movement.drafted' || action === 'batch.submitted')
      this.makers.set(subject, actor);
    const begins = action === 'person.deputy_named' && detail.alone === true;
    if (begins || action === 'person.deputy_confirmed')
      this.deputyships.set(detail.deputyship, { deputy: subject, ...detail });
    if (action === 'person.deputy_ended') this.deputyships.delete(detail.deputyship);
    return GIVEN[action] === undefined ? null : this.check({ action, actor, subject, detail, at });
  }

  check({ action, actor, subject, detail, at }) {
    const isDeputy = detail.deputyOf !== undefined;
    const by = isDeputy ? `person:${detail.deputyOf}` : actor;
    const given = this.given.get(subject) ?? new Set();
    // An owner who has approved it may release it alone later.
    const kept = `${GIVEN[action]} ${by}`;
    if (given.has(kept)) return 'it counts twice for one person';
    this.given.set(subject, given.add(kept));
    if (!isDeputy) return null;
    if (this.makers.get(subject) === by)
      return 'a deputy approved what the person represented made';
    const moment = Date.parse(at);
    const holds = [...this.deputyships.values()].some(
      ({ deputy, of, from, until }) =>
        deputy === actor &&
        of === detail.deputyOf &&
        Date.parse(from) <= moment &&
        moment - ENTRY_LATE_MS < Date.parse(until),
    );
    return holds || !this.whole
      ? null
      : 'a deputy approved for somebody whom they did not represent';
  }
}

/** Takes the entries of a trail in their order, and says what is wrong with one. */
export class SignedApprovals {
  /** `whole`: the trail is whole, so every key and every content is in it. */
  constructor(whole) {
    this.whole = whole;
    this.signed = 0;
    this.keys = new Map();
    this.contents = new Map();
    this.used = new Map();
    this.batches = new Map();
    this.deputies = new DeputyApprovals(whole);
  }

  /** Returns what does not hold, or null. */
  take(entry) {
    const { action, actor, subject, detail } = entry;
    const wrong = this.deputies.take(entry);
    if (wrong !== null) return wrong;
    if (action === 'movement.drafted' || action === 'batch.submitted')
      this.contents.set(subject, detail);
    if (GIVEN[action] !== undefined && subject.startsWith('batch:')) this.keepOfBatch(entry);
    if (action === 'movement.approved_in_batch') return this.checkInBatch(subject, detail);
    if (action === 'person.passkey_added') this.keys.set(detail.publicKey, { actor, of: detail });
    if (action === 'person.passkey_removed') this.remove([detail.passkey]);
    if (action === 'person.passkeys_lost') this.remove(detail.passkeys);
    if (GIVEN[action] === undefined || detail.stepUp === undefined) return null;
    return this.check(GIVEN[action], { actor, subject, detail });
  }

  keepOfBatch({ actor, subject, detail }) {
    const approvals = this.batches.get(subject) ?? new Map();
    this.batches.set(subject, approvals.set(actor, detail.contentHash));
  }

  /** A row's approval stands for one of its batch, and its steps lead from the row to the batch. */
  checkInBatch(subject, { batch, batchHash, by, steps }) {
    const approved = this.batches.get(`batch:${batch}`)?.get(`person:${by}`);
    if (approved === undefined ? this.whole : approved !== batchHash)
      return 'its batch was not approved by this person';
    const content = this.contents.get(subject);
    if (content === undefined) return this.whole ? 'nothing of it was prepared' : null;
    return rootOf(itemOf(content), steps) === batchHash ? null : 'it is no row of its batch';
  }

  remove(ids) {
    for (const [publicKey, { of }] of this.keys)
      if (ids.includes(of.passkey)) this.keys.delete(publicKey);
  }

  check(purpose, { actor, subject, detail }) {
    if (detail.stepUpPurpose !== purpose) return 'it was signed for another purpose';
    if (!detail.stepUpItems.includes(detail.stepUpItem)) return 'it is not among what was signed';
    const content = this.contents.get(subject);
    if (content === undefined ? this.whole : signedOf(subject, content) !== detail.stepUpItem)
      return 'another content was signed than was prepared';
    const nonce = `${detail.stepUpNonce} ${subject}`;
    if (this.used.has(nonce)) return 'its signature was used before';
    this.used.set(nonce, actor);
    if (detail.stepUp !== 'passkey') return null;
    const key = this.keys.get(detail.publicKey);
    if (this.whole && key === undefined) return 'it was signed by a key that nobody had then';
    if (key !== undefined && (key.actor !== actor || key.of.rpId !== detail.rpId))
      return 'it was signed by the key of somebody else';
    if (!isSigned(detail)) return 'its signature does not hold';
    this.signed += 1;
    return null;
  }
}

/** As lib/step-up/challenge.ts; a payout's entry names no kind. */
function itemOf({ kind = 'payout', contentHash, extId, amountMinor, currency }) {
  return hex(JSON.stringify([kind, contentHash, extId, amountMinor, currency]));
}

/** Of a batch its hash is signed, of a movement its item. */
function signedOf(subject, content) {
  return subject.startsWith('batch:') ? content.contentHash : itemOf(content);
}

/** As lib/step-up/tree.ts. */
function rootOf(item, steps) {
  const top = steps.reduce((hash, step) => {
    const [side, beside] = step.split(' ');
    const pair = side === 'left' ? [beside, hash] : [hash, beside];
    return hex(JSON.stringify(['batch node', ...pair]));
  }, item);
  return hex(JSON.stringify(['batch', 1, top]));
}

function isSigned(detail) {
  const parts = [detail.stepUpPurpose, detail.stepUpNonce, detail.stepUpPolicy];
  const challenge = hex(JSON.stringify(['step-up', 1, ...parts, detail.stepUpItems]));
  try {
    const client = Buffer.from(detail.clientDataJson, 'base64url');
    const authenticator = Buffer.from(detail.authenticatorData, 'base64url');
    const said = JSON.parse(client.toString('utf8'));
    const flags = authenticator[RP_HASH_BYTES] ?? 0;
    return (
      said.type === 'webauthn.get' &&
      said.challenge === Buffer.from(challenge, 'hex').toString('base64url') &&
      authenticator.subarray(0, RP_HASH_BYTES).equals(sha256(detail.rpId)) &&
      (flags & PRESENT_AND_VERIFIED) === PRESENT_AND_VERIFIED &&
      verify(
        'sha256',
        Buffer.concat([authenticator, sha256(client)]),
        createPublicKey({
          key: Buffer.from(detail.publicKey, 'base64url'),
          format: 'der',
          type: 'spki',
        }),
        Buffer.from(detail.signature, 'base64url'),
      )
    );
  } catch {
    return false;
  }
}

function sha256(data) {
  return createHash('sha256').update(data).digest();
}

function hex(text) {
  return sha256(text).toString('hex');
}

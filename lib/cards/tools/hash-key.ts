import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { typesCard } from '#lib/values/card-number.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { readDecimal } from '#lib/values/money.ts';
import { makeHashKey, readHashKey } from '#lib/providers/card/hash-key.ts';
import { countAttempt } from '#lib/access/rate-limit.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { AMOUNT_PARTS, FROM_GATEWAY, HASH_PARTS, OWN_PART } from './hash-parts.ts';
import type { HashSubject } from './hash-parts.ts';

const PART_MAX = 255;
const HIDDEN = '••••';

export type Parts = Readonly<Record<string, string>>;

/**
 * A hash key for a request of this merchant, made with our own secret, which is never shown. The
 * audit entry has the operation and none of the values.
 *
 * @throws Refusal not_allowed, too_many, hash_part, card_number_typed, not_found (for what only the
 * gateway makes)
 */
export async function makeHashKeyFor(
  actor: Person,
  subject: HashSubject,
  parts: Parts,
): Promise<string> {
  assertMay(actor, 'card.tools');
  if (FROM_GATEWAY.includes(subject)) throw new Refusal('not_found');
  const values = HASH_PARTS[subject].map((name) =>
    name === OWN_PART ? env().merchantKey : usable(name, parts[name] ?? ''),
  );
  await countAttempt(actor, 'hash.try');
  const hashKey = makeHashKey(env().cardAppSecret, values);
  await inTransaction(actor.merchantId, (tx) =>
    audit(tx, actor, 'card.hash_made', 'card:hash', { subject }),
  );
  return hashKey;
}

/**
 * One part of the hash key's content. `agrees` is null where there is no value to compare it with.
 */
export type CheckedPart = { name: string; text: string; agrees: boolean | null };
/**
 * `unreadable` is one answer for every cause: another secret, another format, other parts than this
 * operation has. Distinguishing them would help an attacker.
 */
export type HashCheck =
  | { kind: 'unreadable' }
  | { kind: 'read'; parts: CheckedPart[]; agrees: boolean };

/**
 * Compares the content of a pasted hash key with the expected values. It is encryption without a
 * MAC: that it can be decrypted does not mean that it is genuine, and the page says so.
 */
export async function checkHashKey(
  actor: Person,
  subject: HashSubject,
  hashKey: string,
  parts: Parts,
): Promise<HashCheck> {
  assertMay(actor, 'card.tools');
  if (Object.values(parts).some(typesCard)) throw new Refusal('card_number_typed');
  await countAttempt(actor, 'hash.try');
  await inTransaction(actor.merchantId, (tx) =>
    audit(tx, actor, 'card.hash_checked', 'card:hash', { subject }),
  );
  const names = HASH_PARTS[subject];
  const content = readHashKey(env().cardAppSecret, hashKey.trim());
  if (content === null || content.length !== names.length) return { kind: 'unreadable' };
  const checked = names.map((name, index): CheckedPart => {
    const wanted = name === OWN_PART ? env().merchantKey : (parts[name] ?? '').trim();
    const text = content[index]!;
    return {
      name,
      text: typesCard(text) ? HIDDEN : text,
      agrees: wanted === '' ? null : agrees(name, text, wanted),
    };
  });
  return { kind: 'read', parts: checked, agrees: checked.every((part) => part.agrees === true) };
}

function usable(name: string, typed: string): string {
  const text = typed.trim();
  if (typesCard(text)) throw new Refusal('card_number_typed');
  if (text === '' || text.length > PART_MAX || text.includes('|'))
    throw new Refusal('hash_part', { part: name });
  return text;
}

function agrees(name: string, text: string, wanted: string): boolean {
  if (!AMOUNT_PARTS.includes(name)) return text === wanted;
  const amount = readDecimal(text);
  return amount !== null && amount === readDecimal(wanted);
}

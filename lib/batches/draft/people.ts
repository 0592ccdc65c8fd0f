import 'server-only';
import { setTimeout as pause } from 'node:timers/promises';
import type { Person } from '#lib/access/actor.ts';
import { countAttempt } from '#lib/access/rate-limit.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { askPerson } from '#lib/transfers/check-person.ts';
import type { PersonFound } from '#lib/transfers/person.ts';
import { readKeyText } from '#lib/values/person-key.ts';
import { valueOf } from '../file/cell.ts';
import type { People } from './complete-row.ts';
import type { DraftRow } from './draft-table.ts';

/**
 * Whose wallets the rows of a draft would pay. The provider is asked of one person at a time, so that
 * answers are kept for a while; before a row is paid it is asked anew.
 */

/** How long an answer is used for other looks at a draft. */
const KEPT_MS = 10 * 60_000;
/** Somebody may open a wallet while the maker waits for it. */
const NOBODY_KEPT_MS = 30_000;
const KEPT_MAX = 20_000;
/** How long one look at a draft waits for answers; the next look goes on from there. */
const LOOK_MS = 8_000;
/** Requests that are under way at the same time. */
const AT_ONCE = 8;

type Kept = { until: number; found: PersonFound };
const kept = new Map<string, Kept>();

/**
 * The people whom these rows name, as far as they are known within the time of one look. The
 * provider's answer depends on the currency.
 */
export async function lookUpPeople(
  actor: Person,
  rows: readonly DraftRow[],
  currency: string,
  lookMs = LOOK_MS,
): Promise<People> {
  const keys = [...new Set(rows.flatMap(({ cells }) => valueOf(cells.person) ?? []))];
  const people = new Map<string, PersonFound>();
  const missing = keys.filter((key) => {
    const known = kept.get(`${actor.merchantId}:${currency}:${key}`);
    const isKnown = known !== undefined && performance.now() < known.until;
    if (isKnown) people.set(key, known.found);
    return !isKnown;
  });
  if (missing.length === 0) return people;
  const end = new AbortController();
  const waiting = missing.values();
  const asking = Array.from({ length: AT_ONCE }, async () => {
    for (const key of waiting) {
      if (end.signal.aborted || !(await mayAsk(actor))) return;
      const found = await ask(key, currency);
      if (found === null) continue;
      keep(`${actor.merchantId}:${currency}:${key}`, found);
      people.set(key, found);
    }
  });
  const all = Promise.all(asking);
  // What is answered after the look is kept for the next one.
  const late = pause(lookMs, undefined, { signal: end.signal, ref: false }).catch(() => undefined);
  await Promise.race([all, late]);
  end.abort();
  all.catch(() => undefined);
  return new Map(people);
}

async function ask(text: string, currency: string): Promise<PersonFound | null> {
  const key = readKeyText(text);
  const found = key === null ? null : await askPerson(key, currency);
  return found?.kind === 'unchecked' ? null : found;
}

/** Counted like questions of the form, because a file could try one number after another. */
async function mayAsk(actor: Person): Promise<boolean> {
  return countAttempt(actor, 'batch.person').then(
    () => true,
    (error: unknown) => {
      if (error instanceof Refusal) return false;
      throw error;
    },
  );
}

function keep(key: string, found: PersonFound): void {
  const forMs = found.kind === 'found' ? KEPT_MS : NOBODY_KEPT_MS;
  kept.set(key, { until: performance.now() + forMs, found });
  for (const old of kept.keys()) if (kept.size > KEPT_MAX) kept.delete(old);
}

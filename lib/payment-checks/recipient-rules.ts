import { toDecimal } from '#lib/values/money.ts';
import { foldForSearch } from '#lib/values/turkish.ts';
import { duplicateFindings } from './duplicate-rules.ts';
import {
  hasArrived,
  isOpenUnknown,
  isReturned,
  latestFirst,
  type OwnMovement,
  usualRange,
} from './history.ts';
import type { Finding, FindingValue, PayoutFacts } from './findings.ts';

/**
 * The payout rules that compare with our own movements to the same recipient. Pure; called by
 * `lib/payouts/rules.ts`.
 */

/** How long a payment that is in the provider's records only is shown. */
const FOREIGN_SHOWN_MS = 7 * 86_400_000;
/** An amount this many times the upper end of the usual range gets a warning. */
const ABOVE_USUAL_TIMES = 3n;
/** How long a changed account is shown even when money has arrived there. */
const CHANGE_SHOWN_MS = 30 * 86_400_000;
const NO_REASON = 'none';
const SENT: readonly string[] = ['SUBMITTING', 'UNKNOWN', 'PENDING', 'MANUAL_REVIEW', 'COMPLETED'];

type Known = {
  iban: string;
  amountMinor: bigint | null;
  currency: string | null;
  recent: OwnMovement[];
  facts: PayoutFacts;
};

export function recipientFindings(facts: PayoutFacts): Finding[] {
  const { iban, id, amountMinor } = facts.content;
  if (iban === undefined || facts.recent === null) return [];
  // The same intent, submitted again, is not its own duplicate.
  const recent = latestFirst(facts.recent.filter((movement) => movement.id !== id));
  const known: Known = {
    iban,
    amountMinor: amountMinor ?? null,
    currency: facts.wallet?.currency ?? null,
    recent,
    facts,
  };
  const unknown = openUnknown(known);
  const named = new Set(unknown.map((finding) => finding.movementId ?? ''));
  return [
    ...unknown,
    ...foreign(known),
    ...duplicateFindings(facts, recent, named),
    ...lastReturned(known),
    ...changedByHand(known),
    ...whoElse(known),
    ...firstPayment(known),
    ...aboveUsual(known),
  ];
}

/**
 * While an outcome is unknown, the same amount to the same IBAN is locked. Another amount to this
 * IBAN, or the same amount to another IBAN of the payee, passes with the override "this is another
 * payment".
 */
function openUnknown({ iban, recent, facts, ...known }: Known): Finding[] {
  const open = recent.filter(isOpenUnknown);
  const here = open.filter((movement) => movement.iban === iban);
  const same = here.find((movement) => isSameAmount(movement, known));
  if (same !== undefined)
    return [
      {
        code: 'unknown_same_amount',
        level: 'block',
        field: 'amount',
        params: paramsOf(same),
        movementId: same.id,
      },
    ];
  const findings: Finding[] = [];
  const other = here[0];
  if (other !== undefined)
    findings.push({
      code: 'unknown_other_amount',
      level: 'warn',
      field: 'amount',
      params: paramsOf(other),
      movementId: other.id,
    });
  const { taxNumber } = facts.content;
  const elsewhere = open.find(
    (movement) =>
      movement.iban !== iban && movement.taxNumber === taxNumber && isSameAmount(movement, known),
  );
  if (elsewhere !== undefined) {
    const params = { ...paramsOf(elsewhere), otherIban: { iban: elsewhere.iban } };
    findings.push({
      code: 'unknown_same_payee',
      level: 'warn',
      field: 'iban',
      params,
      movementId: elsewhere.id,
    });
  }
  return findings;
}

/**
 * The finding about a payment that a restored database may have lost: an equal payment is blocked
 * until a person has acknowledged its record, and gets a warning after that.
 */
function foreign({ iban, amountMinor, currency, facts }: Known): Finding[] {
  const same = (facts.foreign ?? []).filter(
    (one) =>
      one.iban === iban &&
      one.amountMinor === amountMinor &&
      (currency === null || one.currency === currency),
  );
  const one =
    same.find((payment) => !payment.seen) ??
    same.find((payment) => Date.parse(payment.at) >= Date.parse(facts.now) - FOREIGN_SHOWN_MS);
  if (one === undefined) return [];
  const params = {
    amount: { money: toDecimal(one.amountMinor), currency: one.currency },
    at: { at: one.at },
  };
  return [
    one.seen
      ? { code: 'foreign_known', level: 'warn', field: 'amount', params }
      : { code: 'foreign_same_amount', level: 'block', field: 'amount', params },
  ];
}

function lastReturned({ iban, recent }: Known): Finding[] {
  const last = recent.find((movement) => movement.iban === iban && movement.state === 'COMPLETED');
  if (last === undefined || !isReturned(last)) return [];
  const params = {
    ...paramsOf(last),
    returned: last.returned,
    reason: last.reasonText ?? NO_REASON,
  };
  return [{ code: 'last_returned', level: 'warn', field: 'iban', params, movementId: last.id }];
}

/**
 * A changed account redirects money, so the next payer is warned until money has arrived there and
 * a month has passed.
 */
function changedByHand({ iban, recent, facts: { saved, now } }: Known): Finding[] {
  const findings: Finding[] = [];
  if (saved?.changed) {
    const { at, by, before } = saved.changed;
    const arrived = recent.some(
      (movement) => movement.iban === iban && hasArrived(movement) && movement.createdAt > at,
    );
    const params: Finding['params'] = {
      name: saved.name,
      by,
      at: { at },
      how: before === null ? 'added' : 'changed',
      otherIban: { iban: before ?? iban },
    };
    if (!arrived || Date.parse(at) >= Date.parse(now) - CHANGE_SHOWN_MS)
      findings.push({
        code: 'iban_changed',
        level: arrived ? 'info' : 'warn',
        field: 'iban',
        params,
      });
  }
  if (saved?.retired) {
    const { at, by, now: instead } = saved.retired;
    findings.push({
      code: 'payee_retired',
      level: 'warn',
      field: 'iban',
      params: {
        name: saved.name,
        by,
        at: { at },
        how: instead === null ? 'archived' : 'replaced',
        otherIban: { iban: instead ?? iban },
      },
    });
  }
  return findings;
}

/** The same payee on another IBAN, or another name on this IBAN: signs of a forged invoice. */
function whoElse({ iban, recent, facts: { content, saved } }: Known): Finding[] {
  const sent = recent.filter((movement) => SENT.includes(movement.state));
  const here = sent.filter((movement) => movement.iban === iban);
  const name = content.name === undefined ? '' : foldForSearch(content.name);
  const isSameName = (movement: OwnMovement): boolean =>
    name !== '' && foldForSearch(movement.name) === name;
  const isSameTax = (movement: OwnMovement): boolean =>
    content.taxNumber !== undefined && movement.taxNumber === content.taxNumber;
  const isSamePayee = (movement: OwnMovement): boolean =>
    isSameName(movement) || isSameTax(movement);
  if (here.some(isSamePayee)) return [];
  const findings: Finding[] = [];
  // The account that this one replaced by hand has a finding of its own.
  const elsewhere = sent.find(
    (movement) =>
      movement.iban !== iban && movement.iban !== saved?.changed?.before && isSamePayee(movement),
  );
  if (elsewhere !== undefined) {
    const params: Finding['params'] = {
      match: isSameName(elsewhere) ? 'name' : 'tax_number',
      name: elsewhere.name,
      otherIban: { iban: elsewhere.iban },
      iban: { iban },
      at: { at: elsewhere.createdAt },
    };
    findings.push({
      code: 'payee_other_iban',
      level: 'warn',
      field: 'iban',
      params,
      movementId: elsewhere.id,
    });
  }
  const stranger = here[0];
  if (stranger !== undefined && name !== '') {
    findings.push({
      code: 'iban_other_name',
      level: 'info',
      field: 'name',
      params: { name: stranger.name, at: { at: stranger.createdAt } },
      movementId: stranger.id,
    });
  }
  return findings;
}

function firstPayment({ iban, recent }: Known): Finding[] {
  const isKnown = recent.some(
    (movement) => movement.iban === iban && SENT.includes(movement.state),
  );
  return isKnown ? [] : [{ code: 'first_payment', level: 'info', field: 'iban', params: {} }];
}

function aboveUsual({ iban, recent, amountMinor, currency }: Known): Finding[] {
  if (amountMinor === null || currency === null) return [];
  const arrived = recent.filter(
    (movement) => movement.iban === iban && movement.currency === currency && hasArrived(movement),
  );
  const usual = usualRange(arrived.map((movement) => movement.amountMinor));
  if (usual === null || usual.high <= 0n || amountMinor < usual.high * ABOVE_USUAL_TIMES) return [];
  const tenths = (amountMinor * 10n) / usual.high;
  const money = (amount: bigint): FindingValue => ({ money: toDecimal(amount), currency });
  // From ten times on, decimals are not worth showing.
  const times = tenths < 100n ? Number(tenths) / 10 : Number(tenths / 10n);
  return [
    {
      code: 'above_usual',
      level: 'info',
      field: 'amount',
      params: { times, low: money(usual.low), high: money(usual.high), count: usual.n },
    },
  ];
}

function isSameAmount(
  movement: OwnMovement,
  { amountMinor, currency }: Pick<Known, 'amountMinor' | 'currency'>,
): boolean {
  return (
    movement.amountMinor === amountMinor && (currency === null || movement.currency === currency)
  );
}

function paramsOf(movement: OwnMovement): Record<string, FindingValue> {
  return {
    amount: { money: toDecimal(movement.amountMinor), currency: movement.currency },
    at: { at: movement.createdAt },
  };
}

import { toDecimal } from '#lib/values/money.ts';
import { foldForSearch } from '#lib/values/turkish.ts';
import type { Finding, FindingCode, FindingValue, PayoutFacts } from './findings.ts';
import { cameToNothing, isOpenUnknown } from './history.ts';
import type { OwnMovement } from './history.ts';

/**
 * Whether this payment was made or prepared before, by anyone and in any state. Returns at most one
 * finding, the most certain, because people ignore long lists of warnings. Regular payments (rent,
 * wages, a weekly delivery) are no duplicates when the next one is due. Pure.
 */

const DAY_MS = 86_400_000;
/** How long the same amount to the same payee counts as a duplicate. */
const SAME_AMOUNT_MS = 7 * DAY_MS;
/**
 * How long the same amount with the same number in its description counts as a duplicate: an
 * invoice that is paid twice.
 */
const SAME_INVOICE_MS = 180 * DAY_MS;
/** How long nearly the same amount counts as a duplicate, with any description. */
const NEAR_ANY_MS = DAY_MS;
/** Amounts are nearly the same when they differ by at most one part in this many. */
const NEAR_PARTS = 100n;

/** How many earlier payments make a series regular. */
const SERIES_MIN = 3;
const SERIES_LEAST_MS = 20 * 3_600_000;
/** How far gaps of one series may differ: months, weekends and holidays. */
const SERIES_SPREAD = 0.35;
const SERIES_REGULAR = 2 / 3;
/** The part of the usual gap from which on the next payment of a series is due. */
const SERIES_DUE = 0.6;

const TCKN_LENGTH = 11;
/** The value by which a finding's message selects its wording when no name is known. */
const NOBODY = 'nobody';
const NO_TEXT = 'none';

type Payment = {
  iban: string;
  amountMinor: bigint;
  currency: string | null;
  facts: PayoutFacts;
  now: number;
};

/**
 * `recent`: our own movements to the same IBAN, name or tax number, latest first, without the
 * intent itself. `named`: ids of movements in other findings.
 */
export function duplicateFindings(
  facts: PayoutFacts,
  recent: readonly OwnMovement[],
  named: ReadonlySet<string>,
): Finding[] {
  const { iban, amountMinor } = facts.content;
  if (iban === undefined || amountMinor === undefined) return [];
  const payment: Payment = {
    iban,
    amountMinor,
    currency: facts.wallet?.currency ?? null,
    facts,
    now: Date.parse(facts.now),
  };
  const alive = recent.filter(
    (movement) =>
      !cameToNothing(movement) &&
      (payment.currency === null || movement.currency === payment.currency) &&
      isSamePayee(movement, payment),
  );
  if (
    isDue(
      alive.filter((movement) => isAlike(movement, payment)),
      payment.now,
    )
  )
    return [];
  const candidates = alive.filter((movement) => !named.has(movement.id));
  for (const [code, fits] of KINDS) {
    const found = candidates.filter((movement) => fits(movement, payment));
    if (found.length > 0) return [finding(code, found, payment)];
  }
  return [];
}

/** The kinds of duplicates, the most certain first. */
const KINDS: [FindingCode, (movement: OwnMovement, payment: Payment) => boolean][] = [
  [
    'duplicate',
    (movement, payment) =>
      movement.iban === payment.iban &&
      movement.amountMinor === payment.amountMinor &&
      isWithin(movement, payment, SAME_AMOUNT_MS) &&
      !isOpenUnknown(movement),
  ],
  [
    'duplicate_other_iban',
    (movement, payment) =>
      movement.iban !== payment.iban &&
      movement.amountMinor === payment.amountMinor &&
      isWithin(movement, payment, SAME_AMOUNT_MS),
  ],
  [
    'duplicate_invoice',
    (movement, payment) =>
      movement.amountMinor === payment.amountMinor &&
      isSameText(movement, payment) &&
      /\d{3}/.test(movement.description) &&
      isWithin(movement, payment, SAME_INVOICE_MS),
  ],
  ['near_duplicate', isNearDuplicate],
];

function isNearDuplicate(movement: OwnMovement, payment: Payment): boolean {
  if (movement.amountMinor === payment.amountMinor) return false;
  const near = isNear(movement.amountMinor, payment.amountMinor);
  if (isSameText(movement, payment))
    return (
      (near || isSlip(movement.amountMinor, payment.amountMinor)) &&
      isWithin(movement, payment, SAME_AMOUNT_MS)
    );
  return (
    near &&
    movement.iban === payment.iban &&
    movement.paymentType === payment.facts.content.paymentType &&
    isWithin(movement, payment, NEAR_ANY_MS)
  );
}

/**
 * The same IBAN or number is the same payee. Two people may have one name; a firm and its owner may
 * have one number each.
 */
function isSamePayee(movement: OwnMovement, { iban, facts: { content } }: Payment): boolean {
  if (movement.iban === iban || movement.taxNumber === content.taxNumber) return true;
  const isTwoPeople =
    movement.taxNumber.length === TCKN_LENGTH && content.taxNumber?.length === TCKN_LENGTH;
  return (
    !isTwoPeople &&
    content.name !== undefined &&
    foldForSearch(movement.name) === foldForSearch(content.name)
  );
}

/** Whether both belong to one series of payments: the same amount, or the same text. */
function isAlike(movement: OwnMovement, payment: Payment): boolean {
  return movement.amountMinor === payment.amountMinor || isSameText(movement, payment);
}

function isSameText(movement: OwnMovement, { facts: { content } }: Payment): boolean {
  const text = foldForSearch(content.description ?? '');
  return text !== '' && foldForSearch(movement.description) === text;
}

function isWithin(movement: OwnMovement, { now }: Payment, window: number): boolean {
  return Date.parse(movement.createdAt) >= now - window;
}

/** Whether the next payment of such a series is due by now. `series`: latest first. */
export function isDue(series: readonly OwnMovement[], now: number): boolean {
  const times = series.map((movement) => Date.parse(movement.createdAt));
  const gaps = times.slice(0, -1).map((time, index) => time - times[index + 1]!);
  if (times.length < SERIES_MIN) return false;
  const usual = gaps.toSorted((a, b) => a - b)[gaps.length >> 1]!;
  const regular = gaps.filter((gap) => Math.abs(gap - usual) <= usual * SERIES_SPREAD).length;
  return (
    usual >= SERIES_LEAST_MS &&
    regular >= gaps.length * SERIES_REGULAR &&
    now - times[0]! >= usual * SERIES_DUE
  );
}

function isNear(a: bigint, b: bigint): boolean {
  const [less, more] = a < b ? [a, b] : [b, a];
  return (more - less) * NEAR_PARTS <= more;
}

/**
 * Whether two amounts differ by a typing error: one digit off, two neighbours swapped, or the
 * separator in another place.
 */
export function isSlip(a: bigint, b: bigint): boolean {
  const [left, right] = [a.toString(), b.toString()];
  if (left.replace(/0+$/, '') === right.replace(/0+$/, '')) return true;
  if (left.length !== right.length) return false;
  const off = [...left].flatMap((digit, index) => (digit === right[index] ? [] : [index]));
  const [first, second] = off;
  if (first === undefined || off.length === 1) return true;
  return (
    off.length === 2 &&
    second === first + 1 &&
    left[first] === right[second] &&
    left[second] === right[first]
  );
}

function finding(code: FindingCode, found: readonly OwnMovement[], { iban }: Payment): Finding {
  const latest = found[0]!;
  const params: Record<string, FindingValue> = {
    amount: { money: toDecimal(latest.amountMinor), currency: latest.currency },
    at: { at: latest.createdAt },
    // The record shows a payment, whatever state is stored here.
    state: latest.alert === 'contradiction' ? 'UNKNOWN' : latest.state,
    maker: latest.maker ?? NOBODY,
    count: found.length,
  };
  if (code !== 'duplicate') params.description = latest.description || NO_TEXT;
  if (latest.iban !== iban) params.otherIban = { iban: latest.iban };
  return { code, level: 'warn', field: 'amount', params, movementId: latest.id };
}

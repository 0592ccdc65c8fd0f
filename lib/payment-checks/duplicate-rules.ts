import { toDecimal } from '#lib/values/money.ts';
import { foldForSearch } from '#lib/values/turkish.ts';
import type { Finding, FindingCode, FindingValue, PayoutFacts } from './findings.ts';
import { cameToNothing, isOpenUnknown } from './history.ts';
import type { OwnMovement } from './history.ts';
import { isDue, notDueMs, seriesText } from './series.ts';

/**
 * Whether this payment was made or prepared before, by anyone and in any state. Returns at most one
 * finding, the most certain, because people ignore long lists of warnings. Regular payments (rent,
 * wages, a weekly delivery) are no duplicates when the next one is due. Pure.
 */

const DAY_MS = 86_400_000;
/**
 * How long the same amount to the same payee counts as a duplicate; in a regular series, as long as
 * its next payment is not due.
 */
const SAME_AMOUNT_MS = 7 * DAY_MS;
/**
 * How long the same amount with the same number in its description counts as a duplicate: an
 * invoice that is paid twice, in whatever words.
 */
const SAME_INVOICE_MS = 180 * DAY_MS;
/** How long nearly the same amount counts as a duplicate, with any description. */
const NEAR_ANY_MS = DAY_MS;
/** Amounts are nearly the same when they differ by at most one part in this many. */
const NEAR_PARTS = 100n;

const INVOICE_DIGITS = 4;
const YEAR = /^(?:19|20)\d\d$/;
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
  /** How long the same amount counts as a duplicate. */
  sameAmountMs: number;
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
  const compared = compare(facts, recent);
  if (compared === null) return [];
  const { payment, alive, series } = compared;
  const candidates = alive.filter((movement) => !named.has(movement.id));
  if (isDue(series, payment.amountMinor, payment.now)) {
    const again = candidates.filter((movement) => isSameInvoiceText(movement, payment));
    // A text of every turn, such as the number of a contract, says nothing.
    return again.length === 1 ? [finding('duplicate_invoice', again, payment)] : [];
  }
  for (const [code, fits] of KINDS) {
    const found = candidates.filter((movement) => fits(movement, payment));
    if (found.length > 0) return [finding(code, found, payment)];
  }
  return [];
}

/** Whether the payment belongs to a regular series and its turn has come. */
export function comesInTurn(facts: PayoutFacts, recent: readonly OwnMovement[]): boolean {
  const compared = compare(facts, recent);
  return (
    compared !== null && isDue(compared.series, compared.payment.amountMinor, compared.payment.now)
  );
}

type Compared = { payment: Payment; alive: OwnMovement[]; series: OwnMovement[] };

/** The payments to the same payee that came to something, and those of them that are alike. */
function compare(facts: PayoutFacts, recent: readonly OwnMovement[]): Compared | null {
  const { iban, amountMinor } = facts.content;
  if (iban === undefined || amountMinor === undefined) return null;
  const currency = facts.wallet?.currency ?? null;
  const now = Date.parse(facts.now);
  const payment: Payment = {
    ...{ iban, amountMinor, currency, facts, now },
    sameAmountMs: SAME_AMOUNT_MS,
  };
  const alive = recent.filter(
    (movement) =>
      !cameToNothing(movement) &&
      (currency === null || movement.currency === currency) &&
      isSamePayee(movement, payment),
  );
  const series = alive.filter((movement) => isAlike(movement, payment));
  const sameAmountMs = Math.max(SAME_AMOUNT_MS, notDueMs(series) ?? 0);
  return { payment: { ...payment, sameAmountMs }, alive, series };
}

/** The kinds of duplicates, the most certain first. */
const KINDS: [FindingCode, (movement: OwnMovement, payment: Payment) => boolean][] = [
  [
    'duplicate',
    (movement, payment) =>
      movement.iban === payment.iban &&
      movement.amountMinor === payment.amountMinor &&
      isWithin(movement, payment, payment.sameAmountMs) &&
      !isOpenUnknown(movement),
  ],
  [
    'duplicate_other_iban',
    (movement, payment) =>
      movement.iban !== payment.iban &&
      movement.amountMinor === payment.amountMinor &&
      isWithin(movement, payment, payment.sameAmountMs),
  ],
  [
    'duplicate_invoice',
    (movement, payment) =>
      isSameInvoiceText(movement, payment) ||
      (movement.amountMinor === payment.amountMinor &&
        isSameNumber(movement, payment) &&
        isWithin(movement, payment, SAME_INVOICE_MS)),
  ],
  ['near_duplicate', isNearDuplicate],
];

function isNearDuplicate(movement: OwnMovement, payment: Payment): boolean {
  if (movement.amountMinor === payment.amountMinor) return false;
  const near = isNear(movement.amountMinor, payment.amountMinor);
  if (isSameText(movement, payment) || isSameNumber(movement, payment))
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
function isAlike(movement: OwnMovement, { amountMinor, facts: { content } }: Payment): boolean {
  if (movement.amountMinor === amountMinor) return true;
  const text = seriesText(foldForSearch(content.description ?? ''));
  return text !== '' && seriesText(foldForSearch(movement.description)) === text;
}

function isSameText(movement: OwnMovement, { facts: { content } }: Payment): boolean {
  const text = foldForSearch(content.description ?? '');
  return text !== '' && foldForSearch(movement.description) === text;
}

/** The same amount with the same text, which has a number in it. */
function isSameInvoiceText(movement: OwnMovement, payment: Payment): boolean {
  return (
    movement.amountMinor === payment.amountMinor &&
    isSameText(movement, payment) &&
    /\d{3}/.test(movement.description) &&
    isWithin(movement, payment, SAME_INVOICE_MS)
  );
}

/** Whether both texts have one number that may be an invoice's: four digits or more, and no year. */
function isSameNumber(movement: OwnMovement, { facts: { content } }: Payment): boolean {
  const numbers = new Set(numbersIn(content.description ?? ''));
  return numbersIn(movement.description).some((number) => numbers.has(number));
}

function numbersIn(text: string): string[] {
  return (text.match(/\d+/g) ?? [])
    .map((digits) => digits.replace(/^0+/, ''))
    .filter((digits) => digits.length >= INVOICE_DIGITS && !YEAR.test(digits));
}

function isWithin(movement: OwnMovement, { now }: Payment, window: number): boolean {
  return Date.parse(movement.createdAt) >= now - window;
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

function finding(code: FindingCode, found: readonly OwnMovement[], payment: Payment): Finding {
  const latest = found[0]!;
  const params: Record<string, FindingValue> = {
    amount: { money: toDecimal(latest.amountMinor), currency: latest.currency },
    at: { at: latest.createdAt },
    // The record shows a payment, whatever state is stored here.
    state: latest.alert === 'contradiction' ? 'UNKNOWN' : latest.state,
    maker: latest.maker ?? NOBODY,
    count: found.length,
  };
  if (code === 'duplicate' || code === 'duplicate_other_iban')
    params.days = Math.ceil(payment.sameAmountMs / DAY_MS);
  if (code !== 'duplicate') params.description = latest.description || NO_TEXT;
  if (latest.iban !== payment.iban) params.otherIban = { iban: latest.iban };
  return { code, level: 'warn', field: 'amount', params, movementId: latest.id };
}

import { describe, expect, it, test } from 'vitest';
import { foldForSearch } from '#lib/values/turkish.ts';
import { isSlip } from './duplicate-rules.ts';
import { duplicateYear, MISTAKES } from './duplicate-year.samples.ts';
import type { YearPayout } from './duplicate-year.samples.ts';
import type { FindingCode } from './findings.ts';
import type { OwnMovement } from './history.ts';
import { isDue } from './series.ts';
import { checkPayout } from '#lib/payouts/rules.ts';
import { SAMPLE, sampleFacts, sampleMovement } from '#lib/payouts/rules.samples.ts';

const SHIELD: readonly FindingCode[] = [
  'unknown_same_amount',
  'unknown_other_amount',
  'unknown_same_payee',
  'duplicate',
  'duplicate_other_iban',
  'duplicate_invoice',
  'near_duplicate',
];
const DAY = 86_400_000;
const RECENT_MAX = 200;

/**
 * The finding of each payout of a year, in the order of preparation. A payout that is stopped is
 * not compared with later ones.
 */
function shielded(
  year: readonly YearPayout[],
): { payout: YearPayout; alarm: FindingCode | null }[] {
  const books: YearPayout[] = [];
  return year.map((payout) => {
    const known = books
      .filter(
        (one) =>
          one.iban === payout.iban ||
          one.taxNumber === payout.taxNumber ||
          folded(one.name) === folded(payout.name),
      )
      .slice(-RECENT_MAX);
    const alarm = checkPayout({
      ...sampleFacts({
        recent: known.map((one) => asMovement(one, payout.at)),
        now: new Date(payout.at).toISOString(),
      }),
      content: {
        ...SAMPLE,
        id: payout.id,
        iban: payout.iban,
        name: payout.name,
        taxNumber: payout.taxNumber,
        amountMinor: payout.amountMinor as typeof SAMPLE.amountMinor,
        paymentType: payout.paymentType,
        description: payout.description,
      },
    }).find((finding) => SHIELD.includes(finding.code));
    if (payout.planted === null || alarm === undefined) books.push(payout);
    return { payout, alarm: alarm?.code ?? null };
  });
}

const folds = new Map<string, string>();
function folded(name: string): string {
  const known = folds.get(name) ?? foldForSearch(name);
  folds.set(name, known);
  return known;
}

function asMovement(
  { id, iban, name, taxNumber, amountMinor, paymentType, description, state, at }: YearPayout,
  now: number,
): OwnMovement {
  return sampleMovement({
    id,
    iban,
    name,
    taxNumber,
    amountMinor,
    paymentType,
    description,
    createdAt: new Date(at).toISOString(),
    state: now - at < DAY ? state : 'COMPLETED',
  });
}

describe('over a labelled year of payouts', () => {
  test.each([1, 20_261_121, 4711])(
    'nine of ten mistakes are caught, and at most two of a hundred good payments flagged (seed %i)',
    (seed) => {
      const seen = shielded(duplicateYear(seed));
      const planted = seen.filter(({ payout }) => payout.planted !== null);
      const meant = seen.filter(({ payout }) => payout.planted === null);
      const recall = planted.filter(({ alarm }) => alarm !== null).length / planted.length;
      const alarmsPer100 =
        (meant.filter(({ alarm }) => alarm !== null).length * 100) / meant.length;
      const byKind = MISTAKES.map((kind) => {
        const ofKind = planted.filter(({ payout }) => payout.planted === kind);
        return `${kind} ${ofKind.filter(({ alarm }) => alarm !== null).length}/${ofKind.length}`;
      });
      process.stdout.write(
        `duplicate shield, seed ${seed}: ${meant.length} meant, ${planted.length} mistakes; ` +
          `recall ${(recall * 100).toFixed(1)} %, ${alarmsPer100.toFixed(2)} alarms ` +
          `per 100 payments that are meant (${byKind.join(', ')})\n`,
      );
      expect(recall).toBeGreaterThanOrEqual(0.87);
      expect(alarmsPer100).toBeLessThanOrEqual(2);
      // Disguised duplicates, which only paper documents show, need not be found. Of the others at
      // most three are missed.
      expect(
        planted.filter(({ payout, alarm }) => payout.planted !== 'disguised' && alarm === null)
          .length,
      ).toBeLessThanOrEqual(3);
      expect(
        meant.filter(
          ({ payout, alarm }) => /^(?:Kira|Maaş|Taksit)/.test(payout.description) && alarm !== null,
        ),
      ).toEqual([]);
      expect(meant.length).toBeGreaterThan(1_000);
    },
  );
});

const OTHER_IBAN = 'TR470000100100000350930001';

describe('the shield', () => {
  const twin = sampleMovement({ amountMinor: SAMPLE.amountMinor, description: SAMPLE.description });
  const codes = (recent: OwnMovement[], content: Partial<typeof SAMPLE> = {}): FindingCode[] =>
    checkPayout(sampleFacts({ recent, content: { ...SAMPLE, ...content } }))
      .map(({ code }) => code)
      .filter((code) => SHIELD.includes(code));

  test.each([
    'DRAFT',
    'AWAITING_APPROVAL',
    'APPROVED',
    'PENDING',
    'MANUAL_REVIEW',
    'COMPLETED',
  ] as const)('sees the same payment as %s, on this IBAN and on another of the payee', (state) => {
    expect(codes([{ ...twin, state }])).toEqual(['duplicate']);
    expect(codes([{ ...twin, state, iban: OTHER_IBAN }])).toEqual(['duplicate_other_iban']);
  });

  it('a cancelled twin whose record contradicts that is a duplicate, and its state is unknown', () => {
    const recent = [{ ...twin, state: 'CANCELLED', alert: 'contradiction' } as const];
    expect(checkPayout(sampleFacts({ recent }))).toContainEqual(
      expect.objectContaining({
        code: 'duplicate',
        params: expect.objectContaining({ state: 'UNKNOWN' }) as unknown,
      }),
    );
  });

  it('leaves an unknown outcome to the lock, and says it once', () => {
    expect(codes([{ ...twin, state: 'UNKNOWN' }])).toEqual(['unknown_same_amount']);
    expect(codes([{ ...twin, state: 'UNKNOWN', iban: OTHER_IBAN }])).toEqual([
      'unknown_same_payee',
    ]);
    expect(codes([{ ...twin, state: 'UNKNOWN', amountMinor: SAMPLE.amountMinor + 50n }])).toEqual([
      'unknown_other_amount',
    ]);
  });

  it('tells two people of one name apart by their numbers, and takes a firm and its owner for one', () => {
    const elsewhere = { ...twin, iban: OTHER_IBAN };
    expect(
      codes([{ ...elsewhere, taxNumber: '10000000146' }], { taxNumber: '12345678950' }),
    ).toEqual([]);
    expect(codes([{ ...elsewhere, taxNumber: '10000000146' }])).toEqual(['duplicate_other_iban']);
  });

  it('asks about nearly the same amount when it is for the same thing, or of the same day', () => {
    expect(codes([{ ...twin, amountMinor: SAMPLE.amountMinor + 5_000_000n }])).toEqual([
      'near_duplicate',
    ]);
    expect(codes([{ ...twin, amountMinor: SAMPLE.amountMinor * 10n }])).toEqual(['near_duplicate']);
    expect(codes([{ ...twin, amountMinor: SAMPLE.amountMinor + 500_500n }])).toEqual([]);
    const otherThing = { ...twin, amountMinor: SAMPLE.amountMinor + 100n, description: 'Nakliye' };
    expect(codes([otherThing])).toEqual([]);
    expect(codes([{ ...otherThing, createdAt: '2026-03-06T08:00:00.000Z' }])).toEqual([
      'near_duplicate',
    ]);
  });

  it('knows an invoice again by its number for half a year, and no bare word', () => {
    const old = { ...twin, createdAt: '2025-10-02T09:00:00.000Z', description: 'FATURA 4711' };
    expect(codes([old], { description: 'fatura 4711' })).toEqual(['duplicate_invoice']);
    expect(codes([{ ...old, description: 'Fatura' }], { description: 'fatura' })).toEqual([]);
    expect(
      codes([{ ...old, createdAt: '2025-09-02T09:00:00.000Z' }], { description: 'fatura 4711' }),
    ).toEqual([]);
  });

  it('knows an invoice again by its number in other words, and no year', () => {
    const old = { ...twin, createdAt: '2026-02-02T09:00:00.000Z', description: 'Fatura 04711' };
    expect(codes([old], { description: '4711 nolu fatura bedeli' })).toEqual(['duplicate_invoice']);
    expect(codes([old], { description: '4712 nolu fatura bedeli' })).toEqual([]);
    expect(codes([old], { description: 'Fatura 711' })).toEqual([]);
    expect(
      codes([{ ...old, description: 'Ocak 2026' }], { description: 'Şubat 2026 ödemesi' }),
    ).toEqual([]);
    const near = {
      ...old,
      amountMinor: SAMPLE.amountMinor + 1n,
      createdAt: '2026-03-02T09:00:00.000Z',
    };
    expect(codes([near], { description: '4711 nolu fatura bedeli' })).toEqual(['near_duplicate']);
  });

  const monthly = (days: readonly string[], changes: Partial<OwnMovement> = {}) =>
    days.map((day, n) => ({
      ...twin,
      id: `${day}-${n}`,
      createdAt: `${day}T10:00:00.000Z`,
      ...changes,
    }));

  it('asks before the turn of a series has come, also after a week, and says how long that is', () => {
    const wages = monthly(['2026-02-24', '2026-01-26', '2025-12-25'], { description: 'Maaş' });
    const facts = sampleFacts({ recent: wages, content: { ...SAMPLE, description: 'Maaş' } });
    const found = checkPayout(facts).find(({ code }) => SHIELD.includes(code));
    expect(found).toMatchObject({ code: 'duplicate', params: { days: 20 } });
    // Two payments are no series: only the seven days count.
    expect(codes(wages.slice(0, 2), { description: 'Maaş' })).toEqual([]);
  });

  it('asks about the invoice of an earlier turn, although a turn is due', () => {
    const days = ['2026-02-03', '2026-01-05', '2025-12-04', '2025-11-04'];
    const rents = monthly(days).map((one, n) => ({ ...one, description: `Fatura ${9_004 - n}` }));
    expect(codes(rents, { description: 'Fatura 9005' })).toEqual([]);
    expect(codes(rents, { description: 'Fatura 9004' })).toEqual(['duplicate_invoice']);
    // The number of a contract is in every one.
    const leased = rents.map((one) => ({ ...one, description: 'Sözleşme 88123' }));
    expect(codes(leased, { description: 'Sözleşme 88123' })).toEqual([]);
  });

  it('lets as many payments alike into one turn as the turns before had, and no more', () => {
    const months = [
      '2026-02-06',
      '2026-02-06',
      '2026-01-05',
      '2026-01-05',
      '2025-12-05',
      '2025-12-05',
    ];
    const now = (count: number) => monthly(Array.from({ length: count }, () => '2026-03-06'));
    const two = monthly(months);
    expect(codes(two)).toEqual([]);
    expect(codes([...now(1), ...two])).toEqual([]);
    expect(codes([...now(2), ...two])).toEqual(['duplicate']);
    const one = monthly(months).filter((_, n) => n % 2 === 0);
    expect(codes([...now(1), ...one])).toEqual(['duplicate']);
    // Two payments of different amounts are no two alike.
    const mixed = two.map((each, n) => (n % 2 === 0 ? each : { ...each, amountMinor: 777n }));
    expect(codes([...now(1), ...mixed])).toEqual(['duplicate']);
    // One turn with a payment too many makes no habit.
    const slipped = two.filter((_, n) => n !== 3 && n !== 5);
    expect(codes([...now(1), ...slipped])).toEqual(['duplicate']);
  });

  it('is quiet when the turn of a rhythm has come, and not before', () => {
    const fridays = ['2026-02-27', '2026-02-20', '2026-02-13', '2026-02-06'].map((day, n) => ({
      ...twin,
      id: `f${n}`,
      createdAt: `${day}T12:00:00.000Z`,
    }));
    expect(codes(fridays)).toEqual([]);
    const early = fridays.map((one) => ({
      ...one,
      createdAt: new Date(Date.parse(one.createdAt) + 4 * DAY).toISOString(),
    }));
    expect(codes(early)).toEqual(['duplicate']);
    // Two payments are no series, and neither are three payments within an hour.
    expect(codes(fridays.slice(0, 2))).toEqual(['duplicate']);
    expect(
      isDue(
        [3, 2, 1].map((n) => ({ ...twin, createdAt: new Date(n * 600_000).toISOString() })),
        SAMPLE.amountMinor,
        DAY,
      ),
    ).toBe(false);
  });
});

test.each([
  [1_240_000n, 5_240_000n, true],
  [1_240_000n, 2_140_000n, true],
  [1_240_000n, 124_000n, true],
  [1_240_000n, 1_420_001n, false],
  [1_240_000n, 9_999_999n, false],
  [12n, 1_234n, false],
])('%i and %i are a slip of the finger apart: %s', (a, b, expected) => {
  expect([isSlip(a, b), isSlip(b, a)]).toEqual([expected, expected]);
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LAG_MS } from '#lib/provider-records/policy.ts';
import type { Books, Kind, Line, Ours, Request } from './books.ts';
import { compareBooks } from './compare.ts';
import { BEHIND_MS } from './judge.ts';
import { booksOf, DAY, DAY_START, reading, refOf, tell } from './testing/truth.ts';
import type { Truth } from './testing/truth.ts';

const KINDS_OF_TRUTH = [
  'paid',
  'rejected',
  'failed',
  'pending',
  'returned',
  'returned60',
  'transfer',
  'never_sent',
  'refused',
] as const;
const truth: fc.Arbitrary<Truth> = fc.record({
  kind: fc.constantFrom(...KINDS_OF_TRUTH),
  at: fc.integer({ min: 0, max: 1_430 }),
  amount: fc.bigInt({ min: 1n, max: 10n ** 12n }),
});
const day = fc.array(truth, { minLength: 1, maxLength: 30 });

function found(books: Books, over = {}): string[] {
  return compareBooks(books, reading(over))
    .flatMap((one) => one.differences)
    .map((one) => `${one.kind} ${one.reference}`);
}

function waiting(books: Books, over = {}): string[] {
  return compareBooks(books, reading(over))
    .filter((one) => one.waits)
    .map((one) => one.reference);
}

/** Our record and the provider's record of one paid payout, with changes. */
function paid(
  change: {
    ours?: Partial<Ours>;
    request?: Partial<Request> | null;
    line?: Partial<Line> | null;
    more?: Partial<Line>[];
  } = {},
  kind: Truth['kind'] = 'paid',
): Books {
  const books = tell({ kind, at: 600, amount: 12_345n }, 1);
  return {
    ours: [{ ...books.ours, ...change.ours }],
    requests:
      change.request === null ? [] : books.requests.map((one) => ({ ...one, ...change.request })),
    lines: [
      ...(change.line === null ? [] : books.lines.map((one) => ({ ...one, ...change.line }))),
      ...(change.more ?? []).map((one, at): Line => ({ ...books.lines[0]!, id: `x${at}`, ...one })),
    ],
  };
}
const ref = refOf(1);

describe('a day told from one truth', () => {
  it('has no difference and no open item, and equal paid sums, in whatever order it was read', () => {
    fc.assert(
      fc.property(day, fc.gen(), (truths, gen) => {
        const books = booksOf(truths);
        const mixed = {
          ours: gen(() => fc.shuffledSubarray([...books.ours], { minLength: books.ours.length })),
          requests: gen(() =>
            fc.shuffledSubarray([...books.requests], { minLength: books.requests.length }),
          ),
          lines: gen(() =>
            fc.shuffledSubarray([...books.lines], { minLength: books.lines.length }),
          ),
        };
        const judged = compareBooks(mixed, reading());
        expect(judged.flatMap((one) => one.differences)).toEqual([]);
        expect(judged.filter((one) => one.waits)).toEqual([]);
        for (const { ours, theirs } of judged.flatMap((one) => one.paid)) expect(ours).toBe(theirs);
        const words = (all: typeof judged): string[] => all.map((one) => one.words).sort();
        expect(words(judged)).toEqual(words(compareBooks(books, reading())));
      }),
    );
  });

  type Plant = {
    kind: Kind;
    on: readonly Truth['kind'][];
    change: (
      books: ReturnType<typeof tell>,
      n: number,
    ) => { books: ReturnType<typeof tell>; reference?: string };
  };
  const PLANTS: readonly Plant[] = [
    {
      kind: 'missing_here',
      on: ['paid', 'rejected', 'transfer', 'pending'],
      change: (books, n) => ({
        books: {
          ...books,
          ours: {
            ...books.ours,
            extId: 'other',
            transactionId: null,
            state: 'CANCELLED',
            sentAt: DAY_START,
          },
        },
        reference: books.requests.length > 0 ? `request:8${n}` : `line:${books.lines[0]!.id}`,
      }),
    },
    {
      kind: 'made_elsewhere',
      on: ['paid', 'transfer'],
      change: (books, n) => ({
        books: {
          ours: { ...books.ours, transactionId: null, state: 'CANCELLED' },
          requests: books.requests.map((one) => ({ ...one, extId: `panel-${n}` })),
          lines: books.lines.map((one) => ({ ...one, extId: `panel-${n}` })),
        },
        reference: books.requests.length > 0 ? `request:8${n}` : `line:${books.lines[0]!.id}`,
      }),
    },
    {
      kind: 'missing_there',
      on: ['paid', 'pending', 'transfer'],
      change: (base) => ({ books: { ...base, requests: [], lines: [] } }),
    },
    {
      kind: 'missing_there',
      on: ['paid', 'transfer'],
      change: (base) => ({ books: { ...base, lines: [] } }),
    },
    {
      kind: 'amount',
      on: ['paid', 'pending', 'rejected'],
      change: (books) => ({
        books: {
          ...books,
          requests: books.requests.map((one) => ({ ...one, amountMinor: one.amountMinor + 1n })),
        },
      }),
    },
    {
      kind: 'amount',
      on: ['paid', 'transfer'],
      change: (books) => ({
        books: {
          ...books,
          lines: books.lines.map((one) => ({ ...one, amountMinor: one.amountMinor + 1n })),
        },
      }),
    },
    {
      kind: 'currency',
      on: ['paid', 'transfer'],
      change: (books) => ({
        books: { ...books, lines: books.lines.map((one) => ({ ...one, currency: 'USD' })) },
      }),
    },
    {
      kind: 'payee',
      on: ['paid', 'pending'],
      change: (books) => ({
        books: {
          ...books,
          requests: books.requests.map((one) => ({ ...one, iban: 'TR350006100519786457841327' })),
        },
      }),
    },
    {
      kind: 'payee',
      on: ['transfer'],
      change: (books) => ({
        books: { ...books, lines: books.lines.map((one) => ({ ...one, toWallet: '301' })) },
      }),
    },
    {
      kind: 'state',
      on: ['rejected', 'failed'],
      change: (books) => ({
        books: {
          ...books,
          requests: books.requests.map((one) => ({ ...one, level: 'completed' as const })),
        },
      }),
    },
    {
      kind: 'state',
      on: ['paid'],
      change: (books) => ({
        books: {
          ...books,
          requests: books.requests.map((one) => ({ ...one, level: 'failed' as const })),
        },
      }),
    },
    {
      kind: 'state',
      on: ['paid', 'transfer'],
      change: (books) => ({
        books: { ...books, lines: books.lines.map((one) => ({ ...one, statusId: 40 })) },
      }),
    },
    {
      kind: 'state',
      on: ['paid', 'pending'],
      change: (books) => ({
        books: { ...books, ours: { ...books.ours, state: 'CANCELLED', sentAt: null } },
      }),
    },
    {
      kind: 'twice',
      on: ['paid', 'transfer'],
      change: (books) => ({
        books: { ...books, lines: [...books.lines, { ...books.lines[0]!, id: 'again' }] },
      }),
    },
    {
      kind: 'twice',
      on: ['paid', 'pending'],
      change: (books) => ({
        books: {
          ...books,
          requests: [...books.requests, { ...books.requests[0]!, requestId: 'again' }],
        },
      }),
    },
    {
      kind: 'return_unseen',
      on: ['returned', 'returned60'],
      change: (books) => ({
        books: { ...books, ours: { ...books.ours, returned: 'NONE', returnedAt: null } },
      }),
    },
    {
      kind: 'return_unseen',
      on: ['returned', 'returned60'],
      change: (books) => ({ books: { ...books, ours: { ...books.ours, returned: 'REPORTED' } } }),
    },
    {
      kind: 'return_missing',
      on: ['paid'],
      change: (books) => ({
        books: {
          ...books,
          ours: { ...books.ours, returned: 'CONFIRMED', returnedAt: books.ours.endedAt },
        },
      }),
    },
    {
      kind: 'unknown_outcome',
      on: ['pending'],
      change: (books) => ({
        books: {
          ...books,
          ours: { ...books.ours, state: 'UNKNOWN', acceptedAt: null },
          requests: [],
          lines: [],
        },
      }),
    },
  ];

  it.each(PLANTS.map((plant, at) => ({ ...plant, at })))(
    'with $kind planted on $on has that difference and only it',
    ({ kind, on, change }) => {
      fc.assert(
        fc.property(day, fc.constantFrom(...on), fc.nat(), (truths, of, place) => {
          const at = place % truths.length;
          const described = truths.map((one, n) => tell(n === at ? { ...one, kind: of } : one, n));
          const planted = change(described[at]!, at);
          const all = described.map((one, n) => (n === at ? planted.books : one));
          const books = {
            ours: all.map((one) => one.ours),
            requests: all.flatMap((one) => one.requests),
            lines: all.flatMap((one) => one.lines),
          };
          expect(found(books)).toEqual([`${kind} ${planted.reference ?? refOf(at)}`]);
        }),
      );
    },
  );

  it('says on which day each stands, what both sides say, and where they are looked at', () => {
    const [judged] = compareBooks(paid({ line: { amountMinor: 12_354n } }), reading());
    expect(judged!.differences).toEqual([
      {
        day: DAY,
        kind: 'amount',
        reference: ref,
        movementId: 'm1',
        requestId: '81',
        lineId: '900000001',
        ours: { state: 'COMPLETED', returned: 'NONE', amount: '12345', currency: 'TRY' },
        theirs: { amount: '12354', currency: 'TRY', level: 'completed', status: 20 },
      },
    ]);
  });
});

describe('what cannot be judged yet waits', () => {
  const sent = DAY_START + 600 * 60_000;
  const ended = sent + 2 * 60_000;

  it.each([
    ['a payout without its line', paid({ line: null }), ended],
    [
      'a payout without its request',
      paid({
        request: null,
        line: null,
        ours: { state: 'PENDING', endedAt: null, stateSince: sent },
      }),
      sent + 1_000,
    ],
    ['a transfer without its line', paid({ line: null }, 'transfer'), ended],
    [
      'a transfer on its way without its line',
      paid({ line: null, ours: { state: 'PENDING', endedAt: null, stateSince: sent } }, 'transfer'),
      sent + 1_000,
    ],
    [
      'an unknown one',
      paid({ request: null, line: null, ours: { state: 'UNKNOWN', stateSince: ended } }),
      ended,
    ],
  ])('%s, until twenty minutes have passed', (_what, books, since) => {
    expect([
      found(books, { readAt: () => since + LAG_MS - 1 }),
      waiting(books, { readAt: () => since + LAG_MS - 1 }),
    ]).toEqual([[], [ref]]);
    expect([
      found(books, { readAt: () => since + LAG_MS }).length,
      waiting(books, { readAt: () => since + LAG_MS }),
    ]).toEqual([1, []]);
  });

  it('what is missing on days that were never read to their end', () => {
    expect([
      found(paid({ line: null }), { readAt: () => null }),
      waiting(paid({ line: null }), { readAt: () => null }),
    ]).toEqual([[], [ref]]);
  });

  it('a record read before our last step says nothing about it', () => {
    const books = paid({ request: { level: 'failed' } });
    expect([
      found(books, { readAt: () => ended - 1 }),
      waiting(books, { readAt: () => ended - 1 }),
    ]).toEqual([[], [ref]]);
  });

  it('a record that is ahead of us, until our own looks should have seen it', () => {
    const books = paid({ ours: { state: 'PENDING', endedAt: null, stateSince: sent } });
    expect([
      found(books, { readAt: () => ended + BEHIND_MS - 1 }),
      waiting(books, { readAt: () => ended + BEHIND_MS - 1 }),
    ]).toEqual([[], [ref]]);
    expect(found(books)).toEqual([`state ${ref}`]);
  });
});

describe('what is no difference', () => {
  it("a debit under another reference, when our books know it by the ledger's number", () => {
    const books = paid({ line: { extId: 'rewritten' }, ours: { state: 'PENDING', endedAt: null } });
    expect(found(books).filter((one) => one.includes('line:'))).toEqual([]);
    expect(found({ ...books, ours: [{ ...books.ours[0]!, transactionId: null }] })).toContain(
      'made_elsewhere line:900000001',
    );
  });

  it('a payment that came back in two parts, whichever was read first', () => {
    const parts: Partial<Line>[] = [
      { id: 'a', direction: 'in', refersTo: '900000001', extId: null, amountMinor: 1n },
      { id: 'b', direction: 'in', refersTo: '900000001', extId: null, amountMinor: 12_344n },
    ];
    const books = paid({ ours: { returned: 'CONFIRMED', returnedAt: DAY_START }, more: parts });
    expect(found(books)).toEqual([]);
    const wordsOf = (lines: readonly Line[]): string =>
      compareBooks({ ...books, lines }, reading())[0]!.words;
    expect(wordsOf([...books.lines].reverse())).toBe(wordsOf(books.lines));
  });

  it('money that comes in from outside, and a wallet of somebody else as its sender', () => {
    const line: Line = {
      ...tell({ kind: 'paid', at: 1, amount: 5n }, 1).lines[0]!,
      id: 'in',
      extId: null,
      direction: 'in',
      fromWallet: null,
      toWallet: '100',
    };
    expect(
      found({
        ours: [],
        requests: [],
        lines: [line, { ...line, id: 'b2b', direction: 'out', fromWallet: '999', toWallet: '200' }],
      }),
    ).toEqual([]);
    expect(
      found({
        ours: [],
        requests: [],
        lines: [{ ...line, id: 'own', direction: 'out', fromWallet: '100', toWallet: '200' }],
      }),
      'between own wallets it was made somewhere',
    ).toEqual(['made_elsewhere line:own']);
  });

  it('what the provider holds from before our books began', () => {
    const { requests, lines } = tell({ kind: 'paid', at: 1, amount: 5n }, 1);
    expect(
      found({ ours: [], requests, lines }, { booksBegan: requests[0]!.createdAt + 1 }),
    ).toEqual([]);
    expect(found({ ours: [], requests, lines })).toEqual(['missing_here request:81']);
  });

  it('a debit that a line of its own took back, for a payment that was not made', () => {
    expect(
      found(
        paid({
          ours: { state: 'FAILED' },
          request: { level: 'failed' },
          more: [{ direction: 'in', refersTo: '900000001', extId: null }],
        }),
      ),
    ).toEqual([]);
    expect(found(paid({ ours: { state: 'FAILED' }, request: { level: 'failed' } }))).toEqual([
      `state ${ref}`,
    ]);
  });

  it.each(['rejected', 'failed'] as const)(
    'a returned payout whose request the provider now calls %s',
    (level) => {
      expect(found(paid({ request: { level } }, 'returned'))).toEqual([]);
    },
  );

  it.each([10, 30, 40, 60])(
    'an entry with status %i returns nothing: neither our return nor a payment that left agrees',
    (statusId) => {
      const refersTo = paid().lines[0]!.id;
      const more = [{ id: 'back', direction: 'in' as const, refersTo, extId: null, statusId }];
      expect(
        found(paid({ ours: { returned: 'CONFIRMED', returnedAt: DAY_START }, more })),
        'called returned here',
      ).toEqual([`return_missing ${ref}`]);
      expect(
        found(paid({ ours: { state: 'FAILED' }, request: { level: 'failed' }, more })),
        'called not paid here',
      ).toEqual([`state ${ref}`]);
      expect(found(paid({ more }))).toEqual([]);
    },
  );

  it('a return that is tied by our reference alone', () => {
    const books = paid({ more: [{ id: 'back', direction: 'in', refersTo: null }] });
    expect(found(books)).toEqual([`return_unseen ${ref}`]);
    expect(
      found({
        ...books,
        ours: [{ ...books.ours[0]!, returned: 'CONFIRMED', returnedAt: DAY_START }],
      }),
    ).toEqual([]);
  });
});

describe('the amounts that a day has as paid', () => {
  const paidIn = (books: Books) => compareBooks(books, reading()).map((one) => one.paid);
  const elsewhere = (kind: Truth['kind'], change: Partial<Line> = {}): Books => {
    const { requests, lines } = tell({ kind, at: 600, amount: 12_345n }, 1);
    return {
      ours: [],
      requests: requests.map((one) => ({ ...one, extId: 'panel-1' })),
      lines: lines.map((one) => ({ ...one, extId: 'panel-1', ...change })),
    };
  };

  it.each(['rejected', 'failed', 'pending'] as const)(
    'have nothing of a %s request that was made elsewhere',
    (kind) => {
      expect(found(elsewhere(kind))).toEqual(['made_elsewhere request:81']);
      expect(paidIn(elsewhere(kind))).toEqual([[]]);
    },
  );

  it('have what left by the ledger of a payment made elsewhere, and nothing of it after its return', () => {
    const theirs = (amount: bigint) => [[{ currency: 'TRY', ours: 0n, theirs: amount }]];
    expect(paidIn(elsewhere('paid'))).toEqual(theirs(12_345n));
    expect(paidIn({ ...elsewhere('paid'), requests: [] })).toEqual(theirs(12_345n));
    expect(paidIn(elsewhere('paid', { statusId: 40 }))).toEqual(theirs(0n));
    expect(paidIn(elsewhere('returned60'))).toEqual(theirs(0n));
    const [line, back] = tell({ kind: 'returned', at: 600, amount: 12_345n }, 1).lines;
    const returned = { ...elsewhere('paid'), lines: [{ ...line!, extId: 'panel-1' }, back!] };
    expect(paidIn(returned)).toEqual(theirs(0n));
    // A return that is not posted has brought nothing back.
    const posting = { ...returned, lines: [returned.lines[0]!, { ...back!, statusId: 10 }] };
    expect(paidIn(posting)).toEqual(theirs(12_345n));
  });

  it('have an entry once that two requests made elsewhere name', () => {
    const { requests, lines } = elsewhere('paid');
    const books = {
      ours: [],
      requests: [...requests, { ...requests[0]!, requestId: 'r2' }],
      lines,
    };
    expect(found(books)).toEqual(['made_elsewhere request:81', 'made_elsewhere request:r2']);
    expect(paidIn(books).flat()).toEqual([{ currency: 'TRY', ours: 0n, theirs: 12_345n }]);
    const counted = compareBooks(books, reading()).map(({ counts }) => counts.lines);
    expect(counted).toEqual([1, 0]);
  });

  it('keep a record of another currency than we sent apart', () => {
    expect(paidIn(paid({ line: { currency: 'USD' } }))).toEqual([
      [
        { currency: 'TRY', ours: 12_345n, theirs: 0n },
        { currency: 'USD', ours: 0n, theirs: 12_345n },
      ],
    ]);
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import type { Locale } from '#lib/values/locale.ts';
import { LOCALES } from '#lib/values/locale.ts';
import { classifySend } from '#lib/providers/wallet/classify-send.ts';
import { classifyTransfer } from '#lib/providers/wallet/classify-transfer.ts';
import type { NotSentWhy, UnclearWhy } from '#lib/providers/outcome.ts';
import { CREATION_LABELS, PAYOUT_CODES, TRANSFER_CODES } from '#lib/providers/wallet/codes.ts';
import enTransfer from '../../messages/en/transfer.json' with { type: 'json' };
import trTransfer from '../../messages/tr/transfer.json' with { type: 'json' };
import enWallet from '../../messages/en/new-wallet.json' with { type: 'json' };
import enPayout from '../../messages/en/payout.json' with { type: 'json' };
import trWallet from '../../messages/tr/new-wallet.json' with { type: 'json' };
import trPayout from '../../messages/tr/payout.json' with { type: 'json' };
import { walletDemands } from '../../sandbox/testing/wallet-demands.ts';
import { reduce } from './reduce.ts';
import { AMOUNT, answer, EXT_ID, inState, T0 } from './testing/movement.ts';
import { situationOf } from '#lib/movement-views/situation.ts';
import { timelineNodes } from '#lib/movement-views/timeline.ts';
import type { MovementView, TimelineEntry } from '#lib/movement-views/view-model.ts';

/**
 * Every code of the contract's error table, from the provider's answer to the texts of the page,
 * without rendering a page.
 */

const WORDS: Record<Locale, { payout: Words; transfer: Words; refused: Record<string, string> }> = {
  tr: { payout: trPayout, transfer: instead(trPayout, trTransfer), refused: trWallet.refused },
  en: { payout: enPayout, transfer: instead(enPayout, enTransfer), refused: enWallet.refused },
};

/** The texts of a payout, overridden by those that a transfer has of its own. */
function instead(payout: Words, transfer: Partial<Words>): Words {
  return {
    sentences: { ...payout.sentences, ...transfer.sentences },
    reasons: { ...payout.reasons, ...transfer.reasons },
    timeline: { nodes: { ...payout.timeline.nodes, ...transfer.timeline?.nodes } },
  };
}

type Words = {
  sentences: Record<string, { title: string }>;
  reasons: Record<string, string>;
  timeline: { nodes: Record<string, string> };
};
/** How the first sentence, which is about the money, may begin. */
const KNOWN: Record<Locale, RegExp> = {
  tr: /^(Ödenmedi|Aktarılmadı|Henüz gönderilmedi|Bu (ödemenin|transferin) çıkıp çıkmadığını)/,
  en: /^(Not paid|Not transferred|Not sent yet|We don't know yet)/,
};

const contract = readFileSync(
  new URL('../../docs/contracts/wallet-service.md', import.meta.url),
  'utf8',
);
const table = walletDemands(contract).filter(({ kind, item }) => kind === 'code' && item !== '100');
const codesOf = (operation: string): string[] => [
  ...new Set(
    table.filter(({ operations }) => operations.includes(operation)).map(({ item }) => item),
  ),
];

function answered(
  code: string,
  kind: 'payout' | 'transfer_business' = 'payout',
): { view: MovementView; reasonCode: string | null } {
  const response = {
    kind: 'response' as const,
    status: 200,
    contentType: 'application/json',
    body: JSON.stringify({ status: 2, code, message: null, payload: null }),
  };
  const outcome =
    kind === 'payout'
      ? classifySend(response, { extId: EXT_ID, amountMinor: AMOUNT })
      : classifyTransfer(response, {
          extId: EXT_ID,
          amountMinor: AMOUNT,
          wallet: '1000000001',
          to: '1000000002',
          currency: 'TRY',
        });
  const after = reduce(inState('SUBMITTING', { kind }), answer(outcome), T0);
  const entry = (
    kind: string,
    from: TimelineEntry['from'],
    to: TimelineEntry['to'],
    more: Partial<TimelineEntry> = {},
  ): TimelineEntry => ({
    at: new Date(T0).toISOString(),
    source: kind === 'answer' ? 'answer' : 'worker',
    kind,
    outcome: null,
    why: null,
    hint: null,
    code: null,
    from,
    to,
    ...more,
  });
  const view = {
    ...after,
    stop: null,
    now: new Date(T0).toISOString(),
    createdAt: new Date(T0).toISOString(),
    receipt: null,
    decided: { given: [], sentBack: null },
    nextLookAt: null,
    observations: { answer: null, record: null, ledger: null, notice: null },
    timeline: [
      entry('claimed', 'APPROVED', 'SUBMITTING'),
      entry('answer', 'SUBMITTING', after.state, {
        outcome: outcome.kind,
        code,
        why: 'why' in outcome ? outcome.why : null,
      }),
    ],
  };
  return { view: view as unknown as MovementView, reasonCode: after.reasonCode };
}

describe.each(LOCALES)('in %s', (locale) => {
  const { refused } = WORDS[locale];
  const transfers = [
    'BusinessToPersonalTransfer',
    'BusinessToBusinessTransfer',
    'TransferToVirement',
  ].flatMap(codesOf);

  test.each([
    ...[
      ...new Set([
        ...codesOf('SendMoneyToBankAccount'),
        ...PAYOUT_CODES.keys(),
        '312',
        '500',
        '4711',
      ]),
    ].map((code) => [code, 'payout'] as const),
    ...[
      ...new Set([...transfers, ...TRANSFER_CODES.keys(), '306', '326', '500', '503', '4711']),
    ].map((code) => [code, 'transfer_business'] as const),
  ])(
    'the answer %s to a %s says first what is known about the money, and then why',
    (code, kind) => {
      const { view, reasonCode } = answered(code, kind);
      const payout = kind === 'payout' ? WORDS[locale].payout : WORDS[locale].transfer;
      const situation = situationOf(view);
      expect(payout.sentences[situation]?.title).toMatch(KNOWN[locale]);
      if (situation === 'rejected') expect(payout.reasons[reasonCode ?? '']).toMatch(/\S{3,}.*\.$/);
      for (const node of timelineNodes(view))
        expect([node.code, payout.timeline.nodes[node.code]]).toEqual([
          node.code,
          expect.stringMatching(/\S{3,}/),
        ]);
    },
  );

  test.each([...CREATION_LABELS.values(), 'validation', 'other'])(
    'a new wallet refused for %s is told why',
    (reason) => {
      expect(refused.title).toMatch(/\S{3,}/);
      expect(refused[reason]).toMatch(/\S{3,}.*\.$/);
    },
  );
});

/** A new cause does not compile until it is listed here. */
const WHYS: Record<NotSentWhy | UnclearWhy, true> = {
  dns: true,
  refused: true,
  connect_timeout: true,
  tls: true,
  unreachable: true,
  no_token: true,
  held_back: true,
  circuit_open: true,
  told_to_wait: true,
  unsendable: true,
  timeout: true,
  reset: true,
  closed: true,
  truncated: true,
  garbage: true,
  too_large: true,
  redirect: true,
  http_status: true,
  not_json: true,
  shape: true,
  unknown_code: true,
  mismatch: true,
};

it.each([
  ['tr', trPayout],
  ['en', enPayout],
])('why a request was not answered is said in words (%s)', (_locale, { sources }) => {
  for (const why of Object.keys(WHYS))
    expect([why, (sources.whys as Record<string, string>)[why]]).toEqual([
      why,
      expect.stringMatching(/\S+ \S+/),
    ]);
});

it('the table has exactly the payout codes of the product, except those known from elsewhere', () => {
  const elsewhere = ['300', '301', '303', '310', '315', '999'];
  expect(codesOf('SendMoneyToBankAccount').toSorted()).toEqual(
    [...[...PAYOUT_CODES.keys()].filter((code) => !elsewhere.includes(code))].toSorted(),
  );
});

import { capabilitiesOf } from '#lib/movements/kinds.ts';
import type { Decided } from './decided.ts';
import type { MovementView, TimelineEntry } from './view-model.ts';

/**
 * The timeline of a movement's page: past steps with their sources, the current step and, on the
 * normal path only, the expected ones. The normal path has the same number of nodes from the first
 * moment to the receipt, so that the page does not shift while the money moves. Pure; the texts of
 * the codes are in the messages (namespace "payout", key "timeline").
 */

/**
 * ● happened · ⛨ an owner's release · ◐ in progress · ○ expected · ◇ a side step that decides nothing · ✕ failed · ↩
 * returned
 */
export type NodeKind = 'released' | 'done' | 'now' | 'expected' | 'branch' | 'bad' | 'returned';

export const NODE_CODES = [
  'created',
  'approval_given',
  'released_alone',
  'queued',
  'edited',
  'sending',
  'sending_again',
  'accepted',
  'refused',
  'no_answer',
  'duplicate',
  'record_exists',
  'proves_nothing',
  'not_sent',
  'resend_not_sent',
  'iban_wait',
  'worker_lost',
  'approvals_missing',
  'approvals_lapsed',
  'earlier_may_be_paid',
  'found',
  'completed',
  'rejected',
  'failed',
  'taking_long',
  'cancelled',
  'sent_back',
  'expired',
  'resolved_not_sent',
  'resolved_accepted',
  'resolved_done',
  'notice_returned',
  'return_confirmed',
  'return_differs',
  'return_unconfirmed',
  'ledger_seen',
  'receipt_ready',
  'receipt_failed',
  'now_approval',
  'now_queued',
  'now_sending',
  'now_unknown',
  'now_pending',
  'now_manual',
  'now_return',
  'now_ledger',
  'now_receipt',
  'expected_send',
  'expected_accept',
  'expected_bank',
  'expected_ledger',
  'expected_receipt',
] as const;
export type NodeCode = (typeof NODE_CODES)[number];

export type TimelineNode = {
  key: string;
  kind: NodeKind;
  code: NodeCode;
  /** Null for a step that has not happened. */
  at: string | null;
  source: TimelineEntry['source'] | null;
  /** Who approved or released it, and for whom as a deputy; null for every other step. */
  by: string | null;
  of: string | null;
  /** The provider's code, when the node is an answer with one. */
  answerCode: string | null;
  /** Seconds since the previous node, when they are worth showing. */
  sincePrevious: number | null;
  /**
   * The last webhook about this step. It proves nothing by itself, so it has no node of its own.
   */
  notice: { hint: NoticeHint; at: string } | null;
};

export type NoticeHint = 'completed' | 'rejected' | 'manual' | 'unknown';

const NOTICED_SECONDS = 5;

type Draft = Pick<TimelineNode, 'kind' | 'code' | 'at' | 'source'> & {
  answerCode?: string | null;
  by?: string;
  of?: string | null;
};

export function timelineNodes(view: MovementView): TimelineNode[] {
  const happened: Draft[] = [
    { kind: 'done', code: 'created', at: view.createdAt, source: 'person' },
    ...view.decided.given.map(approvalNode),
  ];
  for (const entry of view.timeline) {
    const node = nodeOf(entry, view, happened);
    if (node !== null) happened.push(node);
  }
  // A transfer is completed by its ledger entry: do not show that entry twice.
  if (view.ledgerSeenAt !== null && !isLedgerEntry(view))
    happened.push({ kind: 'done', code: 'ledger_seen', at: view.ledgerSeenAt, source: 'ledger' });
  if (view.receipt?.state === 'READY')
    happened.push({ kind: 'done', code: 'receipt_ready', at: view.receipt.at, source: null });
  if (view.receipt?.state === 'FAILED')
    happened.push({ kind: 'branch', code: 'receipt_failed', at: view.receipt.at, source: null });
  // Relies on a stable sort: a node without a time keeps its place behind its predecessor.
  happened.sort((a, b) => (a.at ?? '9').localeCompare(b.at ?? '9'));
  return finish([...happened, ...underWay(view), ...expected(view)], lastNotice(view));
}

function approvalNode({ by, of, at, overrideReason }: Decided['given'][number]): Draft {
  const isRelease = overrideReason !== null;
  return {
    kind: isRelease ? 'released' : 'done',
    code: isRelease ? 'released_alone' : 'approval_given',
    at,
    source: 'person',
    by,
    of,
  };
}

function nodeOf(entry: TimelineEntry, view: MovementView, before: readonly Draft[]): Draft | null {
  const node = (kind: NodeKind, code: NodeCode): Draft => ({
    kind,
    code,
    at: entry.at,
    source: entry.source,
    answerCode: entry.code,
  });
  switch (entry.kind) {
    case 'submitted':
      return null;
    case 'approved':
      return node('done', 'queued');
    case 'edited':
      return node('done', 'edited');
    case 'claimed':
      return node('done', entry.from === 'UNKNOWN' ? 'sending_again' : 'sending');
    case 'lease_expired':
      return node('branch', 'worker_lost');
    case 'pending_too_long':
      return node('branch', 'taking_long');
    case 'approval_expired':
      return node('bad', 'expired');
    case 'cancelled':
      return node('bad', 'cancelled');
    case 'sent_back':
      return node('bad', 'sent_back');
    case 'approvals_missing':
      return node('branch', 'approvals_missing');
    case 'approvals_lapsed':
      return node('branch', 'approvals_lapsed');
    case 'earlier_may_be_paid':
      return node('branch', 'earlier_may_be_paid');
    case 'resolved_not_sent':
      return node('bad', 'resolved_not_sent');
    case 'resolved_accepted':
      return node('done', 'resolved_accepted');
    case 'resolved_done':
      return node('done', 'resolved_done');
    case 'return_unconfirmed':
      return node('branch', 'return_unconfirmed');
    case 'answer':
      return answerNode(entry, node);
    case 'read':
      return readNode(entry, node);
    case 'notice':
      return entry.hint === 'refunded' ? node('returned', 'notice_returned') : null;
    case 'ledger':
      return ledgerNode(view, before, node);
    default:
      return null;
  }
}

type Make = (kind: NodeKind, code: NodeCode) => Draft;

function answerNode(entry: TimelineEntry, node: Make): Draft {
  const settled = entry.to !== 'UNKNOWN';
  switch (entry.outcome) {
    case 'accepted':
      return node('done', 'accepted');
    case 'refused':
      return settled ? node('bad', 'refused') : node('branch', 'proves_nothing');
    case 'same_iban_wait':
      return settled ? node('branch', 'iban_wait') : node('branch', 'proves_nothing');
    case 'not_sent':
    case 'unauthorized':
      return node('branch', settled ? 'not_sent' : 'resend_not_sent');
    case 'duplicate':
      return node('branch', 'duplicate');
    case 'record_exists':
      return node('branch', 'record_exists');
    default:
      return node('branch', 'no_answer');
  }
}

function readNode(entry: TimelineEntry, node: Make): Draft | null {
  if (entry.to === 'COMPLETED') return node('done', 'completed');
  if (entry.to === 'REJECTED') return node('bad', 'rejected');
  if (entry.to === 'FAILED') return node('bad', 'failed');
  return entry.to === entry.from ? null : node('done', 'found');
}

/** Every later ledger check lists the credit again: only the first one gets a node. */
function ledgerNode(view: MovementView, before: readonly Draft[], node: Make): Draft | null {
  if (before.some((one) => one.code === 'return_confirmed' || one.code === 'return_differs'))
    return null;
  if (view.returned !== 'CONFIRMED') return node('branch', 'return_differs');
  return { ...node('returned', 'return_confirmed'), at: view.returnedAt };
}

function underWay(view: MovementView): Draft[] {
  const now = (code: NodeCode): Draft[] => [{ kind: 'now', code, at: null, source: null }];
  switch (view.state) {
    case 'DRAFT':
    case 'CANCELLED':
    case 'EXPIRED':
    case 'REJECTED':
    case 'FAILED':
      return [];
    case 'AWAITING_APPROVAL':
      return now('now_approval');
    case 'APPROVED':
      return now('now_queued');
    case 'SUBMITTING':
      return now('now_sending');
    case 'UNKNOWN':
      return now('now_unknown');
    case 'PENDING':
      return now('now_pending');
    case 'MANUAL_REVIEW':
      return now('now_manual');
    case 'COMPLETED':
      if (view.returned === 'REPORTED') return now('now_return');
      if (!capabilitiesOf(view.kind).keepsLedger) return [];
      if (view.ledgerSeenAt === null) return now('now_ledger');
      return view.receipt?.state === 'WAITING' ? now('now_receipt') : [];
  }
}

const PATH: readonly NodeCode[] = [
  'expected_send',
  'expected_accept',
  'expected_bank',
  'expected_ledger',
  'expected_receipt',
];

/** Only the normal path shows expected steps: after an unclear answer the next step is unknown. */
function expected(view: MovementView): Draft[] {
  if (
    view.returned !== 'NONE' ||
    view.timeline.some((entry) => entry.to === 'UNKNOWN' || entry.to === 'MANUAL_REVIEW')
  )
    return [];
  // A kind that cannot be queried never shows the bank's outcome.
  const path = capabilitiesOf(view.kind).answersQuestions
    ? PATH
    : PATH.slice(0, PATH.indexOf('expected_bank'));
  return path
    .slice(stepsBehind(view))
    .filter((code) => code !== 'expected_ledger' || !isLedgerEntry(view))
    .map((code) => ({ kind: 'expected', code, at: null, source: null }));
}

/** Whether the ledger entry is the only record that the provider has of the movement. */
function isLedgerEntry({ kind }: MovementView): boolean {
  return capabilitiesOf(kind).record === 'ledger_entry';
}

/** The number of steps of the path that happened or are in progress. */
function stepsBehind(view: MovementView): number {
  switch (view.state) {
    case 'AWAITING_APPROVAL':
      return 0;
    case 'APPROVED':
      return 1;
    case 'SUBMITTING':
      return 2;
    case 'PENDING':
      return 3;
    case 'COMPLETED':
      return view.ledgerSeenAt === null ? 4 : PATH.length;
    default:
      return PATH.length;
  }
}

/** The last webhook about the bank's outcome. */
function lastNotice(view: MovementView): TimelineNode['notice'] {
  const entry = view.timeline.findLast((one) => one.kind === 'notice' && one.hint !== 'refunded');
  if (entry === undefined) return null;
  const hint =
    (['completed', 'rejected', 'manual'] as const).find((one) => one === entry.hint) ?? 'unknown';
  return { hint, at: entry.at };
}

const BANK_ANSWERS: readonly NodeCode[] = [
  'completed',
  'rejected',
  'failed',
  'now_pending',
  'now_manual',
  'now_unknown',
];

function finish(nodes: readonly Draft[], notice: TimelineNode['notice']): TimelineNode[] {
  const answered = nodes.findLastIndex((node) => BANK_ANSWERS.includes(node.code));
  let previous: string | null = null;
  return nodes.map((node, index) => {
    const seconds: number =
      node.at === null || previous === null
        ? 0
        : Math.floor((Date.parse(node.at) - Date.parse(previous)) / 1000);
    previous = node.at ?? previous;
    return {
      ...node,
      key: `${index}-${node.code}`,
      answerCode: node.answerCode ?? null,
      by: node.by ?? null,
      of: node.of ?? null,
      sincePrevious: seconds > NOTICED_SECONDS ? seconds : null,
      notice: index === answered ? notice : null,
    };
  });
}

/**
 * Whether no change of the movement is expected while its page is open; a return weeks later still
 * arrives by the live stream.
 */
export function isSettled(
  view: Pick<
    MovementView,
    'kind' | 'state' | 'returned' | 'ledgerSeenAt' | 'receipt' | 'nextLookAt'
  >,
): boolean {
  if (view.state === 'REJECTED' && view.nextLookAt !== null) return false;
  if (['REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED'].includes(view.state)) return true;
  if (
    !capabilitiesOf(view.kind).answersQuestions &&
    ['PENDING', 'UNKNOWN', 'COMPLETED'].includes(view.state)
  )
    return true;
  return (
    view.state === 'COMPLETED' &&
    view.returned !== 'REPORTED' &&
    view.ledgerSeenAt !== null &&
    view.receipt?.state !== 'WAITING'
  );
}

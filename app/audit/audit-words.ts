import { AUDIT_ACTIONS, EARLIER_NAMES } from '#lib/audit/filter.ts';

const SUBJECTS = [
  'movement',
  'receipt',
  'archive',
  'export',
  'notice',
  'session',
  'challenge',
  'sending',
  'wallet',
  'topup',
  'reconciliation',
  'recipient',
  'batch',
  'policy',
  'onboarding',
  'day',
  'person',
  'invitation',
  'api_key',
  'api_endpoint',
  'card',
  'plan',
  'customer',
  'audit',
];

/**
 * The message key of an action. An action that this version does not know is shown by its stored
 * name.
 */
export function actionKey(action: string): string {
  const named = AUDIT_ACTIONS.find(
    (known) => known === action || EARLIER_NAMES.get(known) === action,
  );
  return named === undefined ? 'actions.other' : `actions.${named}`;
}

/** Subjects whose word in "subjects" contains the id. */
const NAMED = ['notice', 'reconciliation', 'day'];

/**
 * 'movement:5f0c…' → kind of the subject, its page, and a short id; the id of a subject is no
 * number when it stands for several things or for none.
 */
export function readSubject(subject: string): {
  key: string;
  id: string;
  href: string | null;
  short: string;
} {
  const at = subject.indexOf(':');
  const kind = subject.slice(0, at);
  const id = subject.slice(at + 1);
  return {
    key: SUBJECTS.includes(kind) ? `subjects.${kind}` : 'subjects.other',
    id,
    href: hrefOf(kind, id),
    short: NAMED.includes(kind) || /^[a-z_]*$/.test(id) ? '' : id.length > 12 ? id.slice(0, 8) : id,
  };
}

function hrefOf(kind: string, id: string): string | null {
  switch (kind) {
    case 'movement':
      return `/payouts/${id}`;
    case 'receipt':
      return `/receipts/${id}`;
    case 'archive':
      return `/receipts/archives/${id}`;
    case 'notice':
      return `/webhooks?notice=${id}`;
    case 'recipient':
      return id === 'many' ? '/recipients' : `/recipients/${id}`;
    case 'batch':
      return `/batches/${id}`;
    case 'policy':
      return '/policy';
    case 'onboarding':
      return '/';
    case 'export':
      return '/reports/exports';
    case 'day':
      return `/reports/day-close?wallet=${id.slice(0, id.indexOf('-'))}&day=${id.slice(id.indexOf('-') + 1)}`;
    case 'topup':
      return `/money-in/failed/${id}`;
    case 'card':
      return id === 'many'
        ? '/cards/payments'
        : id === 'hash'
          ? '/cards/tools/hash-keys'
          : id === 'links'
            ? '/cards/tools/links'
            : `/cards/payments/${id}`;
    case 'plan':
      return id === 'many' ? '/cards/recurring' : `/cards/recurring/${id}`;
    case 'person':
      return `/people/${id}`;
    case 'invitation':
      return '/people';
    case 'customer':
      return '/cards/saved';
    case 'sending':
      return '/settings';
    case 'wallet':
      return `/wallets/new?id=${id}`;
    case 'reconciliation':
      return `/reports/reconciliation/${id}`;
    default:
      return null;
  }
}

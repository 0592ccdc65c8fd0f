import 'server-only';
import type { Locale } from '#lib/values/locale.ts';

/**
 * The texts of the screens: `messages/<language>/<name>.json` for each name here, which a test
 * compares with the folders. The list is what `Namespace` is derived from. The files are imported
 * and not read from the folder, so that a build keeps its own texts when the folder changes.
 */
export const MESSAGE_FILES = [
  'account',
  'approvals',
  'audit',
  'batch-file',
  'batch-run',
  'batches',
  'bring-recipients',
  'card-dialogs',
  'card-reminders',
  'card-tools',
  'cards',
  'cashout',
  'charges',
  'columns',
  'common',
  'day-close',
  'developers',
  'exports',
  'foreseen',
  'help',
  'home',
  'live',
  'login',
  'money-in',
  'new-payout',
  'new-transfer',
  'new-wallet',
  'notifications',
  'onboarding',
  'passkeys',
  'payout',
  'payout-errors',
  'payout-picks',
  'payouts',
  'people',
  'policy',
  'receipts',
  'recipients',
  'reconciliation',
  'recovery',
  'recurring',
  'refusals',
  'reports',
  'saved-cards',
  'search',
  'second-person',
  'sending',
  'settings',
  'shell',
  'states',
  'step-up',
  'system',
  'transactions',
  'transfer',
  'transfer-errors',
  'transfers',
  'views',
  'waiting',
  'wallets',
  'webhooks',
  'withdrawals',
] as const;

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** A file's name in camel case: `money-in.json` is `moneyIn`. */
export type Namespace = CamelCase<(typeof MESSAGE_FILES)[number]>;
export type Words = { [key: string]: string | Words };

export const MESSAGES: Record<Locale, Record<Namespace, Words>> = {
  tr: await messagesIn('tr'),
  en: await messagesIn('en'),
};

async function messagesIn(locale: Locale): Promise<Record<Namespace, Words>> {
  const namespaces = MESSAGE_FILES.map(async (file) => {
    const { default: words } = (await import(`../../messages/${locale}/${file}.json`, {
      with: { type: 'json' },
    })) as { default: Words };
    return [file.replace(/-[a-z]/g, (dash) => dash.slice(1).toUpperCase()), words] as const;
  });
  return Object.fromEntries(await Promise.all(namespaces)) as Record<Namespace, Words>;
}

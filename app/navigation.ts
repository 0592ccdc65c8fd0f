import { __iconData as activity } from 'lucide-react/icons/activity';
import { __iconData as arrowLeftRight } from 'lucide-react/icons/arrow-left-right';
import { __iconData as banknote } from 'lucide-react/icons/banknote';
import { __iconData as badgeCheck } from 'lucide-react/icons/badge-check';
import { __iconData as banknoteArrowDown } from 'lucide-react/icons/banknote-arrow-down';
import { __iconData as circleQuestionMark } from 'lucide-react/icons/circle-question-mark';
import { __iconData as codeXml } from 'lucide-react/icons/code-xml';
import { __iconData as creditCard } from 'lucide-react/icons/credit-card';
import { __iconData as calendarCheck } from 'lucide-react/icons/calendar-check';
import { __iconData as banknoteX } from 'lucide-react/icons/banknote-x';
import { __iconData as fileText } from 'lucide-react/icons/file-text';
import { __iconData as fileDown } from 'lucide-react/icons/file-down';
import { __iconData as fileUp } from 'lucide-react/icons/file-up';
import { __iconData as house } from 'lucide-react/icons/house';
import { __iconData as listChecks } from 'lucide-react/icons/list-checks';
import { __iconData as lock } from 'lucide-react/icons/lock';
import { __iconData as landmark } from 'lucide-react/icons/landmark';
import { __iconData as list } from 'lucide-react/icons/list';
import { __iconData as repeat } from 'lucide-react/icons/repeat';
import { __iconData as scale } from 'lucide-react/icons/scale';
import { __iconData as settings } from 'lucide-react/icons/settings';
import { __iconData as shieldCheck } from 'lucide-react/icons/shield-check';
import { __iconData as userCog } from 'lucide-react/icons/user-cog';
import { __iconData as userCheck } from 'lucide-react/icons/user-check';
import { __iconData as users } from 'lucide-react/icons/users';
import { __iconData as wallet } from 'lucide-react/icons/wallet';
import { __iconData as walletCards } from 'lucide-react/icons/wallet-cards';
import { __iconData as webhook } from 'lucide-react/icons/webhook';
import { __iconData as wrench } from 'lucide-react/icons/wrench';
import { drawn } from '#components/ui/icon.tsx';
import type { Icon } from '#components/ui/icon.tsx';
import { mayNow } from '#lib/access/actor.ts';
import type { Permission, Person } from '#lib/access/actor.ts';

/** What waits for a person in one entry of the menu; `app/waiting.ts` counts it. */
export type WaitingName =
  | 'payouts'
  | 'transfers'
  | 'approvals'
  | 'cardPayments'
  | 'recurring'
  | 'receipts'
  | 'failedTopUps'
  | 'reconciliation'
  | 'people'
  | 'secondPerson';

export type NavItem = {
  href: string;
  /** A message key in "shell.items". */
  name: string;
  icon: Icon;
  needs?: Permission;
  /** A link may prefetch the whole page, because the page refreshes old rows by itself. */
  whole?: true;
  /** A page of the daily work, which a phone also has in its bottom bar. */
  daily?: true;
  waiting?: WaitingName;
};

/** `name`: a message key in "shell.groups"; null for the first entries, which need no heading. */
export type NavGroup = { name: string | null; items: NavItem[] };

const GROUPS: readonly NavGroup[] = [
  {
    name: null,
    items: [
      { href: '/', name: 'home', icon: drawn(house), daily: true },
      { href: '/wallets', name: 'wallets', icon: drawn(wallet), needs: 'wallet.read', daily: true },
    ],
  },
  {
    name: 'moneyOut',
    items: [
      {
        href: '/payouts',
        name: 'payouts',
        icon: drawn(banknote),
        needs: 'movement.read',
        daily: true,
        whole: true,
        waiting: 'payouts',
      },
      {
        href: '/batches',
        name: 'batches',
        icon: drawn(fileUp),
        needs: 'movement.read',
      },
      {
        href: '/transfers',
        name: 'transfers',
        icon: drawn(arrowLeftRight),
        needs: 'movement.read',
        waiting: 'transfers',
      },
      {
        href: '/approvals',
        name: 'approvals',
        icon: drawn(badgeCheck),
        needs: 'movement.approve',
        waiting: 'approvals',
      },
      { href: '/recipients', name: 'recipients', icon: drawn(users), needs: 'movement.read' },
      {
        href: '/receipts',
        name: 'receipts',
        icon: drawn(fileText),
        needs: 'receipt.read',
        daily: true,
        waiting: 'receipts',
      },
    ],
  },
  {
    name: 'cardSales',
    items: [
      {
        href: '/cards/payments',
        name: 'cardPayments',
        icon: drawn(creditCard),
        needs: 'card.read',
        waiting: 'cardPayments',
      },
      { href: '/cards/authorizations', name: 'holds', icon: drawn(lock), needs: 'card.read' },
      {
        href: '/cards/recurring',
        name: 'recurring',
        icon: drawn(repeat),
        needs: 'card.read',
        waiting: 'recurring',
      },
      { href: '/cards/saved', name: 'savedCards', icon: drawn(walletCards), needs: 'card.read' },
    ],
  },
  {
    name: 'moneyIn',
    items: [
      {
        href: '/money-in',
        name: 'moneyIn',
        icon: drawn(banknoteArrowDown),
        needs: 'wallet.read',
      },
      {
        href: '/money-in/failed',
        name: 'failedTopUps',
        icon: drawn(banknoteX),
        needs: 'wallet.read',
        waiting: 'failedTopUps',
      },
    ],
  },
  {
    name: 'reports',
    items: [
      {
        href: '/reports/transactions',
        name: 'transactions',
        icon: drawn(list),
        needs: 'movement.read',
      },
      {
        href: '/reports/withdrawals',
        name: 'withdrawals',
        icon: drawn(landmark),
        needs: 'movement.read',
      },
      {
        href: '/reports/reconciliation',
        name: 'reconciliation',
        icon: drawn(scale),
        needs: 'movement.read',
        waiting: 'reconciliation',
      },
      {
        href: '/reports/day-close',
        name: 'dayClose',
        icon: drawn(calendarCheck),
        needs: 'wallet.read',
      },
      { href: '/reports/exports', name: 'exports', icon: drawn(fileDown), needs: 'export.make' },
    ],
  },
  {
    name: 'developer',
    items: [
      { href: '/developers', name: 'developers', icon: drawn(codeXml), needs: 'api.read' },
      { href: '/webhooks', name: 'webhooks', icon: drawn(webhook), needs: 'notice.read' },
      { href: '/cards/tools', name: 'cardTools', icon: drawn(wrench), needs: 'card.read' },
    ],
  },
  {
    name: 'administration',
    items: [
      {
        href: '/waiting',
        name: 'waiting',
        icon: drawn(userCheck),
        needs: 'movement.read',
        waiting: 'secondPerson',
      },
      { href: '/policy', name: 'policy', icon: drawn(listChecks), needs: 'policy.read' },
      { href: '/audit', name: 'audit', icon: drawn(shieldCheck), needs: 'audit.read' },
      {
        href: '/people',
        name: 'people',
        icon: drawn(userCog),
        needs: 'people.read',
        waiting: 'people',
      },
      { href: '/system', name: 'system', icon: drawn(activity), needs: 'system.read' },
      { href: '/settings', name: 'settings', icon: drawn(settings) },
      { href: '/help', name: 'help', icon: drawn(circleQuestionMark) },
    ],
  },
];

/**
 * The menu of a person. An entry that the person cannot use is absent, not grey; so is an empty group.
 */
export function navigationOf(person: Pick<Person, 'role' | 'standsInFor'>): NavGroup[] {
  return GROUPS.map(({ name, items }) => ({
    name,
    items: items.filter(({ needs }) => needs === undefined || mayNow(person, needs)),
  })).filter(({ items }) => items.length > 0);
}

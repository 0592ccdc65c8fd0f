import { __iconData as arrowLeftRight } from 'lucide-react/icons/arrow-left-right';
import { __iconData as banknote } from 'lucide-react/icons/banknote';
import { __iconData as banknoteArrowDown } from 'lucide-react/icons/banknote-arrow-down';
import { __iconData as creditCard } from 'lucide-react/icons/credit-card';
import { __iconData as chartColumn } from 'lucide-react/icons/chart-column';
import { __iconData as fileText } from 'lucide-react/icons/file-text';
import { __iconData as house } from 'lucide-react/icons/house';
import { __iconData as lock } from 'lucide-react/icons/lock';
import { __iconData as repeat } from 'lucide-react/icons/repeat';
import { __iconData as settings } from 'lucide-react/icons/settings';
import { __iconData as shieldCheck } from 'lucide-react/icons/shield-check';
import { __iconData as users } from 'lucide-react/icons/users';
import { __iconData as wallet } from 'lucide-react/icons/wallet';
import { __iconData as walletCards } from 'lucide-react/icons/wallet-cards';
import { __iconData as webhook } from 'lucide-react/icons/webhook';
import { __iconData as wrench } from 'lucide-react/icons/wrench';
import { drawn } from '#components/ui/icon.tsx';
import type { Icon } from '#components/ui/icon.tsx';
import { may } from '#lib/access/actor.ts';
import type { Permission, Role } from '#lib/access/actor.ts';

export type NavItem = {
  href: string;
  name:
    | 'home'
    | 'wallets'
    | 'payouts'
    | 'transfers'
    | 'recipients'
    | 'moneyIn'
    | 'receipts'
    | 'cardPayments'
    | 'holds'
    | 'cardTools'
    | 'recurring'
    | 'savedCards'
    | 'reports'
    | 'webhooks'
    | 'audit'
    | 'settings';
  icon: Icon;
  /** Pages under this path belong to the item; defaults to `href`. */
  within?: string;
  needs?: Permission;
  /** The whole page may be prefetched: its rows correct themselves. */
  whole?: true;
  /** Needed in the daily work: listed first, and in the bottom bar of a phone. */
  daily: boolean;
};

const ITEMS: readonly NavItem[] = [
  { href: '/', name: 'home', icon: drawn(house), daily: true },
  { href: '/wallets', name: 'wallets', icon: drawn(wallet), needs: 'wallet.read', daily: true },
  {
    href: '/payouts',
    name: 'payouts',
    icon: drawn(banknote),
    needs: 'movement.read',
    daily: true,
    whole: true,
  },
  {
    href: '/transfers',
    name: 'transfers',
    icon: drawn(arrowLeftRight),
    needs: 'movement.read',
    daily: false,
  },
  {
    href: '/recipients',
    name: 'recipients',
    icon: drawn(users),
    needs: 'movement.read',
    daily: false,
  },
  {
    href: '/money-in',
    name: 'moneyIn',
    icon: drawn(banknoteArrowDown),
    needs: 'wallet.read',
    daily: false,
  },
  {
    href: '/receipts',
    name: 'receipts',
    icon: drawn(fileText),
    needs: 'receipt.read',
    daily: true,
  },
  {
    href: '/cards/payments',
    name: 'cardPayments',
    icon: drawn(creditCard),
    needs: 'card.read',
    daily: false,
  },
  {
    href: '/cards/authorizations',
    name: 'holds',
    icon: drawn(lock),
    needs: 'card.read',
    daily: false,
  },
  {
    href: '/cards/recurring',
    name: 'recurring',
    icon: drawn(repeat),
    needs: 'card.read',
    daily: false,
  },
  {
    href: '/cards/saved',
    name: 'savedCards',
    icon: drawn(walletCards),
    needs: 'card.read',
    daily: false,
  },
  {
    href: '/cards/tools',
    name: 'cardTools',
    icon: drawn(wrench),
    needs: 'card.read',
    daily: false,
  },
  {
    href: '/reports/transactions',
    name: 'reports',
    within: '/reports',
    icon: drawn(chartColumn),
    needs: 'movement.read',
    daily: false,
  },
  { href: '/webhooks', name: 'webhooks', icon: drawn(webhook), needs: 'notice.read', daily: false },
  { href: '/audit', name: 'audit', icon: drawn(shieldCheck), needs: 'audit.read', daily: false },
  { href: '/settings', name: 'settings', icon: drawn(settings), daily: false },
];

/** An item that the role cannot use is absent, not grey. */
export function navigationOf(role: Role): { daily: NavItem[]; other: NavItem[] } {
  const usable = ITEMS.filter((item) => !item.needs || may(role, item.needs));
  return {
    daily: usable.filter((item) => item.daily),
    other: usable.filter((item) => !item.daily),
  };
}

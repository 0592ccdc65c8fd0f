import { Banknote, FileDown, FileText, House, Settings, ShieldCheck, Wallet, Webhook } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { may } from '#lib/actor.ts';
import type { Permission, Role } from '#lib/actor.ts';

export type NavItem = {
  href: string;
  name: 'home' | 'wallets' | 'payouts' | 'receipts' | 'exports' | 'webhooks' | 'audit' | 'settings';
  icon: LucideIcon;
  needs?: Permission;
  /** What the daily work needs stands first, and on a phone in the bar at the bottom. */
  daily: boolean;
};

const ITEMS: readonly NavItem[] = [
  { href: '/', name: 'home', icon: House, daily: true },
  { href: '/wallets', name: 'wallets', icon: Wallet, needs: 'wallet.read', daily: true },
  { href: '/payouts', name: 'payouts', icon: Banknote, needs: 'movement.read', daily: true },
  { href: '/receipts', name: 'receipts', icon: FileText, needs: 'receipt.read', daily: true },
  { href: '/reports/exports', name: 'exports', icon: FileDown, needs: 'export.make', daily: false },
  { href: '/webhooks', name: 'webhooks', icon: Webhook, needs: 'notice.read', daily: false },
  { href: '/audit', name: 'audit', icon: ShieldCheck, needs: 'audit.read', daily: false },
  { href: '/settings', name: 'settings', icon: Settings, daily: false },
];

/** What a role cannot use is absent, not grey. */
export function navigationOf(role: Role): { daily: NavItem[]; other: NavItem[] } {
  const usable = ITEMS.filter((item) => !item.needs || may(role, item.needs));
  return { daily: usable.filter((item) => item.daily), other: usable.filter((item) => !item.daily) };
}

import { getTranslations } from 'next-intl/server';
import type { KeyWords } from '#components/key-list.tsx';

/** The words of the keyboard list. */
export async function keyWords(): Promise<KeyWords> {
  const t = await getTranslations('shell');
  return {
    title: t('shortcuts.title'),
    close: t('close'),
    search: t('shortcuts.search'),
    new: t('shortcuts.new'),
    filter: t('shortcuts.filter'),
    move: t('shortcuts.move'),
    open: t('shortcuts.open'),
    pick: t('shortcuts.pick'),
    pickRange: t('shortcuts.pickRange'),
    ask: t('shortcuts.ask'),
    export: t('shortcuts.export'),
    help: t('shortcuts.help'),
    off: t('shortcuts.off'),
    settings: t('items.settings'),
    payouts: t('items.payouts'),
    wallets: t('items.wallets'),
    home: t('items.home'),
    receipts: t('items.receipts'),
  };
}

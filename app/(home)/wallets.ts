import { cache } from 'react';
import { viewWallets } from '#lib/wallets/view.ts';

/** The wallets, asked for once for all panels of the page. */
export const walletsOf = cache(viewWallets);

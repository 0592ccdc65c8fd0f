import { cache } from 'react';
import { viewKeptWallets, viewWallets } from '#lib/wallets/view.ts';

/** The wallets, asked for once for all panels of the page; and as they were last known. */
export const walletsOf = cache(viewWallets);
export const keptWalletsOf = cache(viewKeptWallets);

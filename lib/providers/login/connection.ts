import type { Transport } from '../transport.ts';

/** The network and the address of the login service, without a trailing slash. */
export type LoginLine = { base: string; transport: Transport };

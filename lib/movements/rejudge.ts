import 'server-only';
import type { Tx } from '#lib/runtime/db.ts';
import type { RawMovement } from './row.ts';

/**
 * The rules of a form, asked once more of a movement that waits for approval. The first call asks
 * the provider, while no transaction is open. The second judges in the caller's transaction and
 * answers null, or the code of what speaks against it now.
 */
export type Rejudge = (movement: RawMovement) => Promise<(tx: Tx) => Promise<string | null>>;

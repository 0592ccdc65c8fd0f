/**
 * The files that a payout's amount passes through, in order: from the form to the row, and from the
 * row to the wire.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const FIELD_TO_ROW = [
  'app/movements/form/amount-block.tsx',
  'app/payouts/new/use-payout-form.ts',
  'app/movements/form/use-money-form.ts',
  'app/payouts/new/actions.ts',
  'lib/payouts/schema.ts',
  'lib/payouts/submit.ts',
  'lib/payouts/judge.ts',
  'lib/movements/submit.ts',
] as const;

export const ROW_TO_WIRE = [
  'lib/movements/claim.ts',
  'lib/movements/advance.ts',
  'lib/payouts/kind.ts',
  'lib/providers/wallet/client.ts',
  'lib/providers/wallet/payouts.ts',
  'lib/providers/wallet/payout-body.ts',
  'lib/providers/wallet/connection.ts',
  'lib/providers/transport.ts',
] as const;

/**
 * Returns the files of a walk that no longer exist; then the list of the walk must be made again.
 */
export function missingSteps(root: string, walk: readonly string[]): string[] {
  return walk.filter((file) => !existsSync(join(root, file)));
}

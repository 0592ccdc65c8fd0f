'use server';

import * as z from 'zod';
import { foreseeApprovals } from '#lib/approvals/foresee.ts';
import type { Foreseen } from '#lib/approvals/foresee.ts';
import { viewMovement } from '#lib/movement-views/view.ts';
import { KIND_NAMES, movementAddress } from '#lib/movements/kinds.ts';
import { UUID } from '#lib/values/uuid.ts';
import { moneyAction } from '#lib/login/action.ts';
import type { ActionProblem } from '#lib/login/action-state.ts';
import { viewWallets } from '#lib/wallets/view.ts';
import type { KnownView, WalletView } from '#lib/wallets/view.ts';

const askedForm = z.object({
  id: z.string().regex(UUID),
  kind: z.enum(KIND_NAMES),
  wallet: z.string().max(40),
  iban: z.string().max(40),
  toWallet: z.string().max(40).nullable(),
  name: z.string().max(200),
  amountMinor: z
    .string()
    .regex(/^[1-9][0-9]{0,17}$/)
    .transform((digits) => BigInt(digits)),
  currency: z.string().length(3),
  retryOf: z.string().regex(UUID).nullable(),
});

/** Who would have to approve the form; the review says so before anything is stored. */
export async function foreseeFormApprovals(
  asked: unknown,
): Promise<ActionProblem | { kind: 'foreseen'; foreseen: Foreseen }> {
  return moneyAction(async (actor) => ({
    kind: 'foreseen' as const,
    foreseen: await foreseeApprovals(actor, askedForm.parse(asked)),
  }));
}

/** The page of the movement that the form `id` has stored; null while it has stored none. */
export async function findStored(
  id: unknown,
): Promise<ActionProblem | { kind: 'looked'; address: string | null }> {
  return moneyAction(async (actor) => {
    const stored = await viewMovement(actor, z.string().regex(UUID).parse(id));
    return { kind: 'looked' as const, address: stored && movementAddress(stored) };
  });
}

/** The present balances: a form may have been open for a while. */
export async function readWalletsAgain(): Promise<
  ActionProblem | { kind: 'read'; wallets: KnownView<WalletView[]> }
> {
  return moneyAction(async (actor) => ({
    kind: 'read' as const,
    wallets: await viewWallets(actor),
  }));
}

/** Every way for money to leave, by the names that rows, switches and hashes hold. Pure. */
export const TRANSFER_RAILS = ['transfer_person', 'transfer_business', 'transfer_own'] as const;
export type TransferRail = (typeof TRANSFER_RAILS)[number];
export const RAIL_NAMES = ['payout', ...TRANSFER_RAILS] as const;
export type RailName = (typeof RAIL_NAMES)[number];

export function isTransfer(rail: string): rail is TransferRail {
  return TRANSFER_RAILS.some((one) => one === rail);
}

/** Where a movement is shown. */
export function movementAddress({ rail, id }: { rail: string; id: string }): string {
  return `/${isTransfer(rail) ? 'transfers' : 'payouts'}/${id}`;
}

/** The page of our own payout or transfer. */
export function movementHref({ id, rail }: { id: string; rail: string }): string {
  return `/${rail === 'payout' ? 'payouts' : 'transfers'}/${id}`;
}

/** A receiving wallet's number for people who may not see it whole: its last four digits. Pure. */
export function maskWallet(number: string): string {
  return `…${number.slice(-4)}`;
}

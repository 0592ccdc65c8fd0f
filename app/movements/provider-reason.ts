/**
 * Why the provider did not pay: the meaning of its code in our words, and its own message quoted as
 * received. `meaningOf`: our words for a code, null where there are none. Empty when neither is known.
 */
export function providerReason(
  { reasonCode, reasonText }: { reasonCode: string | null; reasonText: string | null },
  meaningOf: (code: string) => string | null,
): string {
  const meaning = reasonCode === null ? null : meaningOf(reasonCode);
  const quoted = reasonText === null ? null : `“${reasonText}”`;
  return [meaning, quoted].filter((part) => part !== null).join(' ');
}

/** The people and businesses whom the merchant of a simulated world pays. */
export const PAYEES = [
  {
    name: 'Ayşe Yılmaz',
    taxNumber: '10000000146',
    ibans: ['TR670006105197864578413200', 'TR420006105197864578421119'],
    wallets: ['5510100001', '5510100011'],
  },
  {
    name: 'Deniz Ticaret',
    taxNumber: '10000135886',
    ibans: ['TR170006105197864578429038', 'TR890006105197864578436957'],
    wallets: ['5510100002', '5510100012'],
  },
  {
    name: 'Işık Gıda',
    taxNumber: '10000271584',
    ibans: ['TR640006105197864578444876', 'TR390006105197864578452795'],
    wallets: ['5510100003', '5510100013'],
  },
] as const;

/** One of many other payees: each has an account and a number of its own. */
export function payeeOf(n: number): { name: string; taxNumber: string; iban: string } {
  const bban = `000610${String(5_197_864_579_000_000n + BigInt(n)).padStart(16, '0')}`;
  const check = 98n - (BigInt(`${bban}292700`) % 97n);
  const nine = String(200_000_000 + n * 101);
  return {
    name: `Alıcı ${String.fromCharCode(65 + (n % 26))}`,
    taxNumber: withCheckDigits(nine),
    iban: `TR${String(check).padStart(2, '0')}${bban}`,
  };
}

/** A national number: nine digits and the two that prove them. */
function withCheckDigits(nine: string): string {
  const digits = [...nine].map(Number);
  const sum = (from: number): number =>
    digits.reduce((total, digit, at) => (at % 2 === from ? total + digit : total), 0);
  const tenth = (((sum(0) * 7 - sum(1)) % 10) + 10) % 10;
  return `${nine}${tenth}${(sum(0) + sum(1) + tenth) % 10}`;
}

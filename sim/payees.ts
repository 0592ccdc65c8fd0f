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

export const PATH = '/reports/withdrawals';
